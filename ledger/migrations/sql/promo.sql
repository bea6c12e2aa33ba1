-- Promotional credits (welcome, voucher, grant) stay in the house until they were played for: docs/ledger.md.

-- How often over they have to be played for, and against how many people.
CREATE OR REPLACE FUNCTION ledger_promo_terms(OUT factor int, OUT people int) LANGUAGE sql IMMUTABLE AS $$
    SELECT 3, 3
$$;

-- What of a wallet cannot be paid out yet, how much it still has to be played for, and against how many more
-- people. Goes back from the newest entry, and only as far as it matters.
-- A match counts what its loser lost, at most the wallet's own stake, less the locked credits that were won in it:
-- those are a present, not play. Nothing before it ends, and nothing where it was voided, then or later. Stakes that
-- were booked one by one are no match between people who agreed on it, and count nothing. Whoever staked as much as
-- all others together (each of two, or the box of a chouette) played against each of them, and the others against that
-- one alone.
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
BEGIN
    locked_cents := 0; to_play_cents := 0; people_missing := 0;
    SELECT sum(p.amount_cents), min(p.account_version) INTO v_total, v_oldest FROM ledger_promo p
    WHERE p.account_id = p_wallet
      AND NOT EXISTS (SELECT FROM ledger_transfer r WHERE r.reverses_id = p.transfer_id);
    IF v_total IS NULL THEN RETURN; END IF;
    FOR v_row IN
        SELECT t.kind, p.amount_cents AS given_cents, played.people,
               EXISTS (SELECT FROM ledger_transfer r WHERE r.reverses_id = t.id) AS reversed,
               coalesce(played.cents - coalesce((
                   SELECT sum(won.amount_cents)::bigint FROM ledger_promo won
                   JOIN ledger_transfer w ON w.id = won.transfer_id
                   WHERE won.account_id = p_wallet AND w.key = t.reference || ':resolve'), 0), 0) AS played_cents
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        LEFT JOIN ledger_promo p ON p.account_id = e.account_id AND p.account_version = e.account_version
        LEFT JOIN LATERAL (
            SELECT least(max(m.own), CASE WHEN 2 * max(m.own) = max(m.pot)
                       THEN greatest(max(-m.net) FILTER (WHERE m.account_id = p_wallet),
                                     sum(abs(m.net)) FILTER (WHERE m.account_id <> p_wallet))
                       ELSE max(abs(m.net)) FILTER (WHERE m.account_id = p_wallet) END)::bigint AS cents,
                   array_agg(m.account_id) FILTER (WHERE m.account_id <> p_wallet
                       AND m.pot IN (2 * m.own, 2 * m.staked)) AS people
            FROM (SELECT s.*, max(s.staked) FILTER (WHERE s.account_id = p_wallet) OVER () AS own,
                         sum(s.staked) OVER () AS pot
                  FROM (SELECT l.account_id, sum(l.amount_cents) AS net,
                               -sum(l.amount_cents) FILTER (WHERE l.transfer_id = t.id) AS staked
                        FROM ledger_transfer r
                        JOIN ledger_entry l ON l.transfer_id = ANY (ARRAY[t.id, r.id])
                        JOIN ledger_account a ON a.id = l.account_id AND a.kind = 'wallet'
                        WHERE r.key = t.reference || ':resolve' AND r.kind IN ('result', 'tie', 'adjudicate')
                          AND NOT EXISTS (
                              SELECT FROM ledger_transfer c WHERE c.reference = r.reference AND c.kind = 'correct')
                        GROUP BY l.account_id) s
                  WHERE s.staked > 0) m
        ) played ON t.kind = 'stake' AND t.key = t.reference || ':open'
        WHERE e.account_id = p_wallet AND e.account_version >= v_oldest
        ORDER BY e.account_version DESC
    LOOP
        IF v_row.kind = 'stake' THEN
            v_played := v_played + v_row.played_cents;
            IF v_row.played_cents > 0 AND cardinality(v_people) < v_terms.people THEN
                v_people := ARRAY(SELECT DISTINCT unnest(v_people || v_row.people));
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

-- What a match passes on of credits that its loser could not have been paid: it stays locked with the winner. A
-- loser's other credits are lost first. Several winners share it by what they won, rounded up. Asked when the match
-- was just booked: (winner's wallet, its version, cents).
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
        GROUP BY a.id HAVING sum(e.amount_cents) < 0
           -- no more is locked than ever came, so whoever holds as much lost other credits alone
           AND a.balance_cents < (SELECT sum(p.amount_cents) FROM ledger_promo p WHERE p.account_id = a.id)
    LOOP
        v_passed := v_passed + greatest(v_loser.lost_cents - greatest(
            v_loser.balance_cents + v_loser.lost_cents
            - (SELECT l.locked_cents FROM ledger_promo_lock(v_loser.id) l), 0), 0);
    END LOOP;
    IF v_passed = 0 THEN RETURN; END IF;
    RETURN QUERY
        SELECT w.account_id, w.account_version,
               least(w.won_cents, ceil(v_passed::numeric * w.won_cents / w.all_won_cents)::bigint)
        FROM (SELECT v.*, sum(v.won_cents) OVER () AS all_won_cents
              FROM (SELECT e.account_id, sum(e.amount_cents)::bigint AS won_cents,
                           max(e.account_version) FILTER (WHERE t.id = p_transfer) AS account_version
                    FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
                    JOIN ledger_account a ON a.id = e.account_id
                    WHERE t.reference = p_reference AND a.kind = 'wallet' GROUP BY e.account_id) v
              WHERE v.won_cents > 0 AND v.account_version IS NOT NULL) w;
END $$;

-- Refuses a payout of more than what is left beside locked, held and unchecked credits, whose sum stays: which of
-- the wallet's credits are which is not known. The wallet is locked by the caller.
CREATE OR REPLACE FUNCTION ledger_payout_allowed(p_owner bigint, p_wallet bigint, p_balance bigint, p_cents bigint)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_payable bigint;
BEGIN
    SELECT greatest(p_balance - l.locked_cents, 0) INTO v_payable FROM ledger_promo_lock(p_wallet) l;
    IF v_payable IS NULL OR p_cents > v_payable THEN
        RAISE EXCEPTION 'player % may be paid %, not %', p_owner, v_payable, p_cents
            USING ERRCODE = 'LG010', DETAIL = json_build_object('owner', p_owner, 'needed', p_cents,
                'payable', v_payable);
    END IF;
    PERFORM ledger_not_held(p_owner, v_payable, p_cents);
    v_payable := greatest(v_payable - ledger_held(p_owner) - ledger_unchecked(p_wallet), 0);
    IF p_cents > v_payable THEN
        RAISE EXCEPTION 'player % may be paid %, not %: the rest waits for a check', p_owner, v_payable, p_cents
            USING ERRCODE = 'LG012', DETAIL = json_build_object('owner', p_owner, 'needed', p_cents,
                'payable', v_payable);
    END IF;
END $$;

SELECT rows_stay('ledger_promo', 'UPDATE OR DELETE', 'LG009');
