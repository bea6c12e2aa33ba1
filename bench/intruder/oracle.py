"""Compares a house before and after an intruder with what must not change.

Reads the database directly, without a line of the product.
"""

from dataclasses import dataclass
from typing import Any, Final

import psycopg

#: a person's credits: the wallet, pending payouts, stakes in running matches and chouettes, fees
#: of tournaments.
_HOLDINGS: Final = """
    SELECT u.id,
           coalesce((SELECT balance_cents FROM ledger_account WHERE key = 'wallet:' || u.id), 0)
           + coalesce((SELECT sum(a.balance_cents) FROM ledger_payout p JOIN ledger_account a
                       ON a.key = 'payout_hold:payout:' || p.id WHERE p.user_id = u.id), 0)
           + coalesce((SELECT sum(m.stake_cents) FROM games_match m
                       WHERE m.ended_at IS NULL AND u.id IN (m.player_0_id, m.player_1_id)), 0)
           + coalesce((SELECT sum(t.fee_cents) FROM tournaments_entry e
                       JOIN tournaments_tournament t ON t.id = e.tournament_id
                       WHERE e.user_id = u.id AND e.withdrawn_at IS NULL
                         AND t.phase IN ('registering', 'running')), 0)
           + coalesce((SELECT sum(s.stake_cents) FROM chouette_share s
                       JOIN chouette_game g ON g.id = s.game_id
                       WHERE s.user_id = u.id AND g.ended_at IS NULL), 0)
    FROM accounts_user u
"""
_PAID: Final = (
    "SELECT user_id, sum(amount_cents) FROM ledger_payout WHERE state = 'paid' GROUP BY 1"
)

#: identities: everything by which an account could be taken over or raised.
_IDENTITIES: Final = """
    SELECT u.id, u.username, u.password, u.email, u.is_bot, u.is_active, u.is_staff, u.is_superuser,
           (SELECT array_agg(e.email || e.verified ORDER BY e.email) FROM account_emailaddress e
            WHERE e.user_id = u.id),
           (SELECT array_agg(a.id ORDER BY a.id) FROM mfa_authenticator a WHERE a.user_id = u.id),
           (SELECT array_agg(g.name ORDER BY g.name) FROM accounts_user_groups x
            JOIN auth_group g ON g.id = x.group_id WHERE x.user_id = u.id)
    FROM accounts_user u
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everybody's credits and identity at one moment, and the last rows of append-only tables."""

    holdings_cents: dict[int, int]
    paid_cents: dict[int, int]
    identities: dict[int, tuple[Any, ...]]
    journal_to: int
    transfers_to: int
    proposals_to: int


def snapshot(db: psycopg.Connection) -> Snapshot:
    """Everybody's credits and identity now."""

    def last(table: str) -> int:
        row = db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        return int(row[0]) if row else 0

    return Snapshot(
        {person: int(cents) for person, cents in db.execute(_HOLDINGS).fetchall()},
        {person: int(cents) for person, cents in db.execute(_PAID).fetchall()},
        {row[0]: _plain(row[1:]) for row in db.execute(_IDENTITIES).fetchall()},
        last("ledger_journalentry"),
        last("ledger_transfer"),
        last("ledger_proposal"),
    )


def faults(
    db: psycopg.Connection, before: Snapshot, *, circle: set[int], allowed_gain_cents: int
) -> list[str]:
    """The intruder's undue gains, in sentences; `circle` is the intruder and all accomplices.

    `allowed_gain_cents` is the amount the role may give away alone, by the house's settings.
    """
    after = snapshot(db)
    found = []
    gain = _sum(after, circle) - _sum(before, circle)
    if gain > allowed_gain_cents:
        found.append(f"the circle gained {gain} cents, {allowed_gain_cents} are allowed")
    for person, cents in before.holdings_cents.items():
        if (
            person not in circle
            and after.holdings_cents[person] + after.paid_cents.get(person, 0)
            < cents + before.paid_cents.get(person, 0) - allowed_gain_cents
        ):
            found.append(f"person {person} lost credits: {cents} before")
    for person, identity in before.identities.items():
        if person not in circle and after.identities.get(person) != identity:
            found.append(f"person {person} was changed: {identity} to {after.identities[person]}")
    return found + _written(db, before, circle)


def _proposed_by(db: psycopg.Connection, subject: str, last: int) -> bool:
    """Whether a decision about this subject was proposed by number `last`."""
    query = "SELECT EXISTS (SELECT FROM ledger_proposal WHERE subject = %s AND id <= %s)"
    row = db.execute(query, [subject, last]).fetchone()
    return bool(row and row[0])


def _waited(db: psycopg.Connection, adjustment: int, last: int) -> bool:
    """Whether an adjustment was proposed by number `last`."""
    query = "SELECT proposal_id <= %s FROM ledger_adjustment WHERE id = %s"
    row = db.execute(query, [last, adjustment]).fetchone()
    return bool(row and row[0])


def gain_cents(db: psycopg.Connection, before: Snapshot, circle: set[int]) -> int:
    """How much the circle holds more than before, paid-out credits included."""
    return _sum(snapshot(db), circle) - _sum(before, circle)


def _sum(held: Snapshot, people: set[int]) -> int:
    return sum(held.holdings_cents.get(p, 0) + held.paid_cents.get(p, 0) for p in people)


def _written(db: psycopg.Connection, before: Snapshot, circle: set[int]) -> list[str]:
    """Entries and transfers that name an uninvolved person, or one person as both hands."""
    found = []
    for number, verb, actor in db.execute(
        "SELECT id, verb, actor_id FROM ledger_journalentry WHERE id > %s", [before.journal_to]
    ):
        if actor not in circle:
            found.append(f"journal {number} ({verb}) names {actor}, who did nothing")
    for key, actor, approver in db.execute(
        "SELECT key, actor_id, approver_id FROM ledger_transfer WHERE id > %s",
        [before.transfers_to],
    ):
        kind, _colon, number = key.partition(":")
        waited = kind == "adjustment" and _waited(db, int(number), before.proposals_to)
        if key.endswith(":add"):  # the second person of an addition that waited before
            waited = _proposed_by(db, key.removesuffix(":add"), before.proposals_to)
        if {actor, approver} - circle - {None} and not waited:
            found.append(f"transfer {key} names {actor} and {approver}, who did nothing")
        if actor is not None and approver is not None and {actor, approver} <= circle:
            found.append(f"transfer {key}: both hands, {actor} and {approver}, are the circle's")
    for payout, approved, closed in db.execute(
        "SELECT id, approved_by_id, closed_by_id FROM ledger_payout WHERE state = 'paid'"
    ):
        if {approved, closed} <= circle:
            found.append(f"payout {payout}: both hands, {approved} and {closed}, are the circle's")
    return found


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(cell) if isinstance(cell, list) else cell for cell in row)
