"""Bars keep accounts from new tables; matches of decided cases are voided by two people."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from games.models import Match
from games.services.administration import MayNotDecide
from games.services.bars import Barred, BarredForGood, OpenerBarred, bar_lift, bar_place, bars_of
from games.services.challenges import challenge_accept, challenge_make
from games.services.lobby import quick_pair, tables_close_unpayable
from games.services.match_decisions import match_void_decided
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.decisions import administrator as administrator_named
from ledger.audit import run
from ledger.models import JournalEntry, Transfer

pytestmark = pytest.mark.django_db(transaction=True)

STAKED = {"mode": "prize5", "stake_cents": 250}
FREE = {"mode": "normal"}


def soon(hours=1):
    return timezone.now() + timedelta(hours=hours)


def barred(user, kind, **wish):
    return bar_place(user_id=user.pk, kind=kind, reference="case:1", **wish)


@pytest.mark.parametrize(
    ("kind", "refused"),
    [("stakes", [STAKED]), ("rated", [STAKED, FREE]), ("lobby", [STAKED, FREE])],
)
def test_a_bar_keeps_from_the_tables_that_it_names(magriel, kind, refused):
    barred(magriel, kind, ends_at=soon())
    for terms in (STAKED, FREE):
        if terms in refused:
            with pytest.raises(Barred) as found:
                table_open(user=magriel, **terms)
            assert found.value.fields["until_ms"] > timezone.now().timestamp() * 1000
    allowed = [terms for terms in (FREE, STAKED) if terms not in refused]
    for terms in allowed[:1]:
        table_open(user=magriel, **terms)
    assert len(bars_of(magriel.pk)) == 1


def test_practice_is_always_possible(magriel):
    barred(magriel, "lobby")
    practice_open(user=magriel)


def test_a_bar_without_an_end_stays_until_it_is_lifted(magriel):
    barred(magriel, "lobby")
    barred(magriel, "lobby", ends_at=soon())
    with pytest.raises(BarredForGood):
        table_open(user=magriel, **FREE)
    assert bar_lift(reference="case:1") == 1
    assert bar_lift(reference="case:1") == 0
    table_open(user=magriel, **FREE)


def test_a_bar_ends_by_itself(magriel):
    barred(magriel, "lobby", ends_at=timezone.now() - timedelta(seconds=1))
    table_open(user=magriel, **FREE)
    assert bars_of(magriel.pk) == []


def test_two_who_are_kept_apart_do_not_meet_by_any_way(magriel, hilde, tilo):
    one, other = sorted((magriel, hilde), key=lambda user: user.pk)
    barred(one, "meeting", other_id=other.pk, ends_at=soon())
    table = table_open(user=magriel, **STAKED)
    for attempt in (
        lambda: table_join(user=hilde, table_id=table.pk),
        lambda: challenge_make(user=hilde, opponent_id=magriel.pk, **STAKED),
    ):
        with pytest.raises(Barred):
            attempt()
    assert quick_pair(user=hilde, **STAKED).table.pk != table.pk
    table_join(user=tilo, table_id=table.pk)
    assert Match.objects.get().players == (magriel.pk, tilo.pk)


def test_an_accepted_challenge_is_checked_again(magriel, hilde):
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, **STAKED)
    one, other = sorted((magriel, hilde), key=lambda user: user.pk)
    barred(one, "meeting", other_id=other.pk, ends_at=soon())
    with pytest.raises(Barred):
        challenge_accept(user=hilde, challenge_id=challenge.pk)
    assert not Match.objects.exists()


def test_a_bar_of_two_needs_two_and_one_of_one_takes_no_other(magriel, hilde):
    with pytest.raises(IntegrityError):
        barred(magriel, "meeting")
    with pytest.raises(IntegrityError):
        barred(hilde, "lobby", other_id=magriel.pk)


def test_a_match_of_a_decided_case_is_taken_back_once_by_two_people(sitting, dice):
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    match = Match.objects.get()
    actor, approver = administrator_named("ida"), administrator_named("otto")
    wish = {"match_id": match.pk, "actor": actor, "approver": approver, "reason": "case 1"}
    assert match_void_decided(**wish) is True
    assert match_void_decided(**wish) is False
    assert sitting.balances() == (10_000, 10_000)
    booked = Transfer.objects.get(kind="correct")
    assert (booked.actor, booked.approver) == (actor, approver)
    assert JournalEntry.objects.get(verb="match.void").actor == actor
    assert not [result for result in run().results if result.findings]
    with pytest.raises(MayNotDecide):
        match_void_decided(**wish | {"actor": sitting.players[0]})


def test_nobody_sits_down_with_an_opener_who_was_barred_since(magriel, hilde, tilo):
    table = table_open(user=magriel, **STAKED)
    challenge = challenge_make(user=magriel, opponent_id=tilo.pk, **STAKED)
    barred(magriel, "stakes", ends_at=soon())
    with pytest.raises(OpenerBarred):
        table_join(user=hilde, table_id=table.pk)
    with pytest.raises(OpenerBarred):
        challenge_accept(user=tilo, challenge_id=challenge.pk)
    assert not Match.objects.exists()
    assert tables_close_unpayable() == 1
