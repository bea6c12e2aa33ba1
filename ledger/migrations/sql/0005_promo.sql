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
