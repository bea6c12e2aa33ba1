"""I17 and I18, about chouettes, in the database itself: written without a line of the product."""

from typing import Final

from bench.soak.books import Questions

#: asked in the end, when everything is quiet: code, promise, and a query whose rows break it.
QUESTIONS: Final[Questions] = (
    (
        "I17",
        "the escrow of a running game of a chouette holds its stakes, that of an ended one nothing",
        """SELECT g.id, g.ended_at, coalesce(a.balance_cents, 0), stakes.cents
           FROM chouette_game g
           LEFT JOIN ledger_account a ON a.key = 'escrow:chouette:' || g.id
           CROSS JOIN LATERAL (
               SELECT CASE WHEN g.ended_at IS NULL THEN coalesce(sum(s.stake_cents), 0)
                           ELSE 0 END AS cents
               FROM chouette_share s WHERE s.game_id = g.id) stakes
           WHERE coalesce(a.balance_cents, 0) <> stakes.cents""",
    ),
    (
        "I17",
        "what an ended game paid and its rake are its stakes, in the shares and in the books",
        """SELECT g.id, g.rake_cents, shares.staked, shares.paid, booked.* FROM chouette_game g
           CROSS JOIN LATERAL (
               SELECT sum(s.stake_cents) AS staked, sum(coalesce(s.paid_cents, 0)) AS paid
               FROM chouette_share s WHERE s.game_id = g.id) shares
           CROSS JOIN LATERAL (
               SELECT coalesce(-sum(e.amount_cents) FILTER (
                          WHERE t.kind = 'stake' AND a.kind = 'wallet'), 0) AS taken,
                      coalesce(sum(e.amount_cents) FILTER (
                          WHERE t.kind <> 'stake' AND a.kind = 'wallet'), 0) AS given,
                      coalesce(sum(e.amount_cents) FILTER (WHERE a.kind = 'house_rake'), 0) AS raked
               FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
               JOIN ledger_account a ON a.id = e.account_id
               WHERE t.reference = 'chouette:' || g.id) booked
           WHERE g.ended_at IS NOT NULL
             AND (shares.paid + g.rake_cents <> shares.staked
                  OR (booked.taken, booked.given, booked.raked)
                     IS DISTINCT FROM (shares.staked, shares.paid, g.rake_cents::numeric))""",
    ),
    (
        "I18",
        "nobody is paid twice: one transfer takes the stakes of a game, and one resolves them",
        """SELECT t.reference, count(*) FROM ledger_transfer t
           WHERE t.reference LIKE 'chouette:%'
           GROUP BY t.reference, t.kind = 'stake' HAVING count(*) > 1
           UNION ALL
           SELECT t.reference, count(*) FROM ledger_transfer t
           JOIN ledger_entry e ON e.transfer_id = t.id
           WHERE t.reference LIKE 'chouette:%' AND t.kind <> 'stake'
           GROUP BY t.reference, e.account_id HAVING count(*) > 1""",
    ),
    (
        "I18",
        "every settlement of the journal stands in exactly one share, with the same points",
        """WITH journal AS (
               SELECT e.circle_id, e.payload,
                      max((e.payload ->> 'game')::int)
                          FILTER (WHERE e.payload ->> 'type' = 'game_started')
                          OVER (PARTITION BY e.circle_id ORDER BY e.seq) AS number
               FROM chouette_circleevent e),
           said AS (
               SELECT circle_id, number, (payload ->> 'player')::bigint AS member,
                      array_agg((payload ->> 'box_points')::int) AS points
               FROM journal WHERE payload ->> 'type' = 'settled' GROUP BY 1, 2, 3),
           shared AS (
               SELECT g.circle_id, g.number, s.user_id AS member, s.box_points,
                      g.ended_at IS NOT NULL AND NOT g.voided AS settled
               FROM chouette_share s JOIN chouette_game g ON g.id = s.game_id
               WHERE s.user_id <> g.box_id)
           SELECT circle_id, number, member, said.points, shared.box_points
           FROM said FULL JOIN shared USING (circle_id, number, member)
           WHERE shared.member IS NULL OR cardinality(said.points) > 1
              OR shared.settled AND said.points IS DISTINCT FROM ARRAY[shared.box_points]""",
    ),
    (
        "I18",
        "the events of each table count without a gap to the number in its row",
        """SELECT c.id, c.seq, count(e.id), min(e.seq), max(e.seq) FROM chouette_circle c
           LEFT JOIN chouette_circleevent e ON e.circle_id = c.id
           GROUP BY c.id HAVING (count(e.id), count(DISTINCT e.seq), coalesce(max(e.seq), 0))
                  IS DISTINCT FROM (c.seq::bigint, c.seq::bigint, c.seq)""",
    ),
    (
        "I18",
        "the rolls of a game count 0, 1, 2 and on, each once, and each made one event",
        """SELECT g.id, g.next_roll, count(r.id), count(DISTINCT r.n), max(r.n)
           FROM chouette_game g LEFT JOIN chouette_roll r ON r.game_id = g.id
           GROUP BY g.id HAVING (count(r.id), count(DISTINCT r.n), coalesce(max(r.n) + 1, 0))
                  IS DISTINCT FROM (g.next_roll::bigint, g.next_roll::bigint, g.next_roll)
           UNION ALL
           SELECT r.game_id, r.n, r.seq, NULL, NULL FROM chouette_roll r
           JOIN chouette_game g ON g.id = r.game_id
           WHERE NOT EXISTS (SELECT FROM chouette_circleevent e
               WHERE e.circle_id = g.circle_id AND e.seq = r.seq
                 AND e.payload ->> 'type' IN ('rolled_off', 'rolled'))""",
    ),
    (
        "I18",
        "every game of a chouette that has begun comes to its end",
        "SELECT id, circle_id, number FROM chouette_game WHERE ended_at IS NULL",
    ),
)

FINISHED: Final = "SELECT count(*) FROM chouette_game WHERE ended_at IS NOT NULL"
