-- A gain is clear once its result was screened; one that waits, once its matches are analysed or its time is over
-- (fairplay/clearing.py). Screenings are kept for 180 days: what is older is not derived again.
CREATE OR REPLACE FUNCTION reason_ledger_clearance(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_at < now() - interval '170 days' THEN NULL
        WHEN NOT EXISTS (SELECT FROM fairplay_screening s WHERE s.reference = p_now ->> 'reference')
            THEN 'names no result that was screened'
        WHEN EXISTS (
            SELECT FROM fairplay_wait w WHERE w.reference = p_now ->> 'reference'
              AND w.user_id = (p_now ->> 'user_id')::bigint AND w.until > p_at + interval '1 minute')
            AND NOT EXISTS (
            SELECT FROM fairplay_screening s
            WHERE s.reference = p_now ->> 'reference' AND s.stage = 'analysed') THEN 'still waits for its analysis' END
$$;
SELECT row_guard('ledger_clearance', 'reference, user_id');
