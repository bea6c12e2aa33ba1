-- The columns of payouts are others now.
SELECT change_take('ledger_payout');
