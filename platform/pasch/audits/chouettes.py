"""Audit of chouettes: rows against the journal, and the books against both.

It stands in the site because it sees chouettes and the books; what every pair won is derived anew
from the journal, and the dice from their parts.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from backgammon.dice.record import records_of_json
from backgammon.dice.verify import verify_match
from games.chouette.engine import events as ev
from games.chouette.models import Circle, CircleEvent, Game
from games.chouette.services.dice import records
from games.chouette.services.store import event_of, state_of, state_replayed
from games.chouette.settlement import Paid, pairs_paid, stakes_of
from ledger.audit import AuditFinding, AuditMark, AuditTurn
from ledger.audit_books import rows_found, rows_in_turns, rows_since
from ledger.selectors import booked_about, references_since
from pasch.audits.matches import OVERLAP
from pasch.audits.parts import booking_faults, or_in_turn

CHUNK: Final = 100
"""So many games are read at once."""

CHOUETTE: Final = "chouette:"


def check_journals() -> Iterator[AuditFinding]:
    """Every chouette, its people and its dice follow from its journal."""
    yield from _journal_faults(Circle.objects.all())


def check_recent_journals(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the tables at which something happened since."""
    yield from _journal_faults(Circle.objects.filter(_recent(mark)))


def check_journals_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    circles = or_in_turn(Circle.objects.all(), _recent(mark), "id", turn, prefix=CHOUETTE)
    yield from _journal_faults(circles)


def check_games() -> Iterator[AuditFinding]:
    """Every game holds its stakes, or paid each pair as its points say."""
    yield from _game_faults(Game.objects.all())


def check_recent_games(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the games in which something happened since."""
    yield from _game_faults(Game.objects.filter(_recent_game(mark)))


def check_games_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    games = or_in_turn(Game.objects.all(), _recent_game(mark), "id", turn, prefix=CHOUETTE)
    yield from _game_faults(games)


_REASONS = """
    SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ': ' || fault
    FROM ledger_transfer t CROSS JOIN LATERAL chouette_unjustified(t) fault
    WHERE t.id > %(since)s AND fault IS NOT NULL AND t.reference LIKE 'chouette:%%'
"""


def check_reasons() -> Iterator[AuditFinding]:
    """Every transfer of a chouette has the shares of a game behind it that say the same."""
    return rows_found(_REASONS, since=0)


def check_recent_reasons(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the transfers since."""
    return rows_since(_REASONS, mark)


def check_reasons_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    return rows_in_turns(_REASONS, mark, turn)


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    happened = CircleEvent.objects.filter(circle=OuterRef("pk"), stored_at__gte=since)
    return Q(Exists(happened)) | Q(created_at__gte=since)


def _recent_game(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    booked = [
        reference.removeprefix(CHOUETTE)
        for reference in references_since(mark.transfer_id)
        if reference.startswith(CHOUETTE)
    ]
    return Q(started_at__gte=since) | Q(ended_at__gte=since) | Q(pk__in=booked)


# --- the journal --------------------------------------------------------------------------------


def _journal_faults(circles: QuerySet[Circle]) -> Iterator[AuditFinding]:
    for circle in circles.order_by("created_at").iterator(chunk_size=CHUNK):
        name = f"{CHOUETTE}{circle.pk}"
        try:
            faults = [*_faults(circle), *_row_faults(circle)]
        except (ValueError, LookupError, AssertionError, TypeError) as error:
            faults = [f"its journal cannot be read: {error}"]
        for fault in faults:
            yield AuditFinding(name, fault)


def _faults(circle: Circle) -> Iterator[str]:
    seqs = list(circle.events.order_by("seq").values_list("seq", flat=True))
    if seqs != list(range(1, circle.seq + 1)):
        yield f"its events do not count from 1 to {circle.seq}"
    state = state_replayed(circle)
    if state != state_of(circle):
        yield "its state is not the one that follows from its journal"
    seated = circle.places.filter(stood_up_at=None).values_list("user_id", flat=True)
    if sorted(seated) != sorted(state.people):
        yield "the people who sit there are not those of its journal"
    if circle.games.count() != state.games:
        yield f"it has other games than the {state.games} of its journal"
    voided = circle.events.filter(payload__type="game_voided").count()
    if circle.games.filter(voided=True).count() != voided:
        yield f"it has other voided games than the {voided} of its journal"
    yield from _dice_faults(circle)


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
        seq: _dice_in(event_of(payload)) for seq, payload in events.values_list("seq", "payload")
    }
    for seq in sorted(played.keys() | rolled.keys()):
        if sorted(played.get(seq, ())) != sorted(rolled.get(seq, ())):
            yield f"event {seq} has other dice than its roll"


def _dice_in(event: ev.ChouetteEvent) -> tuple[int, int]:
    if isinstance(event, ev.BoxRolledOff):
        return (event.box, event.team)
    assert isinstance(event, ev.Rolled), "only rolls are asked for"
    return event.dice


# --- the books ----------------------------------------------------------------------------------


def _game_faults(games: QuerySet[Game]) -> Iterator[AuditFinding]:
    found = games.select_related("circle").order_by("started_at").iterator(chunk_size=CHUNK)
    while some := list(islice(found, CHUNK)):
        told = booked_about([each.reference for each in some])
        for game in some:
            yield from booking_faults(game.reference, told, *_expected(game))


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
        event = event_of(payload)
        if isinstance(event, ev.ChouetteGameEnded | ev.GameVoided):
            return order, box_points, event
        assert isinstance(event, ev.Settled), "only settlements and ends are asked for"
        box_points[event.player] = event.box_points
    return order, box_points, None
