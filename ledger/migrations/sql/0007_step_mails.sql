-- A step stays as it was written.
DROP TRIGGER payout_step_guard ON ledger_payoutstep;
DROP FUNCTION ledger_payout_step_guard();
CREATE TRIGGER refuse_change BEFORE UPDATE ON ledger_payoutstep
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
