-- Events stay as they were written, and their numbers have no gap. They leave their table only for a pack
-- (packs.sql).
SELECT rows_stay('games_tableevent', 'UPDATE');

CREATE OR REPLACE FUNCTION games_event_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> 1 AND EXISTS (
        SELECT 1 FROM games_tableevent WHERE table_id = NEW.table_id AND seq = NEW.seq - 1
    ) THEN
        RETURN NEW;
    END IF;
    -- The first row: of the table, or after its pack.
    IF NEW.seq <> 1 + coalesce((
        SELECT max(e.seq) FROM games_eventpack p CROSS JOIN LATERAL games_events_in(p.events) e
        WHERE p.table_id = NEW.table_id), 0) THEN
        RAISE EXCEPTION 'event % of table % would leave a gap', NEW.seq, NEW.table_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER games_event_without_gap
    BEFORE INSERT ON games_tableevent
    FOR EACH ROW EXECUTE FUNCTION games_event_follows();

-- Every change of a table's row counts its version, whoever makes the change and however.
CREATE OR REPLACE FUNCTION games_table_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER games_table_version
    BEFORE UPDATE ON games_table
    FOR EACH ROW EXECUTE FUNCTION games_table_counts();

-- Every version of a match is logged by the books (ledger/migrations/sql/watched.sql).
SELECT change_watch('games_match', 'id');
