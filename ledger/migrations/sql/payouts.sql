-- A payout keeps what was asked, goes forward only, stops at a freeze, and never disagrees with the books.

-- The steps there are: the same as STATES in ledger/payout_states.py.
CREATE OR REPLACE FUNCTION ledger_payout_next(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_from
        WHEN 'requested' THEN p_to IN ('approved', 'declined', 'cancelled')
        WHEN 'approved' THEN p_to IN ('paying', 'declined', 'cancelled', 'requested')
        WHEN 'paying' THEN p_to IN ('paid', 'failed', 'cancelled', 'requested')
        ELSE false END
$$;

-- Locks the player's wallet, so that no freeze comes in between, and refuses a frozen one.
-- Runs as the owner: the application's role may not lock rows of the books.
CREATE OR REPLACE FUNCTION ledger_payout_not_frozen(p_user bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_frozen boolean;
BEGIN
    SELECT a.frozen INTO v_frozen FROM ledger_account a WHERE a.key = 'wallet:' || p_user FOR NO KEY UPDATE;
    IF v_frozen IS NULL THEN
        RAISE EXCEPTION 'there is no account wallet:%', p_user
            USING ERRCODE = 'LG004', DETAIL = json_build_object('account', 'wallet:' || p_user);
    END IF;
    IF v_frozen THEN
        RAISE EXCEPTION 'wallet:% is frozen', p_user
            USING ERRCODE = 'LG003', DETAIL = json_build_object('account', 'wallet:' || p_user);
    END IF;
END $$;

-- Refuses a payout that is taken or paid on an approval that no longer stands, or by the one who gave it.
CREATE OR REPLACE FUNCTION ledger_payout_approval_stands(p_payout ledger_payout) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF p_payout.four_eyes THEN
        PERFORM accounts_second_check('payout ' || p_payout.id, p_payout.approved_by_id, p_payout.claimed_by_id,
            'ledger.decide_payout', p_payout.approved_at);
    ELSIF accounts_first_fault(p_payout.approved_by_id, 'ledger.decide_payout', p_payout.approved_at) IS NOT NULL THEN
        RAISE EXCEPTION 'payout %: its approval no longer stands', p_payout.id USING ERRCODE = 'LG009';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION ledger_payout_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_now timestamptz := statement_timestamp();  -- the database's clock, not the caller's
BEGIN
    IF (NEW.id, NEW.user_id, NEW.client_key, NEW.amount_cents, NEW.destination, NEW.note, NEW.four_eyes,
        NEW.requested_at, NEW.large_from_cents, NEW.wait_hours, NEW.not_before)
       IS DISTINCT FROM
       (OLD.id, OLD.user_id, OLD.client_key, OLD.amount_cents, OLD.destination, OLD.note, OLD.four_eyes,
        OLD.requested_at, OLD.large_from_cents, OLD.wait_hours, OLD.not_before) THEN
        RAISE EXCEPTION 'payout %: what was asked for stays', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF OLD.approved_by_id IS NOT NULL AND NEW.state <> 'requested' AND (NEW.approved_by_id, NEW.approved_at)
       IS DISTINCT FROM (OLD.approved_by_id, OLD.approved_at) THEN
        RAISE EXCEPTION 'payout %: who approved it stays', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = OLD.state THEN
        IF (NEW.approved_by_id, NEW.closed_by_id, NEW.closed_at, NEW.reason, NEW.receipt)
           IS DISTINCT FROM (OLD.approved_by_id, OLD.closed_by_id, OLD.closed_at, OLD.reason, OLD.receipt)
           OR NOT (CASE
            WHEN NEW.claimed_by_id IS DISTINCT FROM OLD.claimed_by_id  -- another one takes it over
            THEN OLD.state = 'paying' AND OLD.claimed_at < v_now - interval '24 hours'
                 AND NEW.cancel_asked_at IS NOT DISTINCT FROM OLD.cancel_asked_at
            ELSE OLD.state IN ('approved', 'paying') AND OLD.cancel_asked_at IS NULL  -- the player's wish
                 AND NEW.cancel_asked_at IS NOT NULL AND NEW.claimed_at IS NOT DISTINCT FROM OLD.claimed_at
            END) THEN
            RAISE EXCEPTION 'payout %: nothing else changes while it is %', OLD.id, OLD.state
                USING ERRCODE = 'LG009';
        END IF;
        IF NEW.claimed_by_id IS DISTINCT FROM OLD.claimed_by_id THEN
            PERFORM ledger_payout_not_frozen(NEW.user_id);
            PERFORM ledger_payout_approval_stands(NEW);
            NEW.claimed_at := v_now;
        ELSE
            NEW.cancel_asked_at := v_now;
        END IF;
        RETURN NEW;
    END IF;
    IF NOT ledger_payout_next(OLD.state, NEW.state) THEN
        RAISE EXCEPTION 'payout %: from % to % is no step', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'requested' AND accounts_first_fault(
            OLD.approved_by_id, 'ledger.decide_payout', OLD.approved_at) IS NULL THEN
        RAISE EXCEPTION 'payout %: its approval stands', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NEW.cancel_asked_at IS DISTINCT FROM OLD.cancel_asked_at
       OR (NEW.state NOT IN ('paying', 'requested') AND (NEW.claimed_by_id, NEW.claimed_at)
           IS DISTINCT FROM (OLD.claimed_by_id, OLD.claimed_at)) THEN
        RAISE EXCEPTION 'payout %: who takes it and who asks to cancel is a step of its own', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'paying' AND OLD.cancel_asked_at IS NOT NULL THEN
        RAISE EXCEPTION 'payout %: its player asks to cancel, nobody takes it', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'cancelled' AND OLD.state <> 'requested' AND NEW.closed_by_id = NEW.user_id THEN
        RAISE EXCEPTION 'payout %: once it is approved an administrator cancels it', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state IN ('approved', 'paying', 'paid') THEN
        PERFORM ledger_payout_not_frozen(NEW.user_id);
    END IF;
    IF NEW.state IN ('paying', 'paid') THEN
        PERFORM ledger_payout_approval_stands(NEW);
    END IF;
    CASE NEW.state
        WHEN 'requested' THEN NULL;  -- back to be approved
        WHEN 'approved' THEN NEW.approved_at := v_now;
        WHEN 'paying' THEN NEW.claimed_at := v_now;
        ELSE NEW.closed_at := v_now;
    END CASE;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER payout_guard BEFORE UPDATE ON ledger_payout
    FOR EACH ROW EXECUTE FUNCTION ledger_payout_guard();

-- A new payout waits when all that its player asks for within 24 hours is large; two at once wait for each other.
CREATE OR REPLACE FUNCTION ledger_payout_starts_requested() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_day_cents bigint;
BEGIN
    IF NEW.state <> 'requested' THEN
        RAISE EXCEPTION 'a payout begins as a request' USING ERRCODE = 'LG009';
    END IF;
    IF NEW.destination ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]'
       OR NEW.note ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]' THEN
        RAISE EXCEPTION 'a payout goes to what can be read' USING ERRCODE = 'LG006';
    END IF;
    PERFORM ledger_payout_not_frozen(NEW.user_id);
    NEW.requested_at := statement_timestamp();
    SELECT coalesce(sum(p.amount_cents), 0) + NEW.amount_cents INTO v_day_cents FROM ledger_payout p
    WHERE p.user_id = NEW.user_id AND p.requested_at > NEW.requested_at - interval '24 hours'
      AND p.state IN ('requested', 'approved', 'paying', 'paid');
    NEW.not_before := NEW.requested_at + CASE WHEN v_day_cents >= NEW.large_from_cents
        THEN make_interval(hours => NEW.wait_hours) ELSE interval '0' END;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER payout_starts_requested BEFORE INSERT ON ledger_payout
    FOR EACH ROW EXECUTE FUNCTION ledger_payout_starts_requested();

-- When the transaction ends: an open payout has its credits in its hold, a closed one was booked as it says.
CREATE OR REPLACE FUNCTION ledger_payout_booked() RETURNS trigger LANGUAGE plpgsql
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
        WHEN 'paying' THEN v_held = v_payout.amount_cents
        WHEN 'paid' THEN v_held = 0 AND v_kind = 'payout_paid'
        ELSE v_held = 0 AND v_kind = 'payout_return' END) IS NOT TRUE THEN
        RAISE EXCEPTION 'payout % is %, and the books say otherwise', NEW.id, v_payout.state
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS payout_booked ON ledger_payout;
CREATE CONSTRAINT TRIGGER payout_booked AFTER INSERT OR UPDATE ON ledger_payout
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_payout_booked();

-- A step stays as it was written.
SELECT rows_stay('ledger_payoutstep', 'UPDATE OR DELETE', 'LG009');

-- Vouchers and adjustments: decided once, and their amounts stay.
CREATE OR REPLACE FUNCTION ledger_voucher_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.code_digest, NEW.amount_cents, NEW.made_by_id, NEW.made_at, NEW.expires_at, NEW.alone)
       IS DISTINCT FROM
       (OLD.id, OLD.code_digest, OLD.amount_cents, OLD.made_by_id, OLD.made_at, OLD.expires_at, OLD.alone)
       OR OLD.redeemed_by_id IS NOT NULL OR OLD.revoked_by_id IS NOT NULL THEN
        RAISE EXCEPTION 'voucher %: it stays as it was made, and is used once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    IF OLD.confirmed_by_id IS NOT NULL AND (NEW.confirmed_by_id, NEW.confirmed_at)
       IS DISTINCT FROM (OLD.confirmed_by_id, OLD.confirmed_at) THEN
        RAISE EXCEPTION 'voucher %: who confirmed it stays', OLD.id USING ERRCODE = 'LG009';
    END IF;
    IF OLD.confirmed_by_id IS NULL AND NEW.confirmed_by_id IS NOT NULL THEN
        NEW.confirmed_at := statement_timestamp();  -- the database's clock, not the caller's
        PERFORM accounts_second_check('voucher ' || OLD.id, OLD.made_by_id, NEW.confirmed_by_id, 'ledger.make_voucher',
            OLD.made_at);
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER voucher_guard BEFORE UPDATE ON ledger_voucher
    FOR EACH ROW EXECUTE FUNCTION ledger_voucher_guard();

CREATE OR REPLACE FUNCTION ledger_voucher_starts_unused() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.confirmed_by_id IS NOT NULL OR NEW.redeemed_by_id IS NOT NULL OR NEW.revoked_by_id IS NOT NULL THEN
        RAISE EXCEPTION 'a voucher begins unconfirmed and unused' USING ERRCODE = 'LG009';
    END IF;
    NEW.made_at := statement_timestamp();  -- the database's clock, not the caller's
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER voucher_starts_unused BEFORE INSERT ON ledger_voucher
    FOR EACH ROW EXECUTE FUNCTION ledger_voucher_starts_unused();

-- Nothing of the desk is deleted.
SELECT rows_stay('ledger_payout', 'DELETE', 'LG009');
SELECT rows_stay('ledger_voucher', 'DELETE', 'LG009');
