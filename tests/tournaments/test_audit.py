"""The audit of tournaments: faults that somebody with the owner's rights could make are found."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from ledger.audit import Mark, Turn, run
from tests.tournaments.conftest import called, entered, knockout, played
from tournaments.models import Entry, Meeting, Tournament, TournamentEvent


@contextmanager
def without_guards() -> Iterator[None]:
    """Change rows as the owner of the database can, past every trigger."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield


def found() -> set[str]:
    """The checks that fault something, in a whole audit; a recent one finds the same."""
    report = run()
    codes = {result.code for result in report.results if result.findings}
    recent = run(since=Mark(0, Tournament.objects.earliest("created_at").created_at))
    in_turns = run(since=report.reached, turn=Turn(tuple(range(4)), 4))
    for other in (recent, in_turns):
        assert {result.code for result in other.results if result.findings} == codes
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
    assert found() == set()
    return tournament


def test_a_forged_standing_is_found(over):
    event = TournamentEvent.objects.get(tournament=over, payload__type="ended")
    event.payload["ranks"].reverse()
    with without_guards():
        event.save()
    assert found() == {"T1", "T2"}


def test_a_forged_prize_is_found(over):
    last = Entry.objects.filter(tournament=over, prize_cents=0).first()
    with without_guards():
        Entry.objects.filter(tournament=over, first_place=1).update(prize_cents=0)
        Entry.objects.filter(pk=last.pk).update(prize_cents=630)
    assert found() == {"T3"}


def test_another_rake_is_found(over):
    with without_guards():
        Tournament.objects.filter(pk=over.pk).update(rake_bps=2_000)
    assert found() == {"T2"}


def test_a_lost_pairing_is_found(over):
    with without_guards():
        Meeting.objects.filter(tournament=over).last().delete()
    assert found() == {"T1"}


def test_an_exchanged_secret_is_found(over):
    with without_guards():
        Tournament.objects.filter(pk=over.pk).update(secret="00" * 32)
    assert found() == {"T1"}


def test_a_part_changed_after_the_draw_is_found(over):
    with without_guards():
        Entry.objects.filter(tournament=over, number=1).update(part="00" * 16)
    assert found() == {"T1"}


def test_an_entry_that_nobody_paid_is_found(people):
    players = people(5)
    tournament = knockout(8, 250)
    entered(tournament, players[:4])
    with without_guards():
        Entry.objects.create(tournament=tournament, user=players[4], number=5, part="00" * 16)
    assert found() == {"T1"}
    with without_guards():
        TournamentEvent.objects.create(
            tournament=tournament,
            seq=5,
            payload={"type": "entered", "at_ms": 0, "player": players[4].pk},
        )
        Tournament.objects.filter(pk=tournament.pk).update(seq=5)
    assert found() == {"T2"}
