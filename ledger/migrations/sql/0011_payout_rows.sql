-- Rows from before payouts were taken to be paid: the one who ended a payment had taken it.
DROP TRIGGER payout_guard ON ledger_payout;
UPDATE ledger_payout SET claimed_by_id = closed_by_id, claimed_at = closed_at WHERE state IN ('paid', 'failed');
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;

-- The promotional credits that were given before.
INSERT INTO ledger_promo (account_id, account_version, transfer_id, amount_cents)
SELECT e.account_id, e.account_version, e.transfer_id, e.amount_cents
FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
WHERE t.kind IN ('welcome', 'voucher', 'grant') AND e.account_version IS NOT NULL;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
