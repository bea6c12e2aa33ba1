-- The opinion of a second engine is never altered or deleted.
CREATE OR REPLACE TRIGGER analysis_opinion_rows_stay
    BEFORE UPDATE OR DELETE ON analysis_opinion
    FOR EACH ROW EXECUTE FUNCTION analysis_refuse_mutation();
CREATE OR REPLACE TRIGGER analysis_opinion_table_stays
    BEFORE TRUNCATE ON analysis_opinion
    FOR EACH STATEMENT EXECUTE FUNCTION analysis_refuse_mutation();
