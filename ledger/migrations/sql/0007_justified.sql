DROP TRIGGER transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind NOT IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct'))
    EXECUTE FUNCTION ledger_transfer_justified();
