CREATE OR REPLACE FUNCTION reason_fairplay_conduct(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL AND (p_was ->> 'at')::timestamptz > p_at - interval '89 days'
             AND NOT fairplay_erased(p_was -> 'user_id') THEN 'is deleted early'
        WHEN p_now IS NOT NULL AND NOT EXISTS (
            SELECT FROM games_match m
            CROSS JOIN LATERAL (SELECT (p_now ->> 'user_id')::bigint
                = CASE m.winner_seat WHEN 0 THEN m.player_1_id ELSE m.player_0_id END AS lost) l
            WHERE m.id = (p_now ->> 'match_id')::uuid
              AND (m.ended_at = (p_now ->> 'at')::timestamptz  -- or it was decided again after its end
                   OR m.ending IN ('voided', 'adjudicated') AND m.ended_at > (p_now ->> 'at')::timestamptz)
              AND to_jsonb(ARRAY[m.player_0_id, m.player_1_id]) @> (p_now -> 'user_id')
              AND CASE p_now ->> 'fault'
                  WHEN '' THEN m.winner_seat IS NULL OR NOT l.lost OR m.ending NOT IN ('left', 'time_over', 'absent')
                      OR EXISTS (SELECT FROM games_outage o WHERE o.began_at <= m.ended_at + interval '10 minutes'
                                 AND o.ended_at >= m.ended_at - interval '10 minutes')
                  ELSE m.ending IN ('voided', 'adjudicated') OR l.lost AND m.ending = p_now ->> 'fault' END)
            THEN 'is otherwise than its match ended' END
$$;
