"""Audit of chouettes: rows against the journal, and the books against both.

What every pair won is derived anew from the journal, and the dice from their parts.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from backgammon.dice.record import records_of_json
from backgammon.dice.verify import verify_match
from games.chouette.engine import events as ev
from games.chouette.models import Circle, CircleEvent, Game
from games.chouette.services.dice import records
from games.chouette.services.store import JOURNAL
from games.chouette.settlement import Paid, pairs_paid, stakes_of
from kit.events import JournalEvent
from ledger.audit import AuditFinding, AuditMark
from ledger.audit_rows import OVERLAP, ReasonCheck, RowCheck, booked_since, each_booked, readable

CHUNK: Final = 100
"""So many games are read at once."""

CHOUETTE: Final = "chouette:"


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    happened = CircleEvent.objects.filter(circle=OuterRef("pk"), stored_at__gte=since)
    return Q(Exists(happened)) | Q(created_at__gte=since)


def _recent_game(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    booked = booked_since(mark, CHOUETTE)
    return Q(started_at__gte=since) | Q(ended_at__gte=since) | Q(pk__in=booked)


# --- the journal --------------------------------------------------------------------------------


def _journal_faults(circles: QuerySet[Circle]) -> Iterator[AuditFinding]:
    for circle in circles.order_by("created_at").iterator(chunk_size=CHUNK):
        yield from readable(f"{CHOUETTE}{circle.pk}", partial(_faults, circle))


def _faults(circle: Circle) -> Iterator[str]:
    yield from (fault for _, fault in JOURNAL.faults([circle]))
    state = JOURNAL.replayed(circle)
    seated = circle.places.filter(stood_up_at=None).values_list("user_id", flat=True)
    if sorted(seated) != sorted(state.people):
        yield "the people who sit there are not those of its journal"
    if circle.games.count() != state.games:
        yield f"it has other games than the {state.games} of its journal"
    voided = circle.events.filter(payload__type="game_voided").count()
    if circle.games.filter(voided=True).count() != voided:
        yield f"it has other voided games than the {voided} of its journal"
    yield from _dice_faults(circle)
    yield from _row_faults(circle)


def _row_faults(circle: Circle) -> Iterator[str]:
    """Faults of games and shares against the journal; the guards ask the same function."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number, fault FROM chouette_game g"
            " CROSS JOIN LATERAL chouette_game_fault(g) fault"
            " WHERE circle_id = %s AND fault IS NOT NULL ORDER BY number",
            [circle.pk],
        )
        for number, fault in cursor.fetchall():
            yield f"game {number} {fault}"


def _dice_faults(circle: Circle) -> Iterator[str]:
    """The dice follow from their parts, and are those on the board."""
    told = records(circle)
    if told["games"]:
        for failure in verify_match(records_of_json(told)):
            yield f"its dice: {failure.sentence}"
    rolled = {
        roll.seq: tuple(roll.dice) for game in circle.games.all() for roll in game.rolls.all()
    }
    events = circle.events.filter(payload__type__in=["rolled", "rolled_off"])
    played = {
        seq: _dice_in(JOURNAL.event_of(payload))
        for seq, payload in events.values_list("seq", "payload")
    }
    for seq in sorted(played.keys() | rolled.keys()):
        if sorted(played.get(seq, ())) != sorted(rolled.get(seq, ())):
            yield f"event {seq} has other dice than its roll"


def _dice_in(event: JournalEvent) -> tuple[int, int]:
    if isinstance(event, ev.BoxRolledOff):
        return (event.box, event.team)
    assert isinstance(event, ev.Rolled), "only rolls are asked for"
    return event.dice


# --- the books ----------------------------------------------------------------------------------


def _game_faults(games: QuerySet[Game]) -> Iterator[AuditFinding]:
    return each_booked(games.select_related("circle").order_by("started_at"), CHUNK, _expected)


def _expected(game: Game) -> tuple[Counter[str], int]:
    """Everything booked about a game by account, and the rest in its escrow."""
    order, box_points, end = _played(game)
    stakes, expected = stakes_of(game.circle, order), Counter[str]()
    if isinstance(end, ev.GameVoided):
        return expected, 0
    for player, cents in stakes.items():
        expected[f"wallet:{player}"] -= cents
    left_cents = sum(stakes.values())
    if end is not None:
        paid: Paid = pairs_paid(game.circle, order[0], box_points)
        for player, cents in paid.paid_cents.items():
            expected[f"wallet:{player}"] += cents
        expected["house_rake"], left_cents = paid.rake_cents, 0
    expected[f"escrow:{game.reference}"] = left_cents
    return expected, left_cents


def _played(
    game: Game,
) -> tuple[tuple[int, ...], dict[int, int], ev.ChouetteGameEnded | ev.GameVoided | None]:
    """The list of a game, what the box won from each member, and how it ended: its events."""
    started = game.circle.events.get(payload__type="game_started", payload__game=game.number)
    order: tuple[int, ...] = tuple(started.payload["order"])
    box_points: dict[int, int] = {}
    later = game.circle.events.filter(
        seq__gt=started.seq, payload__type__in=["settled", "game_ended", "game_voided"]
    ).order_by("seq")
    for payload in later.values_list("payload", flat=True):
        event = JOURNAL.event_of(payload)
        if isinstance(event, ev.ChouetteGameEnded | ev.GameVoided):
            return order, box_points, event
        assert isinstance(event, ev.Settled), "only settlements and ends are asked for"
        box_points[event.player] = event.box_points
    return order, box_points, None


CHECKS: Final = (
    RowCheck(
        code="K1",
        title=gettext_noop("Every chouette, its people and its dice follow from its journal"),
        rows=Circle.objects.all,
        recent=_recent,
        faults=_journal_faults,
        prefix=CHOUETTE,
    ),
    RowCheck(
        code="K2",
        title=gettext_noop(
            "Every game of a chouette holds its stakes, or paid each pair as its points say"
        ),
        rows=Game.objects.all,
        recent=_recent_game,
        faults=_game_faults,
        prefix=CHOUETTE,
    ),
    ReasonCheck(
        code="K3",
        title=gettext_noop("Every transfer of a chouette has the shares of a game behind it"),
        function="chouette_unjustified",
        about="t.reference LIKE 'chouette:%%'",
    ),
)
