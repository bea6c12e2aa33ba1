-- What is missing behind the opening of a case: a moderator's word, or what a machine opens one for. What an analysis
-- found is not derived again.
CREATE OR REPLACE FUNCTION fairplay_opening_fault(c fairplay_case, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM fairplay_party p WHERE p.case_id = c.id AND p.role = 'accused') THEN
        RETURN 'accuses nobody';
    ELSIF (c.held_until <= c.opened_at + interval '72 hours' AND c.waits_until <= c.opened_at + interval '14 days'
           AND c.opened_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute') IS NOT TRUE THEN
        RETURN 'has other times than the procedure';
    ELSIF c.opened_by_id IS NOT NULL THEN
        RETURN CASE WHEN NOT person_could(c.opened_by_id, 'fairplay.decide_case', p_at)
            OR NOT journal_says(c.opened_by_id, 'case.open', 'case:' || c.id, jsonb_build_object('kind', c.kind))
            THEN 'user ' || c.opened_by_id || ' did not open it in the journal' END;
    END IF;
    RETURN CASE c.evidence -> 0 ->> 'key'
        WHEN 'reports' THEN CASE WHEN (SELECT count(DISTINCT o.reporter_id) FROM fairplay_complaint o
            WHERE o.case_id = c.id) < 2 THEN 'rests on reports that there are not' END
        WHEN 'net' THEN CASE WHEN NOT EXISTS (
            SELECT FROM ledger_change v WHERE v.table_name = 'fairplay_screening' AND v.content ->> 'level' = 'hold'
              AND v.made_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'
              AND NOT EXISTS (  -- somebody under suspicion who did not play the match that was screened
                  SELECT FROM fairplay_party p
                  JOIN games_match m ON m.id = substring(v.content ->> 'reference' FROM '^match:([0-9a-f-]{36})$')::uuid
                  WHERE p.case_id = c.id AND p.role = 'accused' AND p.user_id NOT IN (m.player_0_id, m.player_1_id)))
            THEN 'rests on a screening that there is not' END
    END;
END $$;
