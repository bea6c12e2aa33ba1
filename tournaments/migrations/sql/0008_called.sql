-- A pairing is called again after a match without a winner; no call was earlier than it was.
CREATE TRIGGER call_moves_on BEFORE UPDATE ON tournaments_meeting FOR EACH ROW
    WHEN (NEW.called_at < OLD.called_at) EXECUTE FUNCTION tournaments_refuse();
