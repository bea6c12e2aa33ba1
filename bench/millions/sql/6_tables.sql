-- Tables that wait, and tables at which two play now. People who play wait nowhere.
INSERT INTO games_table (id, opener_id, mode, variant, stake_cents, phase, seq, state, people, created_at, changed_at,
                         version, arranged)
SELECT gen_random_uuid(), u.id, t.mode, t.variant, t.stake_cents, 'open', t.seq,
       jsonb_set(t.state, '{seats}', jsonb_build_array(u.id, NULL)),
       jsonb_set(t.people, '{0}', t.people -> 0 || jsonb_build_object('id', u.id, 'name', u.username)),
       now() - interval '1 second' * i, now(), t.version, false
FROM generate_series(1, current_setting('bench.open')::int) i
JOIN accounts_user u ON u.id = current_setting('bench.base')::bigint
    + current_setting('bench.players')::bigint * 6 / 10 + i
JOIN games_table t ON t.id = current_setting(CASE i % 2 WHEN 0 THEN 'bench.open_free' ELSE 'bench.open_staked' END)::uuid;

CREATE UNLOGGED TABLE bench_running AS
SELECT i, gen_random_uuid() AS table_id, gen_random_uuid() AS match,
       current_setting('bench.base')::bigint + 10 + 2 * i AS player_0,
       current_setting('bench.base')::bigint + 11 + 2 * i AS player_1
FROM generate_series(1, current_setting('bench.running')::int) i;
INSERT INTO games_table (id, opener_id, guest_id, mode, variant, stake_cents, phase, seq, state, people, created_at,
                         changed_at, version, arranged)
SELECT r.table_id, r.player_0, r.player_1, t.mode, t.variant, t.stake_cents, t.phase, t.seq,
       jsonb_set(jsonb_set(t.state, '{seats}', jsonb_build_array(r.player_0, r.player_1)),
                 '{match,id}', to_jsonb(r.match::text)),
       jsonb_build_array(t.people -> 0 || jsonb_build_object('id', one.id, 'name', one.username),
                         t.people -> 1 || jsonb_build_object('id', two.id, 'name', two.username)),
       now() - interval '9 minutes', now() - interval '1 millisecond' * i, t.version, false
FROM bench_running r JOIN games_table t ON t.id = current_setting('bench.running_table')::uuid
JOIN accounts_user one ON one.id = r.player_0 JOIN accounts_user two ON two.id = r.player_1;
INSERT INTO games_match (id, table_id, number, mode, variant, player_0_id, player_1_id, stake_cents, terms, rated,
    winner_seat, ending, points, score, started_at)
SELECT r.match, r.table_id, 1, m.mode, m.variant, r.player_0, r.player_1, m.stake_cents, m.terms, true, NULL, '', 0,
       m.score, now() - interval '9 minutes'
FROM bench_running r, games_match m WHERE m.table_id = current_setting('bench.running_table')::uuid;
INSERT INTO games_deadline (table_id, due_at) SELECT table_id, now() + interval '1 day' FROM bench_running;
UPDATE games_deadline SET due_at = now() + interval '1 day';
