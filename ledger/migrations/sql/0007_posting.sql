-- The house adds credits to an escrow; what it added comes back where the escrow is void.
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
