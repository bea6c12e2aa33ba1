-- The one way into the books. Errors: LG001 insufficient credits, LG002 key conflict, LG003 frozen,
-- LG004 unknown account, LG005 escrow mismatch, LG006 malformed, LG008 own limit or pause, LG010 credits that
-- have to be played for first, LG011 held credits, LG012 winnings that were not checked. DETAIL is JSON.

CREATE OR REPLACE FUNCTION ledger_digest(p_kind text, p_reference text, p_accounts text[], p_amounts bigint[])
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(convert_to(concat_ws(E'\n', 'pasch.posting.1', p_kind, p_reference,
        (SELECT string_agg(l.key || ' ' || l.amount, E'\n' ORDER BY l.key COLLATE "C")
         FROM unnest(p_accounts, p_amounts) AS l(key, amount))), 'UTF8'))
$$;

-- The same table as KIND_RULES in ledger/postings.py: which kind of transfer may debit and credit what.
CREATE OR REPLACE FUNCTION ledger_kind_allows(p_kind text, p_account text, p_amount bigint)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_kind
        WHEN 'stake' THEN p_account = CASE WHEN p_amount < 0 THEN 'wallet' ELSE 'escrow' END
        WHEN 'result' THEN CASE WHEN p_amount < 0 THEN p_account = 'escrow'
                                ELSE p_account IN ('wallet', 'house_rake') END
        WHEN 'tie' THEN CASE WHEN p_amount < 0 THEN p_account = 'escrow'
                             ELSE p_account IN ('wallet', 'house_rake') END
        WHEN 'adjudicate' THEN CASE WHEN p_amount < 0 THEN p_account = 'escrow'
                                    ELSE p_account IN ('wallet', 'house_rake') END
        WHEN 'void' THEN CASE WHEN p_amount < 0 THEN p_account = 'escrow'
                              ELSE p_account IN ('wallet', 'promo_issue') END
        WHEN 'add' THEN p_account = CASE WHEN p_amount < 0 THEN 'promo_issue' ELSE 'escrow' END
        WHEN 'withdraw' THEN p_account = CASE WHEN p_amount < 0 THEN 'escrow' ELSE 'wallet' END
        WHEN 'welcome' THEN p_account = CASE WHEN p_amount < 0 THEN 'promo_issue' ELSE 'wallet' END
        WHEN 'voucher' THEN p_account = CASE WHEN p_amount < 0 THEN 'promo_issue' ELSE 'wallet' END
        WHEN 'grant' THEN p_account = CASE WHEN p_amount < 0 THEN 'promo_issue' ELSE 'wallet' END
        WHEN 'purchase' THEN p_account = CASE WHEN p_amount < 0 THEN 'cash_in' ELSE 'wallet' END
        WHEN 'chargeback' THEN p_account = CASE WHEN p_amount < 0 THEN 'wallet' ELSE 'cash_in' END
        WHEN 'payout_request' THEN p_account = CASE WHEN p_amount < 0 THEN 'wallet' ELSE 'payout_hold' END
        WHEN 'payout_paid' THEN p_account = CASE WHEN p_amount < 0 THEN 'payout_hold' ELSE 'payout_paid' END
        WHEN 'payout_return' THEN p_account = CASE WHEN p_amount < 0 THEN 'payout_hold' ELSE 'wallet' END
        WHEN 'adjust' THEN p_account IN ('wallet', 'adjustment')
        WHEN 'correct' THEN p_account IN ('wallet', 'house_rake')
        WHEN 'reverse' THEN p_account IN ('wallet', 'promo_issue', 'cash_in', 'adjustment')
        ELSE false END
$$;

-- Opens what is missing among these accounts. Wallets belong to a person and are opened by ledger_wallet_open.
CREATE OR REPLACE FUNCTION ledger_accounts_open(p_accounts text[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE v_missing text;
BEGIN
    SELECT l.key INTO v_missing FROM unnest(p_accounts) AS l(key)
    WHERE split_part(l.key, ':', 1) = 'wallet'
      AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.key = l.key) LIMIT 1;
    IF v_missing IS NOT NULL THEN
        RAISE EXCEPTION 'there is no account %', v_missing
            USING ERRCODE = 'LG004', DETAIL = json_build_object('account', v_missing);
    END IF;
    INSERT INTO ledger_account (key, kind, bounded)
    SELECT l.key, split_part(l.key, ':', 1), split_part(l.key, ':', 1) IN ('escrow', 'payout_hold')
    FROM unnest(p_accounts) AS l(key)
    WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.key = l.key)
    ORDER BY l.key  -- one order for everybody, so two openings cannot wait for each other
    ON CONFLICT (key) DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION ledger_wallet_open(p_owner bigint) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_id bigint;
BEGIN
    INSERT INTO ledger_account (key, kind, owner_id, bounded)
    VALUES ('wallet:' || p_owner, 'wallet', p_owner, true)
    ON CONFLICT DO NOTHING RETURNING id INTO v_id;  -- whichever of its two unique keys is met first
    IF v_id IS NULL THEN
        SELECT a.id INTO v_id FROM ledger_account a WHERE a.key = 'wallet:' || p_owner;
    END IF;
    RETURN v_id;
END $$;

CREATE OR REPLACE FUNCTION ledger_account_freeze(p_account text, p_frozen boolean) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_was boolean;
BEGIN
    SELECT a.frozen INTO v_was FROM ledger_account a WHERE a.key = p_account FOR NO KEY UPDATE;
    IF v_was IS NULL THEN
        RAISE EXCEPTION 'there is no account %', p_account
            USING ERRCODE = 'LG004', DETAIL = json_build_object('account', p_account);
    END IF;
    UPDATE ledger_account SET frozen = p_frozen WHERE key = p_account AND frozen <> p_frozen;
    RETURN v_was;
END $$;

-- Books one transfer, or answers with the one booked before under the same key and content.
-- Locks, in this order: the key (unique insert), then the bounded accounts by ascending id. Nothing else.
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
    IF p_kind NOT IN ('result', 'tie', 'adjudicate', 'void', 'withdraw')
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
            -- An escrow or a hold is emptied by one decision, to the last cent; before it, one who staked
            -- alone may take that back.
            IF v_line.balance_cents + v_line.amount <> 0
               AND (p_kind <> 'withdraw' OR v_line.balance_cents + v_line.amount < 0) THEN
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
            PERFORM ledger_not_held(v_line.owner_id, v_line.balance_cents, -v_line.amount);
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
