"""Audit of tables and matches: events against states, matches against the books, conduct.

This stands in the site because it must see everything: what happened at the table (games), what
was paid (ledger) and what was rated (ratings) are compared with one another, each derived anew.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from fairplay.leavers import SWEEP
from fairplay.refunds import CONDUCT_KEPT
from games.models import Match, StoredEvent, Table
from games.prizes import Games, MatchPayout, PrizeEnding, PrizeResult, payout
from games.settlement import purse_of, rated_as, rating_references
from games.table.events import AnyEvent
from games.table.evolve import evolve
from games.table.state import TableState
from kit.journal import Journal
from ledger.audit import AuditFinding, AuditMark, AuditTurn
from ledger.audit_books import rows_found
from ledger.audit_rows import OVERLAP, ReasonCheck, RowCheck, each_booked, or_in_turn
from ledger.selectors import references_since
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

JOURNAL: Final = Journal[Table, TableState](
    events=StoredEvent,
    owner="table",
    event=AnyEvent,
    state=TableState,
    begin=lambda _table: TableState(),
    evolve=evolve,
)


def _changed(mark: AuditMark) -> Q:
    return Q(changed_at__gte=mark.moment - OVERLAP)


def _state_faults(tables: QuerySet[Table]) -> Iterator[AuditFinding]:
    running = tables.order_by("created_at").iterator(chunk_size=TABLES)
    while some := list(islice(running, TABLES)):
        for table, fault in JOURNAL.faults(some):
            yield AuditFinding(f"table {table.pk}", fault)


def recent(mark: AuditMark) -> Q:
    """The matches something may have happened to since; a past one that is voided is booked."""
    since = mark.moment - OVERLAP
    booked = {
        key for reference in references_since(mark.transfer_id) if (key := _match_of(reference))
    }
    return Q(started_at__gte=since) | Q(ended_at__gte=since) | Q(pk__in=booked)


def _payouts_faults(matches: QuerySet[Match]) -> Iterator[AuditFinding]:
    return each_booked(matches.order_by("started_at"), CHUNK, _expected, _stored_faults)


def _stored_faults(match: Match) -> Iterator[str]:
    if match.ended_at and _stored(match) != _derived(match):
        yield f"stored payout {_stored(match)}, derived from its ending {_derived(match)}"


def _expected(match: Match) -> tuple[Counter[str], int]:
    """Everything booked about a match by account, and the rest in its escrow."""
    expected = Counter({f"wallet:{player}": -match.stake_cents for player in match.players})
    left_cents = 2 * match.stake_cents
    if match.ended_at:
        paid = _derived(match)
        for player, cents in zip(match.players, paid.paid_cents, strict=True):
            expected[f"wallet:{player}"] += cents
        expected["house_rake"], left_cents = paid.rake_cents, 0
    expected[f"escrow:{match.reference}"] = left_cents
    return expected, left_cents


def _derived(match: Match) -> MatchPayout:
    """The payout of the match by its ending alone."""
    return payout(purse_of(match), _result(match))


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
    references = {match.reference for match in Match.objects.filter(recent(mark))}
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
    purse = purse_of(match)
    return {
        reference: {
            (player, seat == winner, purse.rated_points)
            for seat, player in enumerate(match.players)
        }
        for reference, winner in rated_as(match, purse, _result(match))
    }


_NOT_GIVEN = """
    SELECT 'outage ' || o.id, 'is given back, and table ' || m.table_id || ' lacks its time'
    FROM games_outage o JOIN games_match m ON m.started_at < o.ended_at
    JOIN games_table t ON t.id = m.table_id
    WHERE o.credited_at IS NOT NULL AND m.ended_at IS NULL AND m.stake_cents > 0
      AND coalesce((t.state ->> 'credited_until_ms')::bigint, 0)
          < floor(extract(epoch FROM o.ended_at) * 1000)
"""


def check_outages() -> Iterator[AuditFinding]:
    """Outages that count as given back although a match for credits goes on without their time."""
    return rows_found(_NOT_GIVEN)


CHECKS: Final = (
    RowCheck(
        code="M1",
        title=gettext_noop("Every table follows from its events"),
        rows=Table.objects.all,
        recent=_changed,
        faults=_state_faults,
    ),
    RowCheck(
        code="M2",
        title=gettext_noop("Every match paid what its ending says"),
        rows=Match.objects.all,
        recent=recent,
        faults=_payouts_faults,
        prefix=MATCH,
    ),
    ReasonCheck(
        code="M4",
        title=gettext_noop("Every transfer of a match has a match behind it"),
        function="games_unjustified",
        about="t.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add',"
        " 'correct')"
        " AND t.reference NOT LIKE 'tournament:%%' AND t.reference NOT LIKE 'chouette:%%'",
    ),
)


#: rows against their matches, and matches of which one player's row, or what lies between others,
#: is missing; what the sweep goes round (kit/sweeps.py) is not.
_QUERY: Final = """
    SELECT 'conduct ' || c.id, why FROM fairplay_conduct c
    CROSS JOIN LATERAL reason_fairplay_conduct(NULL, to_jsonb(c), now()) AS why
    WHERE c.at >= %(since)s AND why IS NOT NULL
    UNION ALL
    SELECT 'match ' || m.id, 'has no conduct of user ' || u.id
    FROM games_match m JOIN accounts_user u ON u.id IN (m.player_0_id, m.player_1_id)
    WHERE m.ended_at >= %(since)s AND m.ending <> 'voided'
      AND NOT EXISTS (SELECT FROM fairplay_conduct c WHERE c.match_id = m.id AND c.user_id = u.id)
      AND NOT EXISTS (SELECT FROM accounts_user b
                      WHERE b.id IN (m.player_0_id, m.player_1_id) AND b.is_bot)
      AND NOT EXISTS (SELECT FROM accounts_accountdeletion d
                      WHERE d.user_id = u.id AND d.outcome = 'done')
      AND NOT EXISTS (SELECT FROM kit_stuck s
                      WHERE s.sweep = %(sweep)s AND s.item = m.id::text)
      AND (EXISTS (SELECT FROM fairplay_conduct c WHERE c.match_id = m.id) OR (
          m.ended_at < now() - interval '1 hour'
          AND EXISTS (SELECT FROM fairplay_conduct c WHERE c.at > m.ended_at + interval '1 minute'
                  AND c.at < m.ended_at + interval '1 hour')
          AND EXISTS (SELECT FROM fairplay_conduct c WHERE c.at < m.ended_at
                      AND c.at > m.ended_at - interval '1 hour')))
"""


def check_conduct() -> Iterator[AuditFinding]:
    """Conduct that no match bears out, and ended matches without it."""
    return _found(timezone.now() - CONDUCT_KEPT + timedelta(days=2))


def check_recent_conduct(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same of the days since."""
    return _found(mark.moment - timedelta(days=2))


def _found(since: datetime) -> Iterator[AuditFinding]:
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"since": since, "sweep": SWEEP})
        for row, message in cursor.fetchall():
            yield AuditFinding(row, message)
