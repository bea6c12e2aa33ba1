"""Audit of tournaments: rows against the journal, and the books against both.

It stands in the site because it sees tournaments and the books; the prizes are derived anew from
the final standing, and the draw from the secret and the parts.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from cryptography.exceptions import InvalidTag
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.services.dice.keys import draw_show
from ledger.audit import AuditFinding, AuditMark, AuditTurn
from ledger.audit_books import rows_found, rows_in_turns, rows_since
from ledger.postings import promo_key
from ledger.selectors import booked_about, references_since
from pasch.audits.matches import OVERLAP
from pasch.audits.parts import booking_faults, or_in_turn
from tournaments.engine.derived import faults_of
from tournaments.engine.draws import commitment_of, part_of_seat, seed_of
from tournaments.engine.state import TournamentState
from tournaments.models import Entry, Meeting, Tournament, TournamentEvent
from tournaments.services.running import pool_of, side_winners
from tournaments.services.store import engine_of
from tournaments.settlement import CAMPAIGN

CHUNK = 100
"""So many tournaments are read at once."""

TOURNAMENT = "tournament:"


def check_journals() -> Iterator[AuditFinding]:
    """Every tournament, its entries and meetings follow from its journal."""
    yield from _journal_faults(Tournament.objects.all())


def check_recent_journals(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the tournaments in which something happened since."""
    yield from _journal_faults(Tournament.objects.filter(_recent(mark)))


def check_journals_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    yield from _journal_faults(_in_turns(mark, turn))


def check_pools() -> Iterator[AuditFinding]:
    """Every pool holds its fees, or was paid as the final standing says."""
    yield from _pool_faults(Tournament.objects.all())


def check_recent_pools(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the tournaments in which something happened since."""
    yield from _pool_faults(Tournament.objects.filter(_recent(mark)))


def check_pools_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    yield from _pool_faults(_in_turns(mark, turn))


_REASONS = """
    SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ': ' || fault
    FROM ledger_transfer t CROSS JOIN LATERAL tournaments_unjustified(t) fault
    WHERE t.id > %(since)s AND fault IS NOT NULL AND t.reference LIKE 'tournament:%%'
"""


def check_reasons() -> Iterator[AuditFinding]:
    """Every transfer of a tournament has an entry or an end behind it that says the same."""
    return rows_found(_REASONS, since=0)


def check_recent_reasons(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the transfers since."""
    return rows_since(_REASONS, mark)


def check_reasons_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some parts of the others."""
    return rows_in_turns(_REASONS, mark, turn)


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    happened = TournamentEvent.objects.filter(tournament=OuterRef("pk"), stored_at__gte=since)
    booked = [
        reference.removeprefix(TOURNAMENT)
        for reference in references_since(mark.transfer_id)
        if reference.startswith(TOURNAMENT)
    ]
    return Q(Exists(happened)) | Q(created_at__gte=since) | Q(pk__in=booked)


def _in_turns(mark: AuditMark, turn: AuditTurn) -> QuerySet[Tournament]:
    return or_in_turn(Tournament.objects.all(), _recent(mark), "id", turn, prefix=TOURNAMENT)


def _journal_faults(tournaments: QuerySet[Tournament]) -> Iterator[AuditFinding]:
    for tournament in tournaments.order_by("created_at").iterator(chunk_size=CHUNK):
        try:
            engine = engine_of(tournament)
            derived = list(faults_of(engine.terms, engine.journal))
        except (ValueError, LookupError, AssertionError) as error:
            yield AuditFinding(tournament.reference, f"its journal cannot be read: {error}")
            continue
        for fault in (*derived, *_event_faults(tournament), *_faults(tournament, engine.state)):
            yield AuditFinding(tournament.reference, fault)


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


def _faults(tournament: Tournament, state: TournamentState) -> Iterator[str]:
    seqs = list(tournament.events.order_by("seq").values_list("seq", flat=True))
    if seqs != list(range(1, tournament.seq + 1)):
        yield f"its events do not count from 1 to {tournament.seq}"
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
    for number in rows:
        yield f"meeting {number} is no pairing of its journal"


def _seat_faults(tournament: Tournament) -> Iterator[str]:
    """A seat belongs to somebody who won it, with the part that follows or that they gave."""
    won = Entry.objects.filter(tournament=tournament, won_in__isnull=False)
    for entry in won.select_related("won_in"):
        satellite = entry.won_in
        assert satellite is not None
        state = engine_of(satellite).state
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
    running = tournaments.filter(fee_cents__gt=0).order_by("created_at").iterator(chunk_size=CHUNK)
    while some := list(islice(running, CHUNK)):
        told = booked_about([each.reference for each in some])
        for tournament in some:
            yield from booking_faults(tournament.reference, told, *_expected(tournament))


def _expected(tournament: Tournament) -> tuple[Counter[str], int]:
    """Everything booked about a tournament by account, and the rest in its escrow."""
    state = engine_of(tournament).state
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
