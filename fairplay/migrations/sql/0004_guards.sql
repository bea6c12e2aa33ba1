DROP TRIGGER refuse_change ON fairplay_opinion;
-- What stands behind the rows of cases (ledger/sql/guarding.sql).

-- An opinion is the word of somebody who had the right, and stands in the journal as theirs.
CREATE FUNCTION reason_fairplay_opinion(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_reviewer bigint := (p_now ->> 'reviewer_id')::bigint;
    v_case bigint := (p_now ->> 'case_id')::bigint;
BEGIN
    RETURN CASE
        WHEN NOT person_could(v_reviewer, 'fairplay.decide_case', p_at)
            THEN 'user ' || v_reviewer || ' had no right to decide cases'
        WHEN EXISTS (SELECT FROM fairplay_case c WHERE c.id = v_case AND c.opened_by_id = v_reviewer)
            THEN 'user ' || v_reviewer || ' opened the case'
        WHEN NOT journal_says(v_reviewer, CASE p_now ->> 'number' WHEN '3' THEN 'case.hear' ELSE 'case.opinion' END,
                'case:' || v_case, jsonb_build_object('opinion', p_now -> 'id'), p_at)
            THEN 'user ' || v_reviewer || ' did not give it in the journal' END;
END $$;
SELECT row_guard('fairplay_opinion', 'id');

-- What the journal says of opinions.
CREATE FUNCTION owed_case_opinion(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'there is no such opinion' WHERE NOT EXISTS (
        SELECT FROM fairplay_opinion o
        WHERE o.id = (p_entry.after ->> 'opinion')::bigint AND o.reviewer_id = p_entry.actor_id
          AND 'case:' || o.case_id = p_entry.subject
          AND p_entry.verb = CASE o.number WHEN 3 THEN 'case.hear' ELSE 'case.opinion' END)
$$;
CREATE FUNCTION owed_case_hear(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$ SELECT owed_case_opinion(p_entry) $$;
