-- What the sweeps have done for the matches of the last month; tournaments and clubs.
INSERT INTO analysis_job (match_id, depth, queued_at, tries, failure, done_at, seconds)
SELECT p.match, d, p.ended_at, 1, '', p.ended_at + interval '1 minute', 0
FROM bench_plan p, unnest(string_to_array(current_setting('bench.depths'), ',')) d
WHERE p.ended_at > now() - interval '31 days';
INSERT INTO fairplay_screening (reference, stage, level, score, reasons, facts, made_at)
SELECT 'match:' || match, 'known', 'clear', 0, '[]', '{}', ended_at FROM bench_plan
WHERE pool = 'prize' AND ended_at > now() - interval '31 days';
INSERT INTO fairplay_conduct (user_id, match_id, fault, at)
SELECT u, match, '', ended_at FROM bench_plan, LATERAL (VALUES (player_0), (player_1)) s(u)
WHERE ended_at > now() - interval '31 days';

CREATE UNLOGGED TABLE bench_clubs AS
SELECT i, gen_random_uuid() AS id FROM generate_series(1, current_setting('bench.players')::int / 500) i;
INSERT INTO tournaments_club (id, name, about, is_open, founder_id, founded_at)
SELECT id, 'Club ' || i, '', true, current_setting('bench.base')::bigint + i, now() FROM bench_clubs;
INSERT INTO tournaments_membership (club_id, user_id, standing, since)
SELECT id, current_setting('bench.base')::bigint + 1 + (i * 61 + j) % current_setting('bench.players')::int,
       CASE j WHEN 0 THEN 'director' ELSE 'member' END, now()
FROM bench_clubs, generate_series(0, 10 + i % 50) j;

CREATE UNLOGGED TABLE bench_tournaments AS
SELECT i, gen_random_uuid() AS id, CASE WHEN i <= 60 THEN 'registering' WHEN i <= 120 THEN 'running' ELSE 'over' END AS phase
FROM generate_series(1, 120 + current_setting('bench.players')::int / 50) i;
INSERT INTO tournaments_tournament (id, name, members_only, offer, terms, table_terms, fee_cents, rake_bps, shares_bps,
    added_cents, starts_at, commitment, hidden_secret, secret, phase, state, seq, created_at, drawn_at, ended_at, cleared_at)
SELECT b.id, 'Tournament ' || b.i, false, '', t.terms, t.table_terms, t.fee_cents, t.rake_bps, t.shares_bps, 0,
       CASE WHEN b.phase = 'registering' AND b.i % 3 = 0 THEN NULL ELSE now() + interval '1 minute' * (60 - b.i) END,
       t.commitment, t.hidden_secret, CASE b.phase WHEN 'registering' THEN '' ELSE repeat('0', 64) END, b.phase, t.state, t.seq, now() - interval '1 hour' * b.i,
       CASE b.phase WHEN 'registering' THEN NULL ELSE now() - interval '1 minute' * b.i END,
       CASE b.phase WHEN 'over' THEN now() - interval '1 minute' * b.i END,
       CASE b.phase WHEN 'over' THEN now() END
FROM bench_tournaments b, tournaments_tournament t WHERE t.id = current_setting('bench.tournament')::uuid;
INSERT INTO tournaments_entry (tournament_id, user_id, number, part, entered_at)
SELECT b.id, current_setting('bench.base')::bigint + 1 + (b.i * 31 + j) % current_setting('bench.players')::int, j + 1,
       repeat('0', 64), now()
FROM bench_tournaments b, generate_series(0, CASE b.phase WHEN 'registering' THEN 5 ELSE 15 END) j;
