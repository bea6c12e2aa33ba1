-- Every transfer has a row that says why it was made. Transfers of matches belong to whoever knows matches.

-- What is missing behind a transfer that is no match's, or NULL where a row stands behind it. It is asked when
-- the transaction that books ends, and again by every audit; so it asks only for what is final by then.
CREATE OR REPLACE FUNCTION ledger_unjustified(t ledger_transfer) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_owner bigint;
    v_cents bigint;
    v_wallets int;
    v_held bigint;
    v_holds text;
    v_stands boolean;
BEGIN
    SELECT min(a.owner_id) FILTER (WHERE a.kind = 'wallet'), sum(e.amount_cents) FILTER (WHERE a.kind = 'wallet'),
           count(*) FILTER (WHERE a.kind = 'wallet'), sum(e.amount_cents) FILTER (WHERE a.kind = 'payout_hold'),
           string_agg(a.key, ' ') FILTER (WHERE a.kind = 'payout_hold')
    INTO v_owner, v_cents, v_wallets, v_held, v_holds
    FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE e.transfer_id = t.id;
    IF v_wallets > 1 THEN
        RETURN 'moves ' || v_wallets || ' wallets, and its row can name one';
    END IF;
    CASE
        WHEN t.kind = 'welcome' THEN
            v_stands := t.key = 'promo:welcome:' || v_owner AND EXISTS (
                SELECT FROM ledger_welcome w WHERE w.user_id = v_owner AND w.amount_cents = v_cents);
        WHEN t.kind IN ('grant', 'purchase', 'chargeback') THEN
            v_stands := EXISTS (
                SELECT FROM ledger_warrant w WHERE w.key = t.key AND w.kind = t.kind AND w.user_id = v_owner
                AND w.amount_cents = v_cents AND w.reason = t.memo AND w.actor_id IS NOT DISTINCT FROM t.actor_id);
        WHEN t.kind = 'reverse' THEN
            v_stands := EXISTS (
                SELECT FROM ledger_warrant w WHERE w.key = t.key AND w.kind = t.kind AND w.reason = t.memo
                AND w.actor_id = t.actor_id AND t.key = 'reverse:' || t.reverses_id
            ) AND NOT EXISTS (
                SELECT FROM ledger_entry e WHERE e.transfer_id IN (t.id, t.reverses_id)
                GROUP BY e.account_id HAVING sum(e.amount_cents) <> 0 OR count(*) <> 2);
        WHEN t.kind = 'voucher' THEN
            v_stands := EXISTS (
                SELECT FROM ledger_voucher v WHERE 'voucher:' || v.id = t.key AND v.redeemed_by_id = v_owner
                AND v.id = substr(t.key, 9)::bigint AND v.amount_cents = v_cents AND v.revoked_at IS NULL
                AND (v.alone OR v.confirmed_by_id IS NOT NULL));
        WHEN t.kind = 'adjust' THEN
            v_stands := EXISTS (
                SELECT FROM ledger_adjustment j WHERE t.key = 'adjustment:' || j.id AND t.reference = t.key
                AND j.id = substr(t.key, 12)::bigint AND j.user_id = v_owner
                AND j.amount_cents = v_cents AND j.reason = t.memo AND j.proposed_by_id = t.actor_id
                AND j.confirmed_by_id IS NOT DISTINCT FROM t.approver_id AND (j.proposal_id IS NULL OR EXISTS (
                    SELECT FROM ledger_proposal p WHERE p.id = j.proposal_id AND p.kind = 'adjustment.give'
                    AND p.state = 'done' AND p.proposed_by_id = j.proposed_by_id
                    AND p.decided_by_id = j.confirmed_by_id AND p.reason = j.reason
                    AND p.content @> jsonb_build_object('user', j.user_id, 'amount_cents', j.amount_cents))));
        WHEN t.kind LIKE 'payout\_%' THEN
            v_stands := v_holds = 'payout_hold:' || t.reference AND EXISTS (
                SELECT FROM ledger_payout p
                WHERE t.reference = 'payout:' || p.id AND p.id = substr(t.reference, 8)::bigint AND CASE t.kind
                    WHEN 'payout_request' THEN t.key = t.reference || ':request' AND p.user_id = v_owner
                        AND p.amount_cents = v_held
                    WHEN 'payout_paid' THEN t.key = t.reference || ':resolve' AND p.state = 'paid'
                        AND p.amount_cents = -v_held AND p.closed_by_id = t.actor_id
                    WHEN 'payout_return' THEN t.key = t.reference || ':resolve' AND p.state <> 'paid'
                        AND p.closed_at IS NOT NULL AND p.user_id = v_owner AND p.amount_cents = -v_held
                        AND p.closed_by_id IS NOT DISTINCT FROM t.actor_id
                    END);
        ELSE
            v_stands := false;
    END CASE;
    RETURN CASE WHEN v_stands THEN NULL ELSE 'has no row behind it that says the same' END;
EXCEPTION WHEN invalid_text_representation OR numeric_value_out_of_range THEN
    RETURN 'has no row behind it: its key names none';
END $$;

-- Refuse a transfer in which the function TG_ARGV[0] finds a fault.
CREATE OR REPLACE FUNCTION ledger_transfer_justified() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text;
BEGIN
    EXECUTE format('SELECT %I($1)', TG_ARGV[0]) INTO v_fault USING NEW;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'transfer % (%): %', NEW.key, NEW.kind, v_fault USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind NOT IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct'))
    EXECUTE FUNCTION ledger_transfer_justified('ledger_unjustified');

-- What says why is never taken back.
SELECT rows_stay('ledger_welcome', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_warrant', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_adjustment', 'UPDATE OR DELETE', 'LG009');
