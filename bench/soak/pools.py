"""I14 to I16, and dice of I7, about tournaments, in the database itself, without the product."""

from typing import Final

from bench.soak.books import Questions

#: asked in the end, when everything is quiet: code, promise, and a query whose rows break it.
QUESTIONS: Final[Questions] = (
    (
        "I7",
        "nobody can know a coming roll where there is a fee: its dice are of mode L",
        """SELECT d.id, d.mode, t.id FROM games_gamedice d
           JOIN tournaments_meeting m ON m.match_id = d.match_id
           JOIN tournaments_tournament t ON t.id = m.tournament_id
           WHERE t.fee_cents > 0 AND d.mode <> 'L'""",
    ),
    (
        "I14",
        "no pool is left over: an open tournament's escrow holds its fees, an ended one nothing",
        """SELECT t.id, t.phase, coalesce(a.balance_cents, 0), fees.cents
           FROM tournaments_tournament t
           LEFT JOIN ledger_account a ON a.key = 'escrow:tournament:' || t.id
           CROSS JOIN LATERAL (
               SELECT CASE WHEN t.phase IN ('over', 'called_off') THEN 0
                           ELSE t.fee_cents * count(*) END AS cents
               FROM tournaments_entry e
               WHERE e.tournament_id = t.id AND e.withdrawn_at IS NULL) fees
           WHERE coalesce(a.balance_cents, 0) <> fees.cents""",
    ),
    (
        "I14",
        "prizes, rake and what went back are the fees that came in",
        """SELECT t.reference, sum(e.amount_cents) FROM ledger_transfer t
           JOIN ledger_entry e ON e.transfer_id = t.id
           JOIN ledger_account a ON a.id = e.account_id
           JOIN tournaments_tournament x ON 'tournament:' || x.id = t.reference
           WHERE a.kind IN ('wallet', 'house_rake') AND x.phase IN ('over', 'called_off')
           GROUP BY t.reference HAVING sum(e.amount_cents) <> 0""",
    ),
    (
        "I15",
        "nobody is paid twice: one decision a pool, one fee in and one back for each entry",
        """SELECT t.reference, count(*) FROM ledger_transfer t
           WHERE t.reference LIKE 'tournament:%' AND t.kind IN ('result', 'void')
           GROUP BY t.reference HAVING count(*) > 1
           UNION ALL
           SELECT t.reference, count(*) FROM ledger_transfer t
           JOIN ledger_entry e ON e.transfer_id = t.id
           WHERE t.kind IN ('result', 'void') AND t.reference LIKE 'tournament:%'
           GROUP BY t.reference, e.account_id HAVING count(*) > 1
           UNION ALL
           SELECT t.reference, count(*) - (
               SELECT count(*) FROM tournaments_entry n
               WHERE 'tournament:' || n.tournament_id = t.reference)
           FROM ledger_transfer t JOIN tournaments_tournament x
                ON 'tournament:' || x.id = t.reference
           WHERE t.kind = 'stake' GROUP BY t.reference, x.id
           HAVING count(*) <> (SELECT count(*) FROM tournaments_entry n
                               WHERE n.tournament_id = x.id)""",
    ),
    (
        "I16",
        "no pairing is lost: each one of the journal has its row, and the same result",
        """SELECT e.tournament_id, e.payload ->> 'number' FROM tournaments_tournamentevent e
           WHERE e.payload ->> 'type' = 'paired' AND NOT EXISTS (
               SELECT FROM tournaments_meeting m WHERE m.tournament_id = e.tournament_id
               AND m.number = (e.payload ->> 'number')::int)
           UNION ALL
           SELECT m.tournament_id, m.number::text FROM tournaments_meeting m
           WHERE NOT m.undone AND (m.decided_at IS NOT NULL) <> EXISTS (
               SELECT FROM tournaments_tournamentevent e WHERE e.tournament_id = m.tournament_id
               AND e.payload ->> 'type' = 'decided' AND (e.payload ->> 'number')::int = m.number)
           UNION ALL
           SELECT m.tournament_id, m.number::text || ' ended' FROM tournaments_meeting m
           JOIN games_match g ON g.id = m.match_id
           WHERE m.decided_at IS NULL AND NOT m.undone AND g.ended_at < now() - interval '20 s'""",
    ),
    (
        "I16",
        "every tournament that has begun comes to its end",
        "SELECT id, name FROM tournaments_tournament WHERE phase = 'running'",
    ),
)

FINISHED: Final = "SELECT count(*) FROM tournaments_tournament WHERE phase = 'over'"
