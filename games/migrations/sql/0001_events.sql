-- Events stay as they were written, and their numbers have no gap.
CREATE TRIGGER games_event_rows_stay
    BEFORE UPDATE OR DELETE ON games_tableevent
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
CREATE TRIGGER games_event_table_stays
    BEFORE TRUNCATE ON games_tableevent
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();

CREATE FUNCTION games_event_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> 1 AND NOT EXISTS (
        SELECT 1 FROM games_tableevent WHERE table_id = NEW.table_id AND seq = NEW.seq - 1
    ) THEN
        RAISE EXCEPTION 'event % of table % would leave a gap', NEW.seq, NEW.table_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_event_without_gap
    BEFORE INSERT ON games_tableevent
    FOR EACH ROW EXECUTE FUNCTION games_event_follows();
