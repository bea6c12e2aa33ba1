-- Who plays whom: one row a match, in the order in which they end, over three years.
--
-- Every `stride`th match is one of a big player. One in forty pairs two of the last twentieth of the
-- people, who play this one match alone and so share a rating with many. All others meet at random,
-- some much more often than others: a person's place among the busiest is n * r * r. Big players win
-- every second match, so that their ratings stay where they are.
CREATE UNLOGGED TABLE bench_plan AS
WITH size AS (
    SELECT current_setting('bench.base')::bigint AS base, current_setting('bench.players')::bigint AS people,
           current_setting('bench.matches')::bigint AS matches, current_setting('bench.staked')::int AS staked,
           current_setting('bench.big')::bigint AS big,
           greatest(current_setting('bench.matches')::bigint
               / (current_setting('bench.big')::bigint * current_setting('bench.big_matches')::bigint), 1) AS stride
), drawn AS (
    SELECT n, size.*, random() AS r0, random() AS r1, random() AS r2, random() AS r3,
           n % stride = 0 AS is_big, n % 40 = 7 AND n / 40 < people / 40 AS is_once
    FROM size, generate_series(1, matches) n
), met AS (
    SELECT drawn.*, (people * 19) / 20 AS usual,
           CASE WHEN is_big THEN (n / stride) % big
                WHEN is_once THEN (people * 19) / 20 + 2 * (n / 40)
                ELSE floor((people * 19 / 20 - big) * r0 * r0)::bigint + big END AS one,
           CASE WHEN is_once AND NOT is_big THEN (people * 19) / 20 + 2 * (n / 40) + 1
                ELSE floor((people * 19 / 20 - big) * r1 * r1)::bigint + big END AS other
    FROM drawn
), pairs AS (
    SELECT n, matches, is_big, n / stride / big AS turn, is_once AND NOT is_big AS is_once, base + 1 + one AS one, abs(hashint8(n)) % 100 AS kind, staked, r2, r3,
           base + 1 + CASE WHEN other = one THEN big + (other - big + 1) % (usual - big) ELSE other END AS other
    FROM met
)
SELECT n, gen_random_uuid() AS match, gen_random_uuid() AS table_id,
       CASE WHEN n % 2 = 0 THEN one ELSE other END AS player_0,
       CASE WHEN n % 2 = 0 THEN other ELSE one END AS player_1,
       CASE WHEN kind < staked THEN 'prize' WHEN kind < staked + 13 THEN 'nackgammon:normal'
            ELSE 'normal' END AS pool,
       CASE WHEN is_big THEN (turn % 2)::int WHEN r2 < 0.5 THEN 0 ELSE 1 END AS winner,
       CASE WHEN is_once THEN 22.3607 WHEN is_big THEN 2 ELSE round((1 + 8 * r3)::numeric, 4) END AS delta,
       now() - interval '1095 days' * ((matches - n)::float8 / matches) - interval '1 minute' AS ended_at
FROM pairs;
