CREATE OR REPLACE FUNCTION ledger_proposal_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.subject, NEW.permission, NEW.content, NEW.before, NEW.reason,
        NEW.proposed_by_id, NEW.proposed_at)
       IS DISTINCT FROM
       (OLD.id, OLD.kind, OLD.subject, OLD.permission, OLD.content, OLD.before, OLD.reason,
        OLD.proposed_by_id, OLD.proposed_at)
       OR OLD.state <> 'waiting' OR NEW.state = 'waiting' THEN
        RAISE EXCEPTION 'proposal %: it stays as proposed, and is decided once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    NEW.decided_at := statement_timestamp();
    IF (NEW.state = 'lapsed') <> (NEW.decided_at >= OLD.proposed_at + interval '7 days') THEN
        RAISE EXCEPTION 'proposal %: it can be decided for seven days, and lapses then', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'done' THEN
        PERFORM accounts_second_check('proposal ' || OLD.id, OLD.proposed_by_id, NEW.decided_by_id, OLD.permission,
            OLD.proposed_at);
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION ledger_payout_next(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_from
        WHEN 'requested' THEN p_to IN ('approved', 'declined', 'cancelled')
        WHEN 'approved' THEN p_to IN ('paying', 'declined', 'cancelled', 'requested')
        WHEN 'paying' THEN p_to IN ('paid', 'failed', 'cancelled', 'requested')
        ELSE false END
$$;

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

CREATE OR REPLACE FUNCTION ledger_adjustment_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.user_id, NEW.amount_cents, NEW.reason, NEW.alone, NEW.proposed_by_id, NEW.proposed_at)
       IS DISTINCT FROM
       (OLD.id, OLD.user_id, OLD.amount_cents, OLD.reason, OLD.alone, OLD.proposed_by_id, OLD.proposed_at)
       OR OLD.state <> 'proposed' THEN
        RAISE EXCEPTION 'adjustment %: it stays as proposed, and is decided once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'booked' THEN
        PERFORM accounts_second_check('adjustment ' || OLD.id, OLD.proposed_by_id, NEW.decided_by_id,
            'ledger.adjust_credits', OLD.proposed_at);
    END IF;
    RETURN NEW;
END $$;
