-- The functions that write the books are closed to everybody but their owner; ledger/roles.py opens them to
-- the application's role where there is one.
REVOKE ALL ON FUNCTION
    ledger_post(text, text, text, text[], bigint[], bigint, bigint, text, bigint),
    ledger_accounts_open(text[]),
    ledger_wallet_open(bigint),
    ledger_account_freeze(text, boolean),
    ledger_payout_not_frozen(bigint),
    ledger_seal_cut(text),
    ledger_seal_append(text, bigint),
    ledger_snapshot_take()
FROM PUBLIC;
