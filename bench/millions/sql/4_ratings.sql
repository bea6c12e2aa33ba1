-- Both players' changes of each match, in one chain for each person and pool, and where they end.
INSERT INTO ratings_ratingchange (reference, kind, pool, user_id, opponent_id, won, n, before, after,
    experience_before, experience_after, sequence, created)
SELECT 'match:' || match, 'result', pool, own, other, won, 1, after - moved, after, sequence - 1, sequence, sequence,
       ended_at
FROM (
    SELECT p.*, s.*, row_number() OVER chain AS sequence, 1500 + sum(moved) OVER chain AS after
    FROM bench_plan p, LATERAL (VALUES
        (0, player_0, player_1, winner = 0, CASE winner WHEN 0 THEN delta ELSE -delta END),
        (1, player_1, player_0, winner = 1, CASE winner WHEN 1 THEN delta ELSE -delta END)
    ) s(seat, own, other, won, moved)
    WINDOW chain AS (PARTITION BY own, pool ORDER BY n)
) chained ORDER BY n, won DESC;

INSERT INTO ratings_rating (user_id, pool, elo, experience, games, changes)
SELECT user_id, pool, 1500 + sum(after - before), count(*), count(*), count(*)
FROM ratings_ratingchange WHERE user_id > current_setting('bench.base')::bigint GROUP BY user_id, pool;
