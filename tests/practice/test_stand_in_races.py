"""Answers and people who come at the same instant, while the house bot plays."""

from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Match, StandIn, Table
from games.services.lobby import offers_make, quick_pair
from games.services.stand_ins import (
    OfferOver,
    asked_for,
    offer_accept,
    search_end,
    searches_end_due,
    stand_in_open,
)
from games.services.tables import table_close
from harness.logins import logged_in
from tests.practice.seekers import (
    FREE,
    at_the_bot,
    comes,
    time_over,
    two_at_the_bot,
    with_people,
)
from tests.racing import racers, tries

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = tries(4, long=40)


def cleared() -> None:
    """End everything before the next try."""
    StandIn.objects.all().delete()
    running = Match.objects.filter(ended_at=None)
    Table.objects.filter(matches__in=running).update(phase="closed")
    running.update(ended_at=timezone.now(), ending="left")
    for table in Table.objects.filter(phase="open"):
        table_close(user=table.opener, table_id=table.pk)


def test_two_requests_of_one_person_make_one_game(magriel: User) -> None:
    with racers(4) as race:
        for _ in range(TRIES):
            table = quick_pair(user=magriel, **FREE).table
            open_game = partial(stand_in_open, user=magriel, table_id=table.pk, strength="beginner")
            one, two = race([open_game, open_game])
            assert one == two
            cleared()


def test_two_who_come_at_once_meet_each_other_or_one_is_offered(
    magriel: User, hilde: User, tilo: User
) -> None:
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            at_the_bot(magriel)
            came = race([partial(quick_pair, user=user, **FREE) for user in (hilde, tilo)])
            assert sorted(pairing.found for pairing in came) == [False, True]
            assert came[0].table == came[1].table
            assert with_people() == number
            cleared()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["leaves", "takes the bot", "is found", "time"])
def test_a_yes_at_the_very_moment_has_one_outcome(
    magriel: User, hilde: User, tilo: User, what: str
) -> None:
    with racers(4) as race:
        for _ in range(TRIES):
            before = with_people()
            at_the_bot(magriel)
            table = comes(hilde)
            if what == "time":
                time_over()
                StandIn.objects.update(answer_by=timezone.now() + timedelta(milliseconds=20))
            other = {
                "leaves": partial(table_close, user=hilde, table_id=table.pk),
                "takes the bot": partial(
                    stand_in_open, user=hilde, table_id=table.pk, strength="beginner"
                ),
                "is found": partial(quick_pair, user=tilo, **FREE),
                "time": searches_end_due,
            }[what]
            yes, _ = race([partial(offer_accept, user=magriel, table_id=table.pk), other])
            table.refresh_from_db()
            waits = what == "takes the bot" and yes is None
            assert waits or isinstance(yes, Table | OfferOver), yes
            assert (table.guest_id == magriel.pk) is isinstance(yes, Table)
            assert with_people() - before <= 1
            assert matches_of(magriel) <= 1
            cleared()


def matches_of(user: User) -> int:
    """How many matches with people this person plays."""
    running = Match.objects.filter(ended_at=None).exclude(mode="practice")
    return sum(user.pk in match.players for match in running)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["yes", "stay", "time", "closed"])
def test_two_answers_at_the_very_moment_have_one_outcome(
    magriel: User, hilde: User, what: str
) -> None:
    with racers(3) as race:
        for _ in range(TRIES):
            before = with_people()
            own, table = two_at_the_bot(magriel, hilde)
            if what != "yes":
                assert offer_accept(user=hilde, table_id=own.pk) is None
            if what == "time":
                StandIn.objects.update(answer_by=timezone.now() + timedelta(milliseconds=20))
            other = {
                "yes": partial(offer_accept, user=hilde, table_id=own.pk),
                "stay": partial(search_end, hilde.pk),
                "time": searches_end_due,
                "closed": partial(table_close, user=hilde, table_id=table.pk),
            }[what]
            answers = race([partial(offer_accept, user=magriel, table_id=table.pk), other])
            met = [answer for answer in answers if isinstance(answer, Table)]
            assert len(met) == with_people() - before
            assert (len(met), answers.count(None)) == (1, 1) if what == "yes" else len(met) <= 1
            assert all(table.people[1] is not None for table in met)
            assert matches_of(magriel) == matches_of(hilde) == len(met)
            cleared()


def test_two_pairs_are_never_made_of_three(magriel: User, hilde: User, tilo: User) -> None:
    with racers(3) as race:
        for _ in range(TRIES):
            _own, table = two_at_the_bot(magriel, hilde)
            third = at_the_bot(tilo)
            search_end(magriel.pk)
            race([offers_make, offers_make, partial(quick_pair, user=tilo, **FREE)])
            assert asked_for(third.pk).table == table
            assert asked_for(table.pk).table == third
            cleared()


def test_two_taps_at_once_never_leave_two_people_alone(magriel: User, hilde: User) -> None:
    """The second finds the first at an open table or at the bot: seated, or both are asked."""

    def tapped(user: User) -> str:
        return logged_in(Client(), user).post(reverse("play_now"))["location"]

    with racers(2) as race:
        for _ in range(TRIES):
            before = with_people()
            race([partial(tapped, user) for user in (magriel, hilde)])
            asked = StandIn.objects.filter(offered__phase="open").count()
            assert with_people() - before + asked / 2 == 1
            cleared()
