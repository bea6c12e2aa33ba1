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
