-- What the books seal of the games (ledger/migrations/sql/seals.sql): events, rolls, and the public log of openings. An event
-- and a roll have the same text in their rows and in packs (packs.sql, roll_packs.sql), so a seal verifies before and
-- after packing.

SELECT seal_stream('event', 'games_tableevent', 'id', 'stored_at');
CREATE OR REPLACE FUNCTION stream_event_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, public.games_event_text(e.id, e.table_id, e.seq, e.type, e.payload, e.stored_at)
    FROM public.games_tableevent e WHERE e.id > p_from AND e.id <= p_to
    UNION ALL
    SELECT e.id, public.games_event_text(e.id, p.table_id, e.seq, e.type, e.payload, e.stored_at)
    FROM public.games_eventpack p CROSS JOIN LATERAL public.games_events_in(p.events) e
    WHERE int8range(p.first_id, p.last_id, '[]') && int8range(p_from, p_to, '[]') AND e.id > p_from AND e.id <= p_to
$$;

SELECT seal_stream('roll', 'games_diceroll', 'id', 'rolled_at');
CREATE OR REPLACE FUNCTION stream_roll_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT r.id, public.games_roll_text(r.id, r.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice,
                                        r.seq, r.rolled_at)
    FROM public.games_diceroll r WHERE r.id > p_from AND r.id <= p_to
    UNION ALL
    SELECT r.id, public.games_roll_text(r.id, p.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice,
                                        r.seq, r.rolled_at)
    FROM public.games_rollpack p
    CROSS JOIN LATERAL public.games_rolls_in(p.game_id, p.rolls, p.house, p.white, p.black) r
    WHERE int8range(p.first_id, p.last_id, '[]') && int8range(p_from, p_to, '[]') AND r.id > p_from AND r.id <= p_to
$$;

SELECT seal_stream('opening', 'games_dicelogentry', 'number', 'logged_at');
CREATE OR REPLACE FUNCTION stream_opening_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT o.number, jsonb_build_array('pasch.opening.1', o.number, o.game_id, o.open_hash, o.previous,
        o.hash, public.ledger_micros(o.logged_at))::text
    FROM public.games_dicelogentry o WHERE o.number > p_from AND o.number <= p_to
$$;
