-- Rows that stay as they were written. TRUNCATE passes where the session says `ledger.allow_truncate = 'test'`,
-- which only a test database is configured to say.
CREATE OR REPLACE FUNCTION games_refuse_mutation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% on % refused: events are never changed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
