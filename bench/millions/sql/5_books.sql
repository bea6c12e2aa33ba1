-- A welcome for everybody; stakes into an escrow and the result for each match that is played for credits.
INSERT INTO ledger_account (key, kind, bounded)
SELECT * FROM (VALUES ('promo_issue:welcome', 'promo_issue', false), ('house_rake', 'house_rake', false)) v(key, kind, b)
WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.key = v.key);
CREATE UNLOGGED TABLE bench_first AS
SELECT (SELECT max(id) FROM ledger_account) AS account, (SELECT max(id) FROM ledger_transfer) AS transfer,
       current_setting('bench.base')::bigint AS base, current_setting('bench.players')::bigint AS people,
       (SELECT id FROM ledger_account WHERE key = 'promo_issue:welcome') AS issue,
       (SELECT id FROM ledger_account WHERE key = 'house_rake') AS rake;
CREATE UNLOGGED TABLE bench_staked AS
SELECT *, row_number() OVER (ORDER BY n) AS number FROM bench_plan WHERE pool = 'prize';

INSERT INTO ledger_transfer (id, key, digest, kind, reference, line_count, created_at)
SELECT f.transfer + i, 'promo:welcome:' || (f.base + i), sha256(i::text::bytea), 'welcome', 'promo:welcome', 2,
       now() - interval '1096 days'
FROM bench_first f, generate_series(1, f.people) i;
INSERT INTO ledger_transfer (id, key, digest, kind, reference, line_count, created_at)
SELECT f.transfer + f.people + 2 * number - 1 + t.nth, 'match:' || match || t.step, sha256(match::text::bytea), t.kind,
       'match:' || match, 3, ended_at - t.before
FROM bench_first f, bench_staked, LATERAL (VALUES (0, ':open', 'stake', interval '8 minutes'),
    (1, ':resolve', 'result', interval '0')) t(nth, step, kind, before);

CREATE UNLOGGED TABLE bench_lines AS
SELECT f.transfer + i AS transfer, l.line, l.account, l.amount
FROM bench_first f, generate_series(1, f.people) i, LATERAL (VALUES
    (1, f.issue, -1000000), (2, f.account + i, 1000000)) l(line, account, amount);
INSERT INTO bench_lines
SELECT f.transfer + f.people + 2 * s.number - 1 + l.nth, l.line, l.account, l.amount
FROM bench_first f, bench_staked s, LATERAL (VALUES
    (0, 1, f.account + s.player_0 - f.base, -10), (0, 2, f.account + s.player_1 - f.base, -10),
    (0, 3, f.account + f.people + s.number, 20),
    (1, 1, f.account + f.people + s.number, -20),
    (1, 2, f.account + (CASE s.winner WHEN 0 THEN s.player_0 ELSE s.player_1 END) - f.base, 18),
    (1, 3, f.rake, 2)) l(nth, line, account, amount);

INSERT INTO ledger_entry (transfer_id, line, account_id, amount_cents, balance_after_cents, account_version)
SELECT l.transfer, l.line, l.account, l.amount, NULL, NULL FROM bench_lines l, bench_first f
WHERE l.account <= f.account;
INSERT INTO ledger_entry (transfer_id, line, account_id, amount_cents, balance_after_cents, account_version)
SELECT * FROM (
    SELECT l.transfer, l.line, l.account, l.amount, sum(l.amount) OVER kept, row_number() OVER kept
    FROM bench_lines l, bench_first f WHERE l.account > f.account
    WINDOW kept AS (PARTITION BY l.account ORDER BY l.transfer, l.line)
) kept ORDER BY 1, 2;

CREATE UNLOGGED TABLE bench_sums AS
SELECT account, sum(amount) AS balance, count(*) AS version FROM bench_lines GROUP BY account;
INSERT INTO ledger_account (id, key, kind, owner_id, bounded, balance_cents, version, created_at)
SELECT f.account + i, 'wallet:' || (f.base + i), 'wallet', f.base + i, true, s.balance, s.version,
       now() - interval '1096 days'
FROM bench_first f, generate_series(1, f.people) i, bench_sums s WHERE s.account = f.account + i;
INSERT INTO ledger_account (id, key, kind, bounded, balance_cents, version, created_at)
SELECT f.account + f.people + s.number, 'escrow:match:' || s.match, 'escrow', true, 0, 2, s.ended_at
FROM bench_first f, bench_staked s;
INSERT INTO ledger_welcome (user_id, amount_cents, given_at)
SELECT f.base + i, 1000000, now() - interval '1096 days' FROM bench_first f, generate_series(1, f.people) i;
-- Of the welcome, 300 have to be played for: as many matches as in a house with real amounts.
INSERT INTO ledger_promo (account_id, account_version, transfer_id, amount_cents)
SELECT f.account + i, 1, f.transfer + i, 300 FROM bench_first f, generate_series(1, f.people) i;
INSERT INTO ledger_snapshot (account_id, upto_transfer_id, balance_cents)
SELECT s.account, (SELECT max(transfer) FROM bench_lines), s.balance FROM bench_sums s, bench_first f
WHERE s.account <= f.account;
SELECT setval('ledger_account_id_seq', (SELECT max(id) FROM ledger_account)),
       setval('ledger_transfer_id_seq', (SELECT max(id) FROM ledger_transfer));
