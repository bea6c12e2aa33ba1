"""The origin of a player's credits, and the marks of the desk."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.utils import timezone

from accounts.models import User
from games.desk.origins import OriginMark, origins_of
from games.models import GameDice, Match, Table

pytestmark = pytest.mark.django_db

STAKE_CENTS = 1000


@pytest.fixture
def elders(db: None) -> list[User]:
    """Five players whose accounts are a month old."""
    people = [User.objects.create_user(name) for name in ("ada", "ben", "cleo", "dora", "emil")]
    User.objects.update(date_joined=timezone.now() - timedelta(days=30))
    return [User.objects.get(pk=each.pk) for each in people]


def won(winner: User, loser: User, *, rolls: int = 60, days_ago: int = 1) -> None:
    """A prize match that ended so long ago; its winner got 18.00."""
    at = timezone.now() - timedelta(days=days_ago)
    table = Table.objects.create(
        opener=winner, guest=loser, mode="prize5", variant="backgammon",
        stake_cents=STAKE_CENTS, phase="over", seq=1, state={},
    )  # fmt: skip
    match = Match.objects.create(
        table=table, number=1, mode="prize5", variant="backgammon", player_0=winner,
        player_1=loser, stake_cents=STAKE_CENTS, winner_seat=0, ending="left", points=5,
        paid_cents=[1800, 0], rake_cents=200, started_at=at, ended_at=at,
    )  # fmt: skip
    GameDice.objects.create(
        table=table, match=match, number=1, mode="K", terms="", house_tip=b"", house_secret=b"",
        sides=[], next_roll=rolls, open_hash=b"1", signature=b"1", opened_at=at,
    )  # fmt: skip


def test_credits_from_three_opponents_in_whole_matches_are_not_marked(elders: list[User]) -> None:
    ada, *others = elders
    for other in others[:3]:
        won(ada, other)
    found = origins_of(ada)
    assert [each.won_cents for each in found.opponents] == [800, 800, 800]
    assert [each.share_percent for each in found.opponents] == [33, 33, 33]
    assert found.marks == ()


def test_half_of_it_from_one_opponent_is_marked(elders: list[User]) -> None:
    ada, ben, cleo, dora, _ = elders
    for other in (ben, ben, cleo, dora):
        won(ada, other)
    assert origins_of(ada).marks == (OriginMark.ONE_OPPONENT,)


def test_matches_that_were_hardly_played_are_marked(elders: list[User]) -> None:
    ada, ben, cleo, dora, _ = elders
    won(ada, ben, rolls=4)
    won(ada, cleo)
    won(ada, dora)
    found = origins_of(ada)
    assert found.marks == (OriginMark.HARDLY_PLAYED,)
    assert sum(each.hardly_played for each in found.opponents) == 1


def test_losing_quickly_is_no_mark_for_the_loser(elders: list[User]) -> None:
    ada, ben, *_ = elders
    won(ada, ben, rolls=1)
    assert origins_of(ben).marks == ()
    assert origins_of(ben).opponents == []


def test_an_opponent_of_the_same_network_is_marked(elders: list[User]) -> None:
    ada, *others = elders
    for other in others[:3]:
        won(ada, other)
    for number, (user, address) in enumerate([(ada, "2001:db8::1"), (others[2], "2001:db8::2")]):
        UserSession.objects.create(user=user, ip=address, session_key=str(number), user_agent="")
    found = origins_of(ada)
    assert found.marks == (OriginMark.ONE_NETWORK,)
    assert [each.opponent for each in found.opponents if each.same_network] == [others[2]]


def test_what_is_a_month_old_is_not_looked_at(elders: list[User]) -> None:
    ada, ben, *_ = elders
    won(ada, ben, rolls=1, days_ago=31)
    assert origins_of(ada).opponents == []


def test_a_new_account_is_marked(magriel: User) -> None:
    assert origins_of(magriel).marks == (OriginMark.YOUNG_ACCOUNT,)
