-- What the journal says of holds that two people have prolonged: by their proposal, until then.
CREATE OR REPLACE FUNCTION owed_hold_prolong(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'two people did not hold it until then' WHERE NOT EXISTS (
        SELECT FROM ledger_proposal p
        WHERE p.id = (p_entry.after ->> 'proposal')::bigint AND p.kind = p_entry.verb AND p.state = 'done'
          AND p.subject = p_entry.subject AND p.permission = 'fairplay.decide_case'
          AND p.decided_by_id = p_entry.actor_id AND p.proposed_by_id = (p_entry.after ->> 'first')::bigint
          AND p.reason = p_entry.reason)
        OR NOT EXISTS (
            SELECT FROM ledger_hold h WHERE h.reference LIKE p_entry.subject || ':%'
              AND h.ends_at >= (p_entry.after ->> 'until')::timestamptz)
$$;
-- Credits are held of the accused alone: for 72 hours, for 72 more where two people said so while the case was open, then
-- as long as a verdict with refunds waits for its next step.
-- They are released when the case is over without refunds, or a match was taken back.
CREATE OR REPLACE FUNCTION reason_ledger_hold(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    h ledger_hold := jsonb_populate_record(NULL::ledger_hold, p_now);
    v_case bigint := substring(h.reference FROM '^case:(\d+):');
    v_match text := substring(h.reference FROM '^case:\d+:match:(.*)$');
BEGIN
    IF NOT EXISTS (SELECT FROM fairplay_case c WHERE c.id = v_case) OR v_case IS NULL THEN
        RETURN 'names no case';
    ELSIF p_was IS NULL THEN
        RETURN CASE
            WHEN NOT fairplay_accused(v_case, h.user_id) THEN 'is of somebody whom its case does not accuse'
            WHEN h.released_at IS NOT NULL OR h.ends_at > p_at + interval '72 hours 1 minute'
                OR NOT EXISTS (SELECT FROM fairplay_stood(v_case, p_at) c WHERE c.state = 'open')
                THEN 'is longer than 72 hours, or of no open case' END;
    ELSIF p_was ->> 'released_at' IS NULL AND h.released_at IS NOT NULL THEN
        RETURN 'is released, and its case is not over' WHERE NOT (
            EXISTS (SELECT FROM fairplay_stood(v_case, p_at) c WHERE c.state <> 'open' AND NOT c.refund)
            OR EXISTS (SELECT FROM fairplay_casematch m
                       WHERE m.case_id = v_case AND m.match_id::text = v_match AND m.refunded_at IS NOT NULL));
    END IF;
    RETURN 'is longer than its case waits' WHERE NOT EXISTS (
        SELECT FROM fairplay_stood(v_case, p_at) c
        WHERE c.refund AND h.ends_at <= coalesce(c.waits_until, p_at + interval '14 days 1 minute')
           OR c.state = 'open' AND h.ends_at <= least(
                  c.waits_until, (p_was ->> 'ends_at')::timestamptz + interval '72 hours') AND EXISTS (
              SELECT FROM ledger_journalentry j
              WHERE j.verb = 'hold.prolong' AND j.subject = 'case:' || c.id
                AND h.ends_at <= (j.after ->> 'until')::timestamptz AND owed_hold_prolong(j) IS NULL
                AND j.created_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'));
END $$;

