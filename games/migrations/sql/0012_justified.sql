-- Transfers of chouettes are not those of matches.
DROP TRIGGER match_transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER match_transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct')
          AND NEW.reference NOT LIKE 'tournament:%' AND NEW.reference NOT LIKE 'chouette:%')
    EXECUTE FUNCTION games_transfer_justified();
