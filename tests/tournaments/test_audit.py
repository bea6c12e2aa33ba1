"""The audit of tournaments: faults that somebody with the owner's rights could make are found."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from games.services.dice.keys import draw_show
from harness.tournaments import called, entered, knockout, played
from ledger.audit import AuditMark, AuditReport, AuditTurn, run
from tests.aging import guards_off
from tournaments.models import Entry, Meeting, Tournament, TournamentEvent
from tournaments.services.store import JOURNAL

pytestmark = pytest.mark.slow


def found() -> set[str]:
    """The checks that fault something, in a whole audit; a recent one finds the same.

    The log of changes (A19) is left out: it names every row that was changed without guards.
    """

    def faulting(report: AuditReport) -> set[str]:
        return {result.code for result in report.results if result.findings} - {"A19"}

    report = run()
    codes = faulting(report)
    recent = run(since=AuditMark(0, Tournament.objects.earliest("created_at").created_at))
    in_turns = run(since=report.reached, turn=AuditTurn(tuple(range(4)), 4))
    for other in (recent, in_turns):
        assert faulting(other) == codes
    return codes


@pytest.fixture
def over(people, dice) -> Tournament:
    """A finished sit-and-go for credits."""
    tournament = knockout(4, 250)
    entered(tournament, people(4))
    while meetings := called(tournament):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    tournament.refresh_from_db()
    assert tournament.phase == "over"
    return tournament


def test_nothing_is_found_where_nothing_was_changed(over):
    assert found() == set()


def test_a_forged_standing_is_found(over):
    event = TournamentEvent.objects.get(tournament=over, payload__type="ended")
    event.payload["ranks"].reverse()
    with guards_off():
        event.save()
    assert found() == {"T1", "T2"}


def t1_faults() -> list[str]:
    """What T1 finds, without the names of the rows."""
    (result,) = run(only=["T1"]).results
    return [finding.message for finding in result.findings]


def changed(event: TournamentEvent, **values: object) -> None:
    """Change the payload of an event past every guard."""
    event.payload |= values
    with guards_off():
        event.save()


def test_a_forged_result_is_found(over):
    """Journal, ranks, rows agree with each other, but the match of the final was won by another."""
    state = JOURNAL.replayed(over)
    final = state.pairings[state.next_number - 1]
    decided = TournamentEvent.objects.get(
        tournament=over, payload__type="decided", payload__number=final.number
    )
    changed(decided, winner=final.loser)
    ended = TournamentEvent.objects.get(tournament=over, payload__type="ended")
    first, second, *others = ended.payload["ranks"]
    changed(ended, ranks=[second, first, *others])
    assert t1_faults()[0] == "its stored state differs from its events"
    with guards_off():
        over.state = JOURNAL.plain(JOURNAL.replayed(over))
        over.save()
        for entry in list(Entry.objects.filter(tournament=over, first_place__lte=2)):
            place = 3 - entry.first_place
            Entry.objects.filter(pk=entry.pk).update(first_place=place, last_place=place)
    assert t1_faults() == [f"decided event {decided.seq}: its match says otherwise"]


def test_ranks_that_no_result_gives_are_found(over):
    ended = TournamentEvent.objects.get(tournament=over, payload__type="ended")
    changed(ended, ranks=ended.payload["ranks"][::-1])
    assert "its ranks do not follow from its results" in t1_faults()


def test_another_order_and_other_pairings_are_found(over):
    drawn = TournamentEvent.objects.get(tournament=over, payload__type="drawn")
    changed(drawn, order=drawn.payload["order"][::-1])
    faults = t1_faults()
    assert "its order does not follow from its seed" in faults
    assert "pairing 1 does not follow from the results before it" in faults


#: what the application's role could write to decide a tournament by itself
FORGED: dict[str, dict[str, object]] = {
    "a result": {"type": "decided", "number": 1, "winner": "one", "how": "played"},
    "an award": {
        "type": "decided", "number": 1, "winner": "one", "how": "no_show", "director": "three",
    },
    "a result by withdrawal": {
        "type": "decided", "number": 1, "winner": "one", "how": "withdrawn",
    },
    "a withdrawal": {"type": "withdrew", "player": "one"},
    "a correction": {
        "type": "corrected", "number": 1, "winner": "one", "reason": "x", "director": "three",
    },
    "an end": {"type": "ended", "ranks": [["one"]], "version": 2},
    "an end by rules that never were": {"type": "ended", "ranks": [["one"]], "version": 1},
    "a director's calling off": {"type": "called_off", "reason": "x", "director": "three"},
    "a calling off": {"type": "called_off", "reason": "too_few"},
    "another draw": {"type": "drawn", "seed": "00" * 32, "order": ["one"]},
}  # fmt: skip


@pytest.fixture
def running(people) -> Tournament:
    """A sit-and-go for credits whose first matches are called."""
    tournament = knockout(4, 250)
    entered(tournament, people(4))
    return tournament


@pytest.mark.parametrize("name", FORGED)
def test_the_database_refuses_an_event_that_has_not_happened(running, name):
    one, two = called(running)[0].players
    ids = {"one": one, "two": two, "three": called(running)[1].player_0_id}
    payload = {key: ids.get(str(value), value) for key, value in FORGED[name].items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        TournamentEvent.objects.create(
            tournament=running, seq=running.seq + 1, payload={"at_ms": 0, **payload}
        )


OTHER_MATCH = "(SELECT match_id FROM tournaments_meeting WHERE decided_at IS NOT NULL)"


@pytest.mark.parametrize(
    "change",
    [
        "decided_at = now()",
        "undone = true",
        "place = 'main/9/9'",
        "due_at = called_at + interval '4 minutes'",
        f"(match_id, table_id) = (SELECT id, table_id FROM games_match WHERE id = {OTHER_MATCH})",
    ],
)
def test_a_pairing_has_no_other_match_or_result(running, dice, change):
    one, two = called(running)
    played(one, one.player_0)
    if "match_id" in change:  # a match counts for one pairing only
        change = f"{change} "
        with guards_off():
            Meeting.objects.filter(pk=one.pk).update(match=None)
        change = change.replace(OTHER_MATCH, f"'{one.match_id}'")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tournaments_meeting SET {change} WHERE id = %s", [two.pk])


def test_a_pairing_that_is_due_early_is_found(running):
    with guards_off():
        Meeting.objects.update(due_at=F("called_at"))
    assert t1_faults() == [
        f"pairing {number} gives its players another time than they have" for number in (1, 2)
    ]


def test_a_pairing_keeps_its_match(running, dice):
    one = called(running)[0]
    played(one, one.player_0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Meeting.objects.filter(pk=one.pk).update(match=None, table=None)


@pytest.mark.parametrize("values", [{"first_place": 1, "last_place": 1}, {"prize_cents": 900}])
def test_nobody_gets_a_place_or_a_prize_before_the_end(running, values):
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.filter(tournament=running, number=1).update(**values)


def test_who_reads_the_database_cannot_compute_the_draw(people, settings):
    tournament = knockout(4, 250)
    secret = draw_show(tournament.pk, bytes(tournament.hidden_secret))
    with connection.cursor() as cursor:
        cursor.execute("SELECT t::text FROM tournaments_tournament t")
        ((row,),) = cursor.fetchall()
    assert secret not in row
    assert tournament.commitment in row
    with pytest.raises(IntegrityError), transaction.atomic():  # nor does anybody exchange it
        Tournament.objects.filter(pk=tournament.pk).update(secret="00" * 32)
    entered(tournament, people(4))
    assert tournament.secret == secret
    assert t1_faults() == []
    settings.DICE_KEY = "another key"
    assert t1_faults() == ["its secret is not the one that was published sealed"]


def test_a_forged_prize_is_found(over):
    last = Entry.objects.filter(tournament=over, prize_cents=0).first()
    with guards_off():
        Entry.objects.filter(tournament=over, first_place=1).update(prize_cents=0)
        Entry.objects.filter(pk=last.pk).update(prize_cents=630)
    assert found() == {"T3"}


def test_another_rake_is_found(over):
    with guards_off():
        Tournament.objects.filter(pk=over.pk).update(rake_bps=2_000)
    assert found() == {"T2"}


def test_a_lost_pairing_is_found(over):
    with guards_off():
        Meeting.objects.filter(tournament=over).last().delete()
    assert found() == {"T1"}


def test_an_exchanged_secret_is_found(over):
    with guards_off():
        Tournament.objects.filter(pk=over.pk).update(secret="00" * 32)
    assert found() == {"T1"}


def test_a_part_changed_after_the_draw_is_found(over):
    with guards_off():
        Entry.objects.filter(tournament=over, number=1).update(part="00" * 16)
    assert found() == {"T1"}


def test_an_entry_that_nobody_paid_is_found(people):
    players = people(5)
    tournament = knockout(8, 250)
    entered(tournament, players[:4])
    with guards_off():
        Entry.objects.create(tournament=tournament, user=players[4], number=5, part="00" * 16)
    assert found() == {"T1"}
    with guards_off():
        TournamentEvent.objects.create(
            tournament=tournament,
            seq=5,
            payload={"type": "entered", "at_ms": 0, "player": players[4].pk},
        )
        tournament.seq, tournament.state = 5, JOURNAL.plain(JOURNAL.replayed(tournament))
        tournament.save()
    assert found() == {"T2"}
