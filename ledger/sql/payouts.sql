-- A payout keeps what was asked, goes forward only, and never disagrees with the books.

CREATE FUNCTION ledger_payout_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.user_id, NEW.client_key, NEW.amount_cents, NEW.destination, NEW.note, NEW.four_eyes,
        NEW.requested_at, NEW.not_before)
       IS DISTINCT FROM
       (OLD.id, OLD.user_id, OLD.client_key, OLD.amount_cents, OLD.destination, OLD.note, OLD.four_eyes,
        OLD.requested_at, OLD.not_before) THEN
        RAISE EXCEPTION 'payout %: what was asked for stays', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NOT (CASE OLD.state
        WHEN 'requested' THEN NEW.state IN ('approved', 'declined', 'cancelled')
        WHEN 'approved' THEN NEW.state IN ('paid', 'declined', 'cancelled', 'failed')
        ELSE false END) THEN
        RAISE EXCEPTION 'payout %: from % to % is no step', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'LG009';
    END IF;
    IF OLD.approved_by_id IS NOT NULL AND (NEW.approved_by_id, NEW.approved_at)
       IS DISTINCT FROM (OLD.approved_by_id, OLD.approved_at) THEN
        RAISE EXCEPTION 'payout %: who approved it stays', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'approved' THEN
        NEW.approved_at := statement_timestamp();  -- the database's clock, not the caller's
    ELSE
        NEW.closed_at := statement_timestamp();
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payout_guard BEFORE UPDATE ON ledger_payout
    FOR EACH ROW EXECUTE FUNCTION ledger_payout_guard();

CREATE FUNCTION ledger_payout_starts_requested() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.state <> 'requested' THEN
        RAISE EXCEPTION 'a payout begins as a request' USING ERRCODE = 'LG009';
    END IF;
    NEW.requested_at := statement_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER payout_starts_requested BEFORE INSERT ON ledger_payout
    FOR EACH ROW EXECUTE FUNCTION ledger_payout_starts_requested();

-- When the transaction ends: an open payout has its credits in its hold, a closed one was booked as it says.
CREATE FUNCTION ledger_payout_booked() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_payout ledger_payout;
    v_held bigint;
    v_kind text;
BEGIN
    SELECT * INTO v_payout FROM ledger_payout p WHERE p.id = NEW.id;
    SELECT a.balance_cents INTO v_held FROM ledger_account a
    WHERE a.key = 'payout_hold:payout:' || NEW.id;
    SELECT t.kind INTO v_kind FROM ledger_transfer t WHERE t.key = 'payout:' || NEW.id || ':resolve';
    IF (CASE v_payout.state
        WHEN 'requested' THEN v_held = v_payout.amount_cents
        WHEN 'approved' THEN v_held = v_payout.amount_cents
        WHEN 'paid' THEN v_held = 0 AND v_kind = 'payout_paid'
        ELSE v_held = 0 AND v_kind = 'payout_return' END) IS NOT TRUE THEN
        RAISE EXCEPTION 'payout % is %, and the books say otherwise', NEW.id, v_payout.state
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payout_booked AFTER INSERT OR UPDATE ON ledger_payout
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_payout_booked();

-- A step stays as it was written.
CREATE TRIGGER refuse_change BEFORE UPDATE ON ledger_payoutstep
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();

-- Vouchers and adjustments: decided once, and their amounts stay.
CREATE FUNCTION ledger_voucher_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.code_digest, NEW.amount_cents, NEW.made_by_id, NEW.made_at, NEW.expires_at)
       IS DISTINCT FROM
       (OLD.id, OLD.code_digest, OLD.amount_cents, OLD.made_by_id, OLD.made_at, OLD.expires_at)
       OR OLD.redeemed_by_id IS NOT NULL OR OLD.revoked_by_id IS NOT NULL THEN
        RAISE EXCEPTION 'voucher %: it stays as it was made, and is used once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER voucher_guard BEFORE UPDATE ON ledger_voucher
    FOR EACH ROW EXECUTE FUNCTION ledger_voucher_guard();

CREATE FUNCTION ledger_adjustment_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.user_id, NEW.amount_cents, NEW.reason, NEW.alone, NEW.proposed_by_id, NEW.proposed_at)
       IS DISTINCT FROM
       (OLD.id, OLD.user_id, OLD.amount_cents, OLD.reason, OLD.alone, OLD.proposed_by_id, OLD.proposed_at)
       OR OLD.state <> 'proposed' THEN
        RAISE EXCEPTION 'adjustment %: it stays as proposed, and is decided once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER adjustment_guard BEFORE UPDATE ON ledger_adjustment
    FOR EACH ROW EXECUTE FUNCTION ledger_adjustment_guard();

-- Nothing of the desk is deleted.
DO $$
DECLARE v_table text;
BEGIN
    FOREACH v_table IN ARRAY ARRAY['payout', 'payoutstep', 'voucher', 'adjustment'] LOOP
        EXECUTE format('CREATE TRIGGER refuse_delete BEFORE DELETE ON ledger_%I
                        FOR EACH ROW EXECUTE FUNCTION ledger_refuse()', v_table);
        EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON ledger_%I
                        FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse()', v_table);
    END LOOP;
END $$;
