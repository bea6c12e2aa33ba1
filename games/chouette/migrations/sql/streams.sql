-- The books seal every event and every roll of a chouette (ledger/migrations/sql/seals.sql).

SELECT seal_stream('chouette', 'chouette_circleevent', 'id', 'stored_at');
CREATE OR REPLACE FUNCTION stream_chouette_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, jsonb_build_array('pasch.chouette.1', e.id, e.circle_id, e.seq, e.payload,
        public.ledger_micros(e.stored_at))::text
    FROM public.chouette_circleevent e WHERE e.id > p_from AND e.id <= p_to
$$;

SELECT seal_stream('chouetteroll', 'chouette_roll', 'id', 'rolled_at');
CREATE OR REPLACE FUNCTION stream_chouetteroll_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT r.id, jsonb_build_array('pasch.chouetteroll.1', r.id, r.game_id, r.n, r.kind, r.flags, r.house, r.white,
        r.black, r.dice, r.seq, public.ledger_micros(r.rolled_at))::text
    FROM public.chouette_roll r WHERE r.id > p_from AND r.id <= p_to
$$;
