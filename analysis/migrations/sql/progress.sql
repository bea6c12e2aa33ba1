-- The sums of a report and the errors that can be exercises are never altered or deleted.
CREATE OR REPLACE TRIGGER analysis_sum_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_themesum
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_sum_table_stays
    BEFORE TRUNCATE ON analysis_themesum
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_error_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_errorexercise
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_error_table_stays
    BEFORE TRUNCATE ON analysis_errorexercise
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
