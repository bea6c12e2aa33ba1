-- Credits won from locked credits are locked with their winner.

CREATE OR REPLACE FUNCTION ledger_promo_played(
    p_wallet bigint, p_stake bigint, p_reference text, OUT played_cents bigint, OUT people bigint[])
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT least(max(m.staked) FILTER (WHERE m.account_id = p_wallet), max(-m.net))
           - coalesce((SELECT sum(p.amount_cents)::bigint FROM ledger_promo p JOIN ledger_transfer t
                       ON t.id = p.transfer_id WHERE p.account_id = p_wallet AND t.key = p_reference || ':resolve'), 0),
           array_agg(m.account_id) FILTER (WHERE m.account_id <> p_wallet)
    FROM (SELECT e.account_id, sum(e.amount_cents) AS net,
                 -sum(e.amount_cents) FILTER (WHERE e.transfer_id = p_stake) AS staked
          FROM ledger_transfer r
          JOIN ledger_entry e ON e.transfer_id = ANY (ARRAY[p_stake, r.id])
          JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'wallet'
          WHERE r.key = p_reference || ':resolve' AND r.kind IN ('result', 'tie', 'adjudicate')
            AND NOT EXISTS (SELECT FROM ledger_transfer c WHERE c.reference = p_reference AND c.kind = 'correct')
          GROUP BY e.account_id) m
    WHERE m.staked > 0
$$;

CREATE OR REPLACE FUNCTION ledger_promo_lock(
    p_wallet bigint, OUT locked_cents bigint, OUT to_play_cents bigint, OUT people_missing int)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_terms record := ledger_promo_terms();
    v_total bigint;
    v_oldest bigint;
    v_given bigint := 0;     -- credits that came since the entry at hand
    v_played bigint := 0;    -- what was played for since then
    v_people bigint[] := '{}';
    v_row record;
    v_match record;
BEGIN
    locked_cents := 0; to_play_cents := 0; people_missing := 0;
    SELECT sum(p.amount_cents), min(p.account_version) INTO v_total, v_oldest FROM ledger_promo p
    WHERE p.account_id = p_wallet
      AND NOT EXISTS (SELECT FROM ledger_transfer r WHERE r.reverses_id = p.transfer_id);
    IF v_total IS NULL THEN RETURN; END IF;
    FOR v_row IN
        SELECT e.transfer_id, t.kind, t.reference, p.amount_cents AS given_cents,
               EXISTS (SELECT FROM ledger_transfer r WHERE r.reverses_id = t.id) AS reversed
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        LEFT JOIN ledger_promo p ON p.account_id = e.account_id AND p.account_version = e.account_version
        WHERE e.account_id = p_wallet AND e.account_version >= v_oldest
        ORDER BY e.account_version DESC
    LOOP
        IF v_row.kind = 'stake' THEN
            SELECT * INTO v_match FROM ledger_promo_played(p_wallet, v_row.transfer_id, v_row.reference);
            v_played := v_played + coalesce(v_match.played_cents, 0);
            IF coalesce(v_match.played_cents, 0) > 0 AND cardinality(v_people) < v_terms.people THEN
                v_people := ARRAY(SELECT DISTINCT unnest(v_people || v_match.people));
            END IF;
            -- Whatever is older was played for often enough since.
            EXIT WHEN v_played >= v_total * v_terms.factor AND cardinality(v_people) >= v_terms.people;
        ELSIF v_row.given_cents IS NOT NULL AND NOT v_row.reversed THEN
            v_given := v_given + v_row.given_cents;
            to_play_cents := greatest(to_play_cents, v_given * v_terms.factor - v_played);
            IF cardinality(v_people) < v_terms.people THEN
                locked_cents := v_given;
                people_missing := greatest(people_missing, v_terms.people - cardinality(v_people));
            END IF;
        END IF;
    END LOOP;
    locked_cents := greatest(locked_cents, (to_play_cents + v_terms.factor - 1) / v_terms.factor);
END $$;

CREATE OR REPLACE FUNCTION ledger_promo_passed(p_transfer bigint, p_reference text)
RETURNS TABLE (account_id bigint, account_version bigint, amount_cents bigint) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_passed bigint := 0;
    v_loser record;
BEGIN
    FOR v_loser IN
        SELECT a.id, a.balance_cents, -sum(e.amount_cents) AS lost_cents
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        JOIN ledger_account a ON a.id = e.account_id
        WHERE t.reference = p_reference AND a.kind = 'wallet'
          AND EXISTS (SELECT FROM ledger_promo p WHERE p.account_id = a.id)
        GROUP BY a.id HAVING sum(e.amount_cents) < 0
    LOOP
        v_passed := v_passed + greatest(v_loser.lost_cents - greatest(
            v_loser.balance_cents + v_loser.lost_cents
            - (SELECT l.locked_cents FROM ledger_promo_lock(v_loser.id) l), 0), 0);
    END LOOP;
    IF v_passed = 0 THEN RETURN; END IF;
    RETURN QUERY
        SELECT w.account_id, w.account_version, least(w.won_cents, v_passed)
        FROM (SELECT e.account_id, max(e.account_version) FILTER (WHERE t.id = p_transfer) AS account_version,
                     sum(e.amount_cents)::bigint AS won_cents
              FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
              JOIN ledger_account a ON a.id = e.account_id
              WHERE t.reference = p_reference AND a.kind = 'wallet' GROUP BY e.account_id) w
        WHERE w.won_cents > 0 AND w.account_version IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION ledger_post(
    p_key text, p_kind text, p_reference text, p_accounts text[], p_amounts bigint[],
    p_actor bigint DEFAULT NULL, p_approver bigint DEFAULT NULL, p_memo text DEFAULT '',
    p_reverses bigint DEFAULT NULL,
    OUT posted_id bigint, OUT replayed boolean)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_count int := cardinality(p_accounts);
    v_bounded int;
    v_locked int := 0;
    v_lines text;
    v_digest bytea;
    v_known bytea;
    v_line record;
    v_refused text;
BEGIN
    SELECT min(l.key) FILTER (WHERE ledger_kind_allows(p_kind, split_part(l.key, ':', 1), l.amount) IS NOT TRUE),
           count(*) FILTER (WHERE split_part(l.key, ':', 1) IN ('wallet', 'escrow', 'payout_hold')),
           string_agg(l.key || ' ' || l.amount, E'\n' ORDER BY l.key COLLATE "C")
    INTO v_refused, v_bounded, v_lines
    FROM unnest(p_accounts, p_amounts) AS l(key, amount);
    IF v_refused IS NOT NULL OR v_count <> cardinality(p_amounts) THEN
        RAISE EXCEPTION 'a transfer of kind % may not move % like that', p_kind, v_refused
            USING ERRCODE = 'LG006', DETAIL = json_build_object('account', v_refused);
    END IF;

    -- As ledger_digest, without a second pass over the lines.
    v_digest := sha256(convert_to(
        concat_ws(E'\n', 'pasch.posting.1', p_kind, p_reference, v_lines), 'UTF8'));
    INSERT INTO ledger_transfer (key, digest, kind, reference, line_count,
                                 actor_id, approver_id, memo, reverses_id)
    VALUES (p_key, v_digest, p_kind, p_reference, v_count, p_actor, p_approver, p_memo, p_reverses)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO posted_id;
    replayed := posted_id IS NULL;
    IF replayed THEN
        SELECT t.id, t.digest INTO posted_id, v_known FROM ledger_transfer t WHERE t.key = p_key;
        IF v_known <> v_digest THEN
            RAISE EXCEPTION '% was already decided otherwise', p_key
                USING ERRCODE = 'LG002', DETAIL = json_build_object('key', p_key);
        END IF;
        RETURN;
    END IF;

    -- What decides about an escrow opens nothing: its accounts came with the stakes.
    IF p_kind NOT IN ('result', 'tie', 'adjudicate', 'void')
       AND (SELECT count(*) FROM ledger_account a WHERE a.key = ANY (p_accounts)) < v_count THEN
        PERFORM ledger_accounts_open(p_accounts || 'house_rake'::text);
    END IF;

    FOR v_line IN
        SELECT a.id, a.key, a.kind, a.owner_id, a.balance_cents, a.frozen, l.amount
        FROM unnest(p_accounts, p_amounts) AS l(key, amount)
        JOIN ledger_account a ON a.key = l.key
        WHERE a.bounded
        ORDER BY a.id FOR NO KEY UPDATE OF a
    LOOP
        v_locked := v_locked + 1;
        CONTINUE WHEN v_line.amount > 0;
        IF v_line.kind <> 'wallet' THEN
            -- An escrow or a hold is emptied by one decision, to the last cent.
            IF v_line.balance_cents + v_line.amount <> 0 THEN
                RAISE EXCEPTION '% holds %, not %', v_line.key, v_line.balance_cents, -v_line.amount
                    USING ERRCODE = 'LG005', DETAIL = json_build_object('account', v_line.key,
                        'taken', -v_line.amount, 'held', v_line.balance_cents);
            END IF;
        ELSIF v_line.frozen AND p_kind NOT IN ('adjust', 'correct', 'reverse', 'chargeback') THEN
            RAISE EXCEPTION '% is frozen', v_line.key
                USING ERRCODE = 'LG003', DETAIL = json_build_object('account', v_line.key);
        ELSIF v_line.balance_cents + v_line.amount < 0 THEN
            RAISE EXCEPTION '% holds %, not %', v_line.key, v_line.balance_cents, -v_line.amount
                USING ERRCODE = 'LG001', DETAIL = json_build_object('owner', v_line.owner_id,
                    'needed', -v_line.amount, 'available', v_line.balance_cents);
        ELSIF p_kind = 'stake' THEN
            PERFORM ledger_stake_allowed(v_line.owner_id, v_line.id, -v_line.amount);
        ELSIF p_kind = 'payout_request' THEN
            PERFORM ledger_payout_allowed(v_line.owner_id, v_line.id, v_line.balance_cents, -v_line.amount);
        END IF;
    END LOOP;
    IF v_locked < v_bounded THEN
        SELECT l.key, l.amount INTO v_line FROM unnest(p_accounts, p_amounts) AS l(key, amount)
        WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.key = l.key) ORDER BY l.key LIMIT 1;
        IF split_part(v_line.key, ':', 1) = 'wallet' THEN
            RAISE EXCEPTION 'there is no account %', v_line.key
                USING ERRCODE = 'LG004', DETAIL = json_build_object('account', v_line.key);
        END IF;
        RAISE EXCEPTION '% never held anything', v_line.key USING ERRCODE = 'LG005',
            DETAIL = json_build_object('account', v_line.key, 'taken', -v_line.amount, 'held', 0);
    END IF;

    WITH line AS (
        SELECT * FROM unnest(p_accounts, p_amounts) WITH ORDINALITY AS l(key, amount, number)
    ), moved AS (
        UPDATE ledger_account a SET balance_cents = a.balance_cents + line.amount, version = a.version + 1
        FROM line WHERE a.key = line.key AND a.bounded
        RETURNING a.id, a.balance_cents, a.version
    )
    INSERT INTO ledger_entry (transfer_id, line, account_id, amount_cents, balance_after_cents, account_version)
    SELECT posted_id, line.number, a.id, line.amount, moved.balance_cents, moved.version
    FROM line JOIN ledger_account a ON a.key = line.key LEFT JOIN moved ON moved.id = a.id;

    IF p_kind IN ('welcome', 'voucher', 'grant') THEN
        INSERT INTO ledger_promo (account_id, account_version, transfer_id, amount_cents)
        SELECT e.account_id, e.account_version, e.transfer_id, e.amount_cents
        FROM ledger_entry e WHERE e.transfer_id = posted_id AND e.account_version IS NOT NULL;
    ELSIF p_kind IN ('result', 'adjudicate') THEN
        INSERT INTO ledger_promo (account_id, account_version, transfer_id, amount_cents)
        SELECT passed.account_id, passed.account_version, posted_id, passed.amount_cents
        FROM ledger_promo_passed(posted_id, p_reference) passed;
    END IF;
END $$;
