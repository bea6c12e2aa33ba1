-- A closed table, its match and both players' sides for each row of the plan.
CREATE UNLOGGED TABLE bench_closed AS
SELECT row_number() OVER () - 1 AS number, state, people FROM games_table WHERE phase = 'closed';
CREATE UNLOGGED TABLE bench_terms AS
SELECT * FROM (VALUES ('normal', 'normal', 'backgammon'), ('prize', 'prize5', 'backgammon'),
    ('nackgammon:normal', 'match', 'nackgammon')) v(pool, mode, variant),
LATERAL (SELECT state -> 'terms' AS terms FROM games_table
         WHERE id = current_setting('bench.open_' || CASE v.pool WHEN 'prize' THEN 'staked' ELSE 'free' END)::uuid) t;

INSERT INTO games_table (id, opener_id, guest_id, mode, variant, stake_cents, phase, seq, state, people,
                         created_at, changed_at, version, arranged)
SELECT p.table_id, p.player_0, p.player_1, t.mode, t.variant, CASE p.pool WHEN 'prize' THEN 10 ELSE 0 END,
       'closed', 80, c.state, c.people, p.ended_at - interval '9 minutes', p.ended_at, 80, false
FROM bench_plan p JOIN bench_terms t USING (pool)
JOIN bench_closed c ON c.number = p.n % (SELECT count(*) FROM bench_closed);

INSERT INTO games_match (id, table_id, number, mode, variant, player_0_id, player_1_id, stake_cents, terms,
    rated, winner_seat, ending, points, score, rake_cents, paid_cents, started_at, ended_at)
SELECT p.match, p.table_id, 1, t.mode, t.variant, p.player_0, p.player_1, CASE p.pool WHEN 'prize' THEN 10 ELSE 0 END,
       t.terms, true, p.winner, CASE WHEN n % 9 = 0 THEN 'left' WHEN n % 3 = 0 THEN 'resigned' ELSE 'borne_off' END, 1,
       CASE p.winner WHEN 0 THEN '[1, 0]'::jsonb ELSE '[0, 1]'::jsonb END,
       CASE p.pool WHEN 'prize' THEN 2 ELSE 0 END,
       CASE WHEN p.pool <> 'prize' THEN '[0, 0]' WHEN p.winner = 0 THEN '[18, 0]' ELSE '[0, 18]' END::jsonb,
       p.ended_at - interval '8 minutes', p.ended_at
FROM bench_plan p JOIN bench_terms t USING (pool);

INSERT INTO games_playermatch (match_id, seat, player_id, opponent_id, is_open, ended_at, single_won, gammon_won,
    backgammon_won, single_lost, gammon_lost, backgammon_lost, doubled, taken, dropped)
SELECT p.match, s.seat, s.own, s.other, abs(hashint8(-n)) % 50 <> 0, p.ended_at, (p.winner = s.seat)::int, 0, 0,
       (p.winner <> s.seat)::int, 0, 0, n % 3, n % 2, 0
FROM bench_plan p, LATERAL (VALUES (0, player_0, player_1), (1, player_1, player_0)) s(seat, own, other);
