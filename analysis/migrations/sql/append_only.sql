-- A report and its decisions are never altered or deleted. TRUNCATE passes where the session says
-- `ledger.allow_truncate = 'test'`, which only a test database is configured to say.
CREATE OR REPLACE FUNCTION analysis_refuse_mutation() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% on % refused: an analysis is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER analysis_report_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_report
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_report_table_stays
    BEFORE TRUNCATE ON analysis_report
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_decision_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_decisionrow
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_decision_table_stays
    BEFORE TRUNCATE ON analysis_decisionrow
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
