-- A rating change is never altered or deleted.
SELECT rows_stay('ratings_ratingchange');

-- The books seal every rating change (ledger/migrations/sql/seals.sql).

SELECT seal_stream('rating', 'ratings_ratingchange', 'id', 'created');
CREATE OR REPLACE FUNCTION stream_rating_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT c.id, jsonb_build_array('pasch.rating.1', c.id, c.reference, c.kind, c.pool, c.user_id,
        c.opponent_id, c.won, c.n, c.before, c.after, c.experience_before, c.experience_after, c.sequence,
        (extract(epoch FROM c.created) * 1000000)::bigint)::text
    FROM public.ratings_ratingchange c WHERE c.id > p_from AND c.id <= p_to
$$;
