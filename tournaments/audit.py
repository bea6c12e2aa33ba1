"""Audit of tournaments: rows against the journal, and the books against both.

The prizes are derived anew from
the final standing, and the draw from the secret and the parts.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from cryptography.exceptions import InvalidTag
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from games.services.dice.keys import draw_show
from kit.events import TimedEvent
from ledger.audit import AuditFinding, AuditMark
from ledger.audit_rows import OVERLAP, ReasonCheck, RowCheck, booked_since, each_booked, readable
from ledger.postings import promo_key
from tournaments.engine import events as ev
from tournaments.engine.draws import commitment_of, part_of_seat, seed_of, shuffled
from tournaments.engine.formats import format_of
from tournaments.engine.state import TournamentState, evolve
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Entry, Meeting, Tournament, TournamentEvent
from tournaments.services.running import GRACE, pool_of, side_winners
from tournaments.services.store import JOURNAL, terms_of
from tournaments.settlement import CAMPAIGN

CHUNK = 100
"""So many tournaments are read at once."""

TOURNAMENT = "tournament:"


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    happened = TournamentEvent.objects.filter(tournament=OuterRef("pk"), stored_at__gte=since)
    booked = booked_since(mark, TOURNAMENT)
    return Q(Exists(happened)) | Q(created_at__gte=since) | Q(pk__in=booked)


def _journal_faults(tournaments: QuerySet[Tournament]) -> Iterator[AuditFinding]:
    for tournament in tournaments.order_by("created_at").iterator(chunk_size=CHUNK):
        yield from readable(tournament.reference, partial(_faults, tournament))


_EVENTS = """
    SELECT fault
    FROM tournaments_tournamentevent e CROSS JOIN LATERAL tournaments_event_fault(e) fault
    WHERE e.tournament_id = %s AND fault IS NOT NULL ORDER BY e.seq
"""


def _event_faults(tournament: Tournament) -> list[str]:
    """The events that did not happen: results that no match, no entry and no director gave."""
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, [tournament.pk])
        return [fault for (fault,) in cursor.fetchall()]


def _faults(tournament: Tournament) -> Iterator[str]:
    yield from (fault for _, fault in JOURNAL.faults([tournament]))
    yield from _engine_faults(terms_of(tournament), JOURNAL.events_of(tournament))
    yield from _event_faults(tournament)
    state = JOURNAL.replayed(tournament)
    if tournament.phase != state.phase:
        yield f"is stored as {tournament.phase}, its journal says {state.phase}"
    if _secret_of(tournament) != tournament.commitment:
        yield "its secret is not the one that was published sealed"
    entries = list(
        Entry.objects.filter(tournament=tournament, withdrawn_at=None).order_by("number")
    )
    if sorted(entry.user_id for entry in entries) != sorted(state.entrants):
        yield "its entries are not those of its journal"
    if state.seed and state.seed != seed_of(
        tournament.secret, [(entry.number, entry.part) for entry in entries]
    ):
        yield "its draw does not follow from the secret and the parts"
    yield from _meeting_faults(tournament, state)
    yield from _seat_faults(tournament)
    yield from _place_faults(entries, state)


def _engine_faults(terms: TournamentTerms, journal: list[TimedEvent]) -> Iterator[str]:
    """List what the journal says otherwise than draw, format and results do.

    Who meets at a place is derived where the bracket or the circle fixes it.
    """
    state, played_by = TournamentState(terms=terms), format_of(terms)
    for event in journal:
        match event:
            case ev.Drawn() if event.order != shuffled(state.entrants, event.seed, "order"):
                yield "its order does not follow from its seed"
            case ev.Paired() if played_by.fixes_places:
                found = {
                    each.place: each.players for each in played_by.proposals(state, event.at_ms)
                }
                if found.get(event.place) != event.players:
                    yield f"pairing {event.number} does not follow from the results before it"
            case ev.Ended() if event.ranks != played_by.ranks(state, event.at_ms):
                yield "its ranks do not follow from its results"
            case _:
                pass
        state = evolve(state, event)


def _secret_of(tournament: Tournament) -> str:
    """The commitment of its secret, which is hidden before the draw and open after it."""
    try:
        hidden = draw_show(tournament.pk, bytes(tournament.hidden_secret))
    except InvalidTag:  # of another key, or changed
        hidden = ""
    return commitment_of(hidden) if tournament.secret in ("", hidden) else ""


def _meeting_faults(tournament: Tournament, state: TournamentState) -> Iterator[str]:
    """A pairing without its row is lost: nobody would ever be called to it."""
    rows = {
        meeting.number: meeting
        for meeting in Meeting.objects.filter(tournament=tournament, undone=False)
    }
    for number, pairing in state.pairings.items():
        meeting = rows.pop(number, None)
        if meeting is None or set(meeting.players) != set(pairing.players):
            yield f"pairing {number} has no row with its players"
        elif (meeting.decided_at is None) != (pairing.winner is None):
            yield f"pairing {number} is decided in one of row and journal"
        elif meeting.due_at != meeting.called_at + GRACE:
            yield f"pairing {number} gives its players another time than they have"
    for number in rows:
        yield f"meeting {number} is no pairing of its journal"


def _seat_faults(tournament: Tournament) -> Iterator[str]:
    """A seat belongs to somebody who won it, with the part that follows or that they gave."""
    won = Entry.objects.filter(tournament=tournament, won_in__isnull=False)
    for entry in won.select_related("won_in"):
        satellite = entry.won_in
        assert satellite is not None
        state = JOURNAL.replayed(satellite)
        winners = pool_of(satellite, len(state.entrants)).winners_of_seats(state.ranks)
        if satellite.satellite_of_id != tournament.pk or entry.user_id not in winners:
            yield f"entry {entry.number} is a seat that its player never won"
            continue
        parts = Entry.objects.filter(
            tournament=satellite, user=entry.user_id, withdrawn_at__isnull=True
        )
        expected = [
            part_of_seat(part, str(tournament.pk)) for part in parts.values_list("part", flat=True)
        ]
        if entry.part_given_at is None and [entry.part] != expected:
            yield f"entry {entry.number} has a part that follows from none"


def _place_faults(entries: list[Entry], state: TournamentState) -> Iterator[str]:
    places: dict[int, tuple[int | None, int | None]] = {}
    first = 1
    for group in state.ranks:
        places |= dict.fromkeys(group, (first, first + len(group) - 1))
        first += len(group)
    for entry in entries:
        expected = places.get(entry.user_id, (None, None))
        if (entry.first_place, entry.last_place) != expected:
            yield f"entry {entry.number} has another place than its journal says"


def _pool_faults(tournaments: QuerySet[Tournament]) -> Iterator[AuditFinding]:
    running = tournaments.filter(fee_cents__gt=0).order_by("created_at")
    return each_booked(running, CHUNK, _expected)


def _expected(tournament: Tournament) -> tuple[Counter[str], int]:
    """Everything booked about a tournament by account, and the rest in its escrow."""
    state = JOURNAL.replayed(tournament)
    fee_cents, expected = tournament.fee_cents, Counter[str]()
    expected[promo_key(CAMPAIGN)] -= tournament.added_cents
    for player in state.entrants:
        expected[f"wallet:{player}"] -= fee_cents
    left_cents = fee_cents * len(state.entrants) + tournament.added_cents
    if state.phase == "called_off":
        expected.clear()
        left_cents = 0
    elif state.phase == "over":
        pool = pool_of(tournament, len(state.entrants))
        for player, cents in pool.of_players(state.ranks, side_winners(state)).items():
            expected[f"wallet:{player}"] += cents
        expected["house_rake"], left_cents = pool.rake_cents, 0
    expected[f"escrow:{tournament.reference}"] = left_cents
    return expected, left_cents


CHECKS: Final = (
    RowCheck(
        code="T1",
        title=gettext_noop("Every tournament, its entries and meetings follow from its journal"),
        rows=Tournament.objects.all,
        recent=_recent,
        faults=_journal_faults,
        prefix=TOURNAMENT,
    ),
    RowCheck(
        code="T2",
        title=gettext_noop("Every pool holds its fees, or was paid as the final standing says"),
        rows=Tournament.objects.all,
        recent=_recent,
        faults=_pool_faults,
        prefix=TOURNAMENT,
    ),
    ReasonCheck(
        code="T3",
        title=gettext_noop("Every transfer of a tournament has an entry or an end behind it"),
        function="tournaments_unjustified",
        about="t.reference LIKE 'tournament:%%'",
    ),
)
