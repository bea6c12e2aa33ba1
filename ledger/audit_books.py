"""The checks of the books, A1 to A15: each is one query whose rows are the findings.

The same query serves the whole audit and the recent one: `since` is the last transfer that needs no
look any more, 0 for the whole books. What an account adds up to is proved for every account that a
later transfer touched, over all of its entries. In an audit in turns the id of a transfer, an
account or a snapshot gives the part that it belongs to.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from django.db import connection
from django.utils.translation import gettext_noop

from ledger.audit import AuditFinding, AuditMark, AuditTurn, register

_TOUCHED = """(%(since)s = 0 OR a.id IN (
            SELECT account_id FROM ledger_entry WHERE transfer_id > %(since)s))"""
_TOUCHED_IN_TURNS = f"({_TOUCHED} OR a.id %% %(of)s = ANY (%(parts)s))"

_LATER: Final = re.compile(r"\b(\w+\.(?:transfer_)?id) > %\(since\)s")
"""How a query names the transfers to look at."""

# Each query answers (row, message) for everything that is wrong.
_QUERIES: dict[str, tuple[str, str]] = {
    "A1": (
        gettext_noop("All entries sum to zero"),
        """
        SELECT 'ledger_entry', 'all entries sum to ' || sum(amount_cents) || ' cents'
        FROM ledger_entry WHERE transfer_id > %(since)s HAVING sum(amount_cents) <> 0
        """,
    ),
    "A2": (
        gettext_noop("Every transfer has the lines it announced, and they sum to zero"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key,
               count(e.*) || ' of ' || t.line_count || ' lines, summing to ' || sum(e.amount_cents)
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        WHERE t.id > %(since)s
        GROUP BY t.id HAVING sum(e.amount_cents) <> 0 OR count(*) <> t.line_count OR count(*) < 2
        """,
    ),
    "A3": (
        gettext_noop("No transfer without lines, no line without its transfer and account"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key, 'has no lines' FROM ledger_transfer t
        WHERE t.id > %(since)s
        AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.transfer_id = t.id)
        UNION ALL
        SELECT 'entry ' || e.transfer_id || '/' || e.line, 'belongs to nothing' FROM ledger_entry e
        LEFT JOIN ledger_transfer t ON t.id = e.transfer_id
        LEFT JOIN ledger_account a ON a.id = e.account_id
        WHERE e.transfer_id > %(since)s AND (t.id IS NULL OR a.id IS NULL)
        """,
    ),
    "A4": (
        gettext_noop("Every stored balance is the sum of its entries"),
        """
        SELECT 'account ' || a.key,
               'stores ' || a.balance_cents
               || ', its entries sum to ' || coalesce(sum(e.amount_cents), 0)
        FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
        WHERE a.bounded AND {touched}
        GROUP BY a.id HAVING a.balance_cents <> coalesce(sum(e.amount_cents), 0)
        """,
    ),
    "A5": (
        gettext_noop("Every account's version is the number of its entries"),
        """
        SELECT 'account ' || a.key,
               'is at version ' || a.version || ' with ' || count(e.*) || ' entries'
        FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
        WHERE a.bounded AND {touched}
        GROUP BY a.id HAVING a.version <> count(e.*)
        """,
    ),
    "A6": (
        gettext_noop("No account on the wrong side of zero"),
        """
        SELECT 'account ' || a.key, 'is at ' || coalesce(sum(e.amount_cents), 0)
        FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
        WHERE {touched} GROUP BY a.id
        HAVING CASE WHEN a.kind IN ('promo_issue', 'cash_in')
                    THEN coalesce(sum(e.amount_cents), 0) > 0
                    WHEN a.kind = 'adjustment' THEN false
                    ELSE coalesce(sum(e.amount_cents), 0) < 0 OR a.balance_cents < 0 END
        """,
    ),
    "A7": (
        gettext_noop("Running balances go on without a gap"),
        """
        SELECT 'entry ' || transfer_id || '/' || line,
               'says ' || balance_after_cents || ' at version ' || account_version
               || ' where ' || (previous + amount_cents) || ' at ' || (before + 1) || ' goes on'
        FROM (SELECT e.*, lag(balance_after_cents, 1, 0::bigint) OVER w AS previous,
                     lag(account_version, 1, 0::bigint) OVER w AS before
              FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
              WHERE account_version IS NOT NULL AND {touched}
              WINDOW w AS (PARTITION BY account_id ORDER BY account_version)) e
        WHERE balance_after_cents <> previous + amount_cents OR account_version <> before + 1
        """,
    ),
    "A8": (
        gettext_noop("Every escrow is decided once: full before, empty after"),
        """
        SELECT 'account ' || a.key,
               'holds ' || sum(e.amount_cents) || ' after '
               || count(*) FILTER (WHERE e.amount_cents < 0 AND t.kind <> 'withdraw')
               || ' decisions'
        FROM ledger_account a JOIN ledger_entry e ON e.account_id = a.id
        JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE a.kind = 'escrow' AND {touched} GROUP BY a.id
        HAVING count(*) FILTER (WHERE e.amount_cents < 0 AND t.kind <> 'withdraw') > 1
            OR (sum(e.amount_cents) = 0) <> (
               count(*) FILTER (WHERE e.amount_cents < 0 AND t.kind <> 'withdraw') = 1
               OR bool_and(t.kind IN ('stake', 'withdraw')) AND sum(e.amount_cents) = 0)
        UNION ALL
        SELECT 'transfer ' || t.id || ' ' || t.key, 'moves the escrow of another reference'
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        JOIN ledger_account a ON a.id = e.account_id
        WHERE a.kind = 'escrow' AND t.id > %(since)s AND a.key <> 'escrow:' || t.reference
        """,
    ),
    "A9": (
        gettext_noop("Payouts, vouchers and adjustments are booked as they say"),
        """
        SELECT 'payout ' || p.id, 'is ' || p.state || ', its hold has ' ||
        coalesce(a.balance_cents, 0) || ' cents, its end was booked as ' || coalesce(t.kind,
        'nothing') FROM ledger_payout p LEFT JOIN ledger_account a ON a.key =
        'payout_hold:payout:' || p.id LEFT JOIN ledger_transfer t ON t.key = 'payout:' || p.id ||
        ':resolve' WHERE CASE WHEN p.state IN ('requested', 'approved', 'paying')
        THEN a.balance_cents = p.amount_cents AND t.id IS NULL WHEN p.state = 'paid'
        THEN a.balance_cents = 0 AND t.kind = 'payout_paid'
        ELSE a.balance_cents = 0 AND t.kind = 'payout_return' END IS NOT TRUE
        UNION ALL SELECT 'account ' || a.key, 'belongs to no payout' FROM ledger_account a WHERE
        a.kind = 'payout_hold' AND NOT EXISTS ( SELECT FROM ledger_payout p WHERE a.key =
        'payout_hold:payout:' || p.id) UNION ALL SELECT 'voucher ' || v.id, 'is worth ' ||
        v.amount_cents || ', redeemed by ' || coalesce(v.redeemed_by_id::text, 'nobody') || ', and
        booked otherwise' FROM ledger_voucher v LEFT JOIN ledger_transfer t ON t.key = 'voucher:'
        || v.id LEFT JOIN ledger_entry e ON e.transfer_id = t.id AND e.amount_cents > 0 LEFT JOIN
        ledger_account a ON a.id = e.account_id WHERE (v.redeemed_by_id, CASE WHEN
        v.redeemed_by_id IS NOT NULL THEN v.amount_cents END) IS DISTINCT FROM (a.owner_id,
        e.amount_cents) UNION ALL SELECT 'adjustment ' || j.id, 'of ' || j.amount_cents ||
        ' is booked otherwise' FROM ledger_adjustment j LEFT JOIN ledger_transfer
        t ON t.key = 'adjustment:' || j.id LEFT JOIN ledger_account a ON a.key = 'wallet:' ||
        j.user_id LEFT JOIN ledger_entry e ON e.transfer_id = t.id AND e.account_id = a.id WHERE
        (e.amount_cents = j.amount_cents AND t.actor_id = j.proposed_by_id
         AND t.approver_id IS NOT DISTINCT FROM j.confirmed_by_id) IS NOT TRUE
        UNION ALL SELECT 'account ' || coalesce(p.account_id, e.account_id), 'has a present of ' ||
        coalesce(e.amount_cents, 0) || ' cents, on the list with ' || coalesce(p.amount_cents, 0)
        FROM (SELECT e.* FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
              WHERE t.kind IN ('welcome', 'voucher', 'grant')
                AND e.account_version IS NOT NULL) e
        FULL JOIN (SELECT p.* FROM ledger_promo p JOIN ledger_transfer t ON t.id = p.transfer_id
                   WHERE t.kind NOT IN ('result', 'adjudicate')) p
               ON (p.account_id, p.account_version) = (e.account_id, e.account_version)
        WHERE (p.transfer_id, p.amount_cents) IS DISTINCT FROM (e.transfer_id, e.amount_cents)
        UNION ALL SELECT 'account ' || p.account_id, 'has ' || p.amount_cents ||
        ' locked cents of a match that paid ' || coalesce(e.amount_cents, 0)
        FROM ledger_promo p JOIN ledger_transfer t ON t.id = p.transfer_id
        LEFT JOIN ledger_entry e ON (e.account_id, e.account_version, e.transfer_id)
                                    = (p.account_id, p.account_version, p.transfer_id)
        WHERE t.kind IN ('result', 'adjudicate') AND (e.amount_cents >= p.amount_cents) IS NOT TRUE
        """,
    ),
    "A10": (
        gettext_noop("A reversed or corrected transfer is mended by one of the same reference"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key,
               'mends transfer ' || m.id || ' of ' || m.reference
        FROM ledger_transfer t JOIN ledger_transfer m ON m.id = t.reverses_id
        WHERE t.id > %(since)s AND (t.reference <> m.reference OR m.id >= t.id)
        """,
    ),
    "A12": (
        gettext_noop("Every snapshot is the sum it stands for"),
        """
        SELECT 'snapshot ' || s.id || ' of ' || a.key,
               'says ' || s.balance_cents
               || ', the entries sum to ' || coalesce(sum(e.amount_cents), 0)
        FROM ledger_snapshot s JOIN ledger_account a ON a.id = s.account_id
        LEFT JOIN ledger_entry e
            ON e.account_id = s.account_id AND e.transfer_id <= s.upto_transfer_id
        WHERE {snapshots}
        GROUP BY s.id, a.id HAVING s.balance_cents <> coalesce(sum(e.amount_cents), 0)
        """,
    ),
    "A13": (
        gettext_noop("Issued less paid out is wallets, escrows, holds and rake"),
        """
        SELECT 'trial balance', 'is off by ' || total || ' cents' FROM (
            SELECT coalesce(sum(CASE WHEN a.bounded THEN 0 ELSE e.amount_cents END), 0)
                   + (SELECT coalesce(sum(balance_cents), 0) FROM ledger_account) AS total
            FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id) s
        WHERE total <> 0
        """,
    ),
    "A14": (
        gettext_noop("Every transfer's digest is that of its lines"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key, 'has another digest than its lines'
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        JOIN ledger_account a ON a.id = e.account_id
        WHERE t.id > %(since)s
        GROUP BY t.id
        HAVING t.digest <> ledger_digest(t.kind, t.reference, array_agg(a.key::text),
                                         array_agg(e.amount_cents))
        """,
    ),
    "A15": (
        gettext_noop("Every transfer moves credits only where its kind may, and by whom it may"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ' may not move ' || a.key
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        JOIN ledger_account a ON a.id = e.account_id
        WHERE t.id > %(since)s AND ledger_kind_allows(t.kind, a.kind, e.amount_cents) IS NOT TRUE
        UNION ALL
        SELECT 'transfer ' || t.id || ' ' || t.key, 'names no one, or one person twice'
        FROM ledger_transfer t
        WHERE t.id > %(since)s AND (
            (t.kind IN ('add', 'adjust', 'payout_paid', 'correct', 'reverse')
             AND t.actor_id IS NULL)
            OR t.approver_id = t.actor_id)
        """,
    ),
}


_RECENT_TRIAL = """
    SELECT 'trial balance', 'is off by ' || total || ' cents' FROM (
        SELECT coalesce(sum(ledger_balance(key)), 0) AS total FROM ledger_account) s
    WHERE total <> 0
"""
"""A13 between two whole audits: snapshots stand for the entries they sum, which A12 proves."""

_WHOLE_ONLY = ("A12",)
"""Snapshots sum everything there is; nothing of them is recent."""

_UNDIVIDED = ("A1", "A9", "A13")
"""Sums of everything, and rows of the desk, which are few: whole in an audit in turns."""


def register_books() -> None:
    """Register all of them."""
    for code, (title, query) in _QUERIES.items():
        all_of_it = query.replace("{touched}", _TOUCHED).replace("{snapshots}", "true")
        recent = partial(rows_since, _RECENT_TRIAL if code == "A13" else all_of_it)
        register(
            code,
            title,
            partial(rows_found, all_of_it, since=0),
            None if code in _WHOLE_ONLY else recent,
            None if code in _UNDIVIDED else partial(rows_in_turns, query),
        )


def rows_since(query: str, mark: AuditMark) -> Iterator[AuditFinding]:
    """The findings of a query among what came after a mark."""
    return rows_found(query, since=mark.transfer_id)


def rows_in_turns(query: str, mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The findings of a query among what came after a mark, and in some parts of what was there."""
    query = _LATER.sub(r"(\1 > %(since)s OR \1 %% %(of)s = ANY (%(parts)s))", query)
    query = query.replace("{touched}", _TOUCHED_IN_TURNS)
    query = query.replace("{snapshots}", "s.id %% %(of)s = ANY (%(parts)s)")
    return rows_found(query, since=mark.transfer_id, parts=list(turn.parts), of=turn.of)


def rows_found(query: str, **values: Any) -> Iterator[AuditFinding]:
    """The findings of a query that answers (row, message), with its named values."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        for row, message in cursor.fetchall():
            yield AuditFinding(row, message)
