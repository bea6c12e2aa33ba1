"""Events stay as they were written, and their numbers have no gap.

TRUNCATE is let through only where the session says `ledger.allow_truncate = 'test'`, which the
test database alone is configured to say: test runners empty tables between tests.
"""

from django.db import migrations

FORWARD = """
CREATE FUNCTION games_refuse_mutation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% on % refused: events are never changed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
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
"""

BACKWARD = """
DROP TRIGGER games_event_without_gap ON games_tableevent;
DROP TRIGGER games_event_table_stays ON games_tableevent;
DROP TRIGGER games_event_rows_stay ON games_tableevent;
DROP FUNCTION games_event_follows();
DROP FUNCTION games_refuse_mutation();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
