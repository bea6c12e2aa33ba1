-- An exercise is never altered or deleted. A try is never altered, except that a visitor who logs in
-- takes theirs along; it goes with its person.
CREATE OR REPLACE FUNCTION analysis_try_stays() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF OLD.person_id IS NULL AND NEW.person_id IS NOT NULL
        AND (OLD.id, OLD.exercise_id, OLD.decision_id, OLD.answer, OLD.loss, OLD.at)
            IS NOT DISTINCT FROM
            (NEW.id, NEW.exercise_id, NEW.decision_id, NEW.answer, NEW.loss, NEW.at)
        AND (NEW.day IS NULL OR NEW.day = OLD.day)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on % refused: tries are append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
SELECT rows_stay('analysis_exercise');
CREATE OR REPLACE TRIGGER analysis_try_rows_stay
    BEFORE UPDATE ON analysis_exercisetry
    FOR EACH ROW EXECUTE FUNCTION analysis_try_stays();

-- A report and its decisions are never altered or deleted.
SELECT rows_stay('analysis_report');
SELECT rows_stay('analysis_decisionrow');

-- The opinion of a second engine is never altered or deleted.
SELECT rows_stay('analysis_opinion');

-- An answer about a position is never altered or deleted.
SELECT rows_stay('analysis_positionanswer');

-- The sums of a report and the errors that can be exercises are never altered or deleted.
SELECT rows_stay('analysis_themesum');
SELECT rows_stay('analysis_errorexercise');
