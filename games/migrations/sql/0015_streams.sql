CREATE OR REPLACE FUNCTION stream_event_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, public.games_event_text(e.id, e.table_id, e.seq, e.type, e.payload, e.stored_at)
    FROM public.games_tableevent e WHERE e.id > p_from AND e.id <= p_to
    UNION ALL
    SELECT e.id, public.games_event_text(e.id, p.table_id, e.seq, e.type, e.payload, e.stored_at)
    FROM public.games_eventpack p CROSS JOIN LATERAL public.games_events_in(p.events) e
    WHERE int8range(p.first_id, p.last_id, '[]') && int8range(p_from, p_to, '[]') AND e.id > p_from AND e.id <= p_to
$$;
