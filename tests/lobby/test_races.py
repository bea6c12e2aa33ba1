"""Any two simultaneous actions of two people have one outcome."""

from functools import partial

import pytest

from games.models import Challenge, Match, Table
from games.services.challenges import (
    challenge_accept,
    challenge_decline,
    challenge_make,
)
from games.services.lobby import LobbyPairing, quick_pair
from games.services.tables import table_close, table_join, table_open
from games.settlement import StakeNotPossible
from games.table import commands as cmd
from games.table.errors import TableError, TableFull
from harness.sitting import Sitting
from ledger.audit import run
from ledger.selectors import wallet_balance
from tests.aging import challenges_forget, stand_ups_forget
from tests.racing import racers, tries

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = tries(4, long=40)

FREE = {"mode": "normal"}
PRIZE5 = {"mode": "prize5", "stake_cents": 250}


def end_all(*users) -> None:
    """Stand up from every match and close every table before the next try."""
    for table in Table.objects.exclude(phase__in=("over", "closed")):
        if table.phase == "open":
            table_close(user=table.opener, table_id=table.pk)
        else:
            players = (table.opener, table.guest)
            Sitting(table, players).give(0, cmd.StandUp())
    stand_ups_forget()
    challenges_forget()


def played() -> int:
    return Match.objects.count()


def test_two_quick_pairers_find_each_other(magriel, hilde):
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            pairings = race([partial(quick_pair, user=user, **PRIZE5) for user in (magriel, hilde)])
            assert all(isinstance(pairing, LobbyPairing) for pairing in pairings), pairings
            assert sorted(pairing.found for pairing in pairings) == [False, True]
            assert pairings[0].table.pk == pairings[1].table.pk
            assert played() == number
            end_all()
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (10_000, 10_000)


def test_four_quick_pairers_become_two_matches(magriel, hilde, tilo, ida):
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            people = (magriel, hilde, tilo, ida)
            pairings = race([partial(quick_pair, user=user, **PRIZE5) for user in people])
            assert sorted(pairing.found for pairing in pairings) == [False, False, True, True]
            assert played() == 2 * number
            assert not Table.objects.filter(phase="open").exists()
            end_all()


def test_people_who_wait_and_pair_at_once_do_not_lock_each_other_out(magriel, hilde):
    """Each waits at a table that matches the other's wishes: both close the table that they leave.

    If the other player has already sat down with them, the second one finds no table and waits at
    a new one.
    """
    with racers(4) as race:
        for _ in range(TRIES):
            table_open(user=magriel, mode="normal")
            table_open(user=hilde, **PRIZE5)
            outcomes = race(
                [
                    partial(quick_pair, user=magriel, **PRIZE5),
                    partial(quick_pair, user=hilde, mode="normal"),
                ]
            )
            unexpected = [o for o in outcomes if not isinstance(o, LobbyPairing | TableError)]
            assert unexpected == []
            pairings = [o for o in outcomes if isinstance(o, LobbyPairing)]
            assert any(pairing.found for pairing in pairings), outcomes
            waiting = {pairing.table.pk for pairing in pairings if not pairing.found}
            assert set(Table.objects.filter(phase="open").values_list("pk", flat=True)) == waiting
            end_all()


def test_two_take_the_last_seat(magriel, hilde, tilo):
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            table = table_open(user=magriel, **PRIZE5)
            outcomes = race(
                [partial(table_join, user=user, table_id=table.pk) for user in (hilde, tilo)]
            )
            assert sorted(type(o).__name__ for o in outcomes) == ["Table", "TableFull"]
            assert played() == number
            end_all()


def test_sitting_down_against_closing(magriel, hilde):
    with racers(4) as race:
        for _ in range(TRIES):
            before = played()
            table = table_open(user=magriel, **PRIZE5)
            joined, closed = race(
                [
                    partial(table_join, user=hilde, table_id=table.pk),
                    partial(table_close, user=magriel, table_id=table.pk),
                ]
            )
            if isinstance(joined, TableFull):
                assert closed is None
                assert played() == before
            else:
                assert isinstance(closed, TableError)
                assert played() == before + 1
            end_all()


def test_accepting_twice_and_declining_at_once(magriel, hilde):
    with racers(4) as race:
        for _ in range(TRIES):
            Challenge.objects.all().delete()
            before = played()
            challenge = challenge_make(user=magriel, opponent_id=hilde.pk, **FREE)
            answers = race(
                [
                    partial(challenge_accept, user=hilde, challenge_id=challenge.pk),
                    partial(challenge_accept, user=hilde, challenge_id=challenge.pk),
                    partial(challenge_decline, user=hilde, challenge_id=challenge.pk),
                ]
            )
            challenge.refresh_from_db()
            accepted = challenge.state == "accepted"
            assert played() == before + accepted
            assert [isinstance(a, Table) for a in answers[:2]] == [accepted, accepted]
            assert (answers[2] is None) is not accepted
            end_all()


def test_two_who_accept_each_others_challenge_play_one_match(magriel, hilde):
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            theirs = challenge_make(user=magriel, opponent_id=hilde.pk, **FREE)
            mine = challenge_make(user=hilde, opponent_id=magriel.pk, **FREE)
            answers = race(
                [
                    partial(challenge_accept, user=hilde, challenge_id=theirs.pk),
                    partial(challenge_accept, user=magriel, challenge_id=mine.pk),
                ]
            )
            assert sorted(type(a).__name__ for a in answers) == ["ChallengeOver", "Table"]
            assert played() == number
            end_all()


def test_credits_for_one_match_and_two_seats_to_take(magriel, hilde, tilo):
    """tilo has 2.50 left, and two tables for 2.50 wait: he sits down at one of them."""
    from harness.wallets import credits_spent

    credits_spent(tilo, 9_750)
    with racers(4) as race:
        for _ in range(TRIES):
            tables = [table_open(user=user, **PRIZE5) for user in (magriel, hilde)]
            outcomes = race([partial(table_join, user=tilo, table_id=table.pk) for table in tables])
            seated = [o for o in outcomes if isinstance(o, Table)]
            refused = [o for o in outcomes if isinstance(o, StakeNotPossible)]
            assert (len(seated), len(refused)) == (1, 1), outcomes
            assert wallet_balance(tilo.pk) == 0
            end_all()
    found = {result.code for result in run().results if result.findings}
    assert found <= {"A6", "M5"}, "tilo paid back a present; the matches are ended by hand"
