-- An answer about a position is never altered or deleted.
CREATE OR REPLACE TRIGGER analysis_answer_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_positionanswer
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_answer_table_stays
    BEFORE TRUNCATE ON analysis_positionanswer
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
