-- The books seal every event of a tournament (ledger/migrations/sql/seals.sql).

SELECT seal_stream('tournament', 'tournaments_tournamentevent', 'id', 'stored_at');
CREATE OR REPLACE FUNCTION stream_tournament_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, jsonb_build_array('pasch.tournament.1', e.id, e.tournament_id, e.seq, e.payload,
        public.ledger_micros(e.stored_at))::text
    FROM public.tournaments_tournamentevent e WHERE e.id > p_from AND e.id <= p_to
$$;
