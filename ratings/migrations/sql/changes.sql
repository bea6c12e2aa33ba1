-- A rating change is never altered or deleted. TRUNCATE passes where the session says
-- `ledger.allow_truncate = 'test'`, which only a test database is configured to say.
CREATE OR REPLACE FUNCTION ratings_refuse_mutation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% on % refused: the log of rating changes is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER ratings_change_rows_stay
    BEFORE UPDATE OR DELETE ON ratings_ratingchange
    FOR EACH ROW EXECUTE FUNCTION ratings_refuse_mutation();
CREATE OR REPLACE TRIGGER ratings_change_table_stays
    BEFORE TRUNCATE ON ratings_ratingchange
    FOR EACH STATEMENT EXECUTE FUNCTION ratings_refuse_mutation();
