"""Audit of tables and matches: events against states, matches against the books.

This stands in the site because it must see everything: what happened at the table (games), what
was paid (ledger) and what was rated (ratings) are compared with one another, each derived anew.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet

from games.models import Match, StoredEvent, Table
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes.payout import Games, MatchPayout, PrizeEnding, PrizeResult, Purse, payout
from games.selectors import table_state
from games.settlement import rated_as, rating_references
from games.table.evolve import replay
from games.wire import event_from_payload
from ledger.audit import AuditFinding, AuditMark, AuditTurn
from ledger.audit_books import rows_found, rows_in_turns, rows_since
from ledger.selectors import booked_about, references_since
from pasch.audits.parts import or_in_turn
from ratings.models import RatingChange

MATCH = "match:"

OF_A_GAME = "^match:[^:]+:"
"""The references of the games of a session in the rating log."""

Facts = set[tuple[int, bool, int]]
"""The effect of a result on ratings: for each player whether they won, and for how many points."""

CHUNK = 500
"""So many matches are read at once."""

TABLES = 100
"""The events of so many tables are read at once."""

OVERLAP = timedelta(minutes=10)
"""Times are drawn before a transaction commits; nothing takes as long as this to commit."""


def check_states() -> Iterator[AuditFinding]:
    """Every table's stored state is what its stored events add up to."""
    yield from _state_faults(Table.objects.all())


def check_recent_states(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the tables where something happened since."""
    yield from _state_faults(Table.objects.filter(changed_at__gte=mark.moment - OVERLAP))


def check_states_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    changed = Q(changed_at__gte=mark.moment - OVERLAP)
    yield from _state_faults(or_in_turn(Table.objects.all(), changed, "id", turn))


def _state_faults(tables: QuerySet[Table]) -> Iterator[AuditFinding]:
    running = tables.order_by("created_at").iterator(chunk_size=TABLES)
    while some := list(islice(running, TABLES)):
        events = _events_of(some)
        for table in some:
            if fault := _state_fault(table, events[table.pk]):
                yield AuditFinding(f"table {table.pk}", fault)


def _events_of(tables: list[Table]) -> dict[UUID, list[tuple[int, Any]]]:
    """The events of these tables in one query: (seq, payload), by seq."""
    events: dict[UUID, list[tuple[int, Any]]] = {table.pk: [] for table in tables}
    rows = StoredEvent.objects.filter(table__in=tables).order_by("table_id", "seq")
    for table_id, seq, payload in rows.values_list("table_id", "seq", "payload"):
        events[table_id].append((seq, payload))
    return events


def _state_fault(table: Table, rows: list[tuple[int, Any]]) -> str | None:
    """The fault of a table's state and events, or None."""
    if [seq for seq, _ in rows] != list(range(1, table.seq + 1)):
        return f"its events do not count from 1 to {table.seq}"
    try:
        differs = table_state(table) != replay(event_from_payload(row) for _, row in rows)
    except (ValueError, AssertionError) as error:
        return f"its events or its state cannot be read: {error}"
    return "its stored state differs from its events" if differs else None


def check_payouts() -> Iterator[AuditFinding]:
    """Every match put both stakes into escrow, and paid exactly the payout of its ending."""
    yield from _payouts_faults(Match.objects.all())


def check_recent_payouts(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the matches that began, ended or were booked about since."""
    yield from _payouts_faults(recent_matches(mark))


def check_payouts_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    yield from _payouts_faults(matches_in_turns(mark, turn))


def recent_matches(mark: AuditMark) -> QuerySet[Match]:
    """The matches something may have happened to since; a past one that is voided is booked."""
    return Match.objects.filter(_recent(mark))


def matches_in_turns(mark: AuditMark, turn: AuditTurn) -> QuerySet[Match]:
    """Those, and some parts of the others: by the hash of their references."""
    return or_in_turn(Match.objects.all(), _recent(mark), "id", turn, prefix=MATCH)


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    booked = {
        key for reference in references_since(mark.transfer_id) if (key := _match_of(reference))
    }
    return Q(started_at__gte=since) | Q(ended_at__gte=since) | Q(pk__in=booked)


_REASONS = """
    SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ': ' || fault
    FROM ledger_transfer t CROSS JOIN LATERAL games_unjustified(t) fault
    WHERE t.id > %(since)s AND fault IS NOT NULL
    AND t.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct')
    AND t.reference NOT LIKE 'tournament:%%' AND t.reference NOT LIKE 'chouette:%%'
"""


def check_reasons() -> Iterator[AuditFinding]:
    """Every transfer of a match has a match behind it, with these players, stakes and payouts."""
    return rows_found(_REASONS, since=0)


def check_recent_reasons(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the transfers since."""
    return rows_since(_REASONS, mark)


def check_reasons_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    return rows_in_turns(_REASONS, mark, turn)


def _payouts_faults(matches: QuerySet[Match]) -> Iterator[AuditFinding]:
    running = matches.order_by("started_at").iterator(chunk_size=CHUNK)
    while some := list(islice(running, CHUNK)):
        booked, held = booked_about([match.reference for match in some])
        for match in some:
            about = (booked.get(match.reference, Counter()), held.get(match.reference, 0))
            for message in _payout_faults(match, *about):
                yield AuditFinding(match.reference, message)


def _payout_faults(match: Match, booked: Counter[str], escrow_cents: int) -> Iterator[str]:
    expected = _expected_entries(match)
    for key in sorted(set(expected) | set(booked)):
        if booked[key] != expected[key]:
            yield f"{key}: {booked[key]} cents booked, {expected[key]} expected"
    held = 0 if match.ended_at else 2 * match.stake_cents
    if escrow_cents != held:
        yield f"its escrow holds {escrow_cents} cents, not {held}"
    if match.ended_at and _stored(match) != _derived(match):
        yield f"stored payout {_stored(match)}, derived from its ending {_derived(match)}"


def _expected_entries(match: Match) -> Counter[str]:
    expected = Counter({f"wallet:{player}": -match.stake_cents for player in match.players})
    expected[f"escrow:{match.reference}"] = 2 * match.stake_cents
    if match.ended_at:
        paid = _derived(match)
        for player, cents in zip(match.players, paid.paid_cents, strict=True):
            expected[f"wallet:{player}"] += cents
        expected["house_rake"] = paid.rake_cents
        expected[f"escrow:{match.reference}"] = 0
    return expected


def _derived(match: Match) -> MatchPayout:
    """The payout of the match by its ending alone."""
    return payout(_purse(match), _result(match))


def _purse(match: Match) -> Purse:
    terms = msgspec.convert(match.terms, Terms)
    purse = replace(mode_of(terms).purse(terms), rated_games=match.rated_games)
    return purse if match.rated else replace(purse, rated_points=0)


def _result(match: Match) -> PrizeResult:
    """The result of an ended match. Raises `ValueError` for games that are none."""
    games = msgspec.convert(match.games, Games)
    return PrizeResult(match.winner_seat, PrizeEnding(match.ending), match.points, games)


def _stored(match: Match) -> MatchPayout:
    paid = tuple(match.paid_cents or ())
    return MatchPayout(paid, match.rake_cents or 0, _derived(match).rated_points)


def check_rated() -> Iterator[AuditFinding]:
    """Every counted match moved two ratings once, and no other match moved any."""
    yield from _rated_faults(Match.objects.all(), RatingChange.objects.all())


def check_recent_rated(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of recent matches, and of the matches of recent changes."""
    ids, references = _rated_since(mark)
    matches = Match.objects.filter(pk__in=ids)
    references |= _game_references(matches)
    yield from _rated_faults(matches, RatingChange.objects.filter(reference__in=references))


def check_rated_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others; a match and its changes are in one.

    The games of a session have references of their own, so they bring in their match, and it them.
    """
    ids, references = _rated_since(mark)
    changes = RatingChange.objects.all()
    games = or_in_turn(changes, Q(reference__in=references), "reference", turn)
    ids |= _matches_of(games.filter(reference__regex=OF_A_GAME).values_list("reference", flat=True))
    matches = or_in_turn(Match.objects.all(), Q(pk__in=ids), "id", turn, prefix=MATCH)
    references |= _game_references(matches)
    yield from _rated_faults(
        matches, or_in_turn(changes, Q(reference__in=references), "reference", turn)
    )


def _rated_since(mark: AuditMark) -> tuple[set[UUID], set[str]]:
    """The ids of recent matches and those of recent changes, and the references of both."""
    changed = RatingChange.objects.filter(created__gte=mark.moment - OVERLAP)
    references = {match.reference for match in recent_matches(mark)}
    references |= set(changed.values_list("reference", flat=True))
    return _matches_of(references), references


def _matches_of(references: Iterable[str]) -> set[UUID]:
    """The matches that these references name, or of which they name a game."""
    return {key for reference in references if (key := _match_of(reference))}


def _game_references(matches: QuerySet[Match]) -> set[str]:
    """The references of all games of the sessions among these matches."""
    sessions = matches.exclude(games=[]).iterator(chunk_size=CHUNK)
    return {reference for match in sessions for reference in rating_references(match)}


def _match_of(reference: str) -> UUID | None:
    """The match that a reference names, or of which it names a game; it need not exist."""
    kind, _, rest = reference.partition(":")
    try:
        return UUID(rest.partition(":")[0]) if f"{kind}:" == MATCH else None
    except ValueError:
        return None


def _rated_faults(
    matches: QuerySet[Match], changes: QuerySet[RatingChange]
) -> Iterator[AuditFinding]:
    rated: dict[str, Facts] = {}
    taken_back = set(changes.filter(kind="void").values_list("reference", flat=True))
    for change in changes.filter(kind="result").iterator():
        if change.reference in taken_back:
            continue
        facts = (change.user_id, change.won, change.n)
        rated.setdefault(change.reference, set()).add(facts)
    for match in matches.iterator(chunk_size=500):
        expected = _expected_ratings(match)
        references = {*rating_references(match), *expected}
        for reference in sorted(references):
            found = rated.pop(reference, set())
            if found != expected.get(reference, set()):
                moved = sorted(found)  # sorted, so that two audits print the same
                yield AuditFinding(reference, f"its ratings moved otherwise than it ended: {moved}")
    for reference in rated:
        yield AuditFinding(reference, "ratings moved for a match that does not exist")


def _expected_ratings(match: Match) -> dict[str, Facts]:
    """The changes of ratings that an ended match leads to: one of it, or of each of its games."""
    if not match.ended_at:
        return {}
    purse = _purse(match)
    return {
        reference: {
            (player, seat == winner, purse.rated_points)
            for seat, player in enumerate(match.players)
        }
        for reference, winner in rated_as(match, purse, _result(match))
    }
