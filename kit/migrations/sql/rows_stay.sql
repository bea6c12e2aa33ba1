-- Rows that stay as they were written, and journals without a gap: one text for every app. TRUNCATE passes where the
-- session says `ledger.allow_truncate = 'test'`, which only a test database is configured to say.

-- Refuse, with the error that TG_ARGV[0] names.
CREATE OR REPLACE FUNCTION kit_refuse() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% on % refused: these rows stay as they were written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = coalesce(TG_ARGV[0], 'restrict_violation');
END $$;

-- Refuse TRUNCATE and these changes ('UPDATE OR DELETE', 'UPDATE', 'DELETE') of a table, with this error.
CREATE OR REPLACE FUNCTION rows_stay(
    p_table text, p_changes text DEFAULT 'UPDATE OR DELETE', p_error text DEFAULT 'restrict_violation') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE OR REPLACE TRIGGER refuse_change BEFORE %s ON %I
                    FOR EACH ROW EXECUTE FUNCTION kit_refuse(%L)', p_changes, p_table, p_error);
    EXECUTE format('CREATE OR REPLACE TRIGGER refuse_truncate BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION kit_refuse(%L)', p_table, p_error);
END $$;
REVOKE ALL ON FUNCTION rows_stay(text, text, text) FROM PUBLIC;

-- Events are numbered without a gap within the row that the column TG_ARGV[0] names; it is locked by then.
CREATE OR REPLACE FUNCTION kit_event_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_last int;
BEGIN
    EXECUTE format('SELECT coalesce(max(seq), 0) FROM %I WHERE %I = ($1).%2$I', TG_TABLE_NAME, TG_ARGV[0])
    INTO v_last USING NEW;
    IF NEW.seq <> v_last + 1 THEN
        RAISE EXCEPTION 'event % of % does not follow', NEW.seq, to_jsonb(NEW) ->> TG_ARGV[0]
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

-- The rows of a table are events of the row that a column names: they stay, and follow one another.
CREATE OR REPLACE FUNCTION journal_stays(p_table text, p_owner text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM rows_stay(p_table);
    EXECUTE format('CREATE OR REPLACE TRIGGER event_follows BEFORE INSERT ON %I
                    FOR EACH ROW EXECUTE FUNCTION kit_event_follows(%L)', p_table, p_owner);
END $$;
REVOKE ALL ON FUNCTION journal_stays(text, text) FROM PUBLIC;
