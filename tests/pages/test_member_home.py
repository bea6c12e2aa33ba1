"""The front page of a member: their games, people, their day, their last match, what comes next."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.lessons.registry import ALL as LESSONS
from games.live.presence import person_seen
from games.models import LearntStep, Match, Table
from games.selectors import table_terms
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.sitting import Sitting
from tests.pages.conftest import SmallHouse
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


def home(person: User) -> Any:
    return logged_in(Client(headers={"accept-language": "en"}), person).get("/")


def seated(one: User, two: User) -> Sitting:
    """A table at which these two play; the first one has opened it."""
    table = table_open(user=one, mode="normal")
    table_join(user=two, table_id=table.pk)
    return Sitting(table, (one, two))


def golden(page: str) -> int:
    return len(re.findall(r'class="[^"]*button-primary', page))


def test_the_heading_is_the_state_of_the_games(house: SmallHouse) -> None:
    assert "<h1>Your turn</h1>" in home(house.magriel).content.decode()
    assert "<h1>magriel to move</h1>" in home(house.hilde).content.decode()
    seated(house.magriel, User.objects.create_user("ida"))
    response = home(house.magriel)
    assert "Your turn in 2 games" in text_of(response)
    page = response.content.decode()
    assert page.count("data-own=") == 2
    assert golden(page) == 1
    assert page.count('class="bg bg-drawing"') >= 2, "the server draws the boards"


def test_games_beyond_four_are_counted(house: SmallHouse) -> None:
    for number in range(4):
        seated(house.magriel, User.objects.create_user(f"other{number}"))
    response = home(house.magriel)
    assert "and 1 more game" in text_of(response)
    assert response.content.decode().count("data-own=") == 4


def test_without_a_game_the_golden_button_is_a_new_one(
    house: SmallHouse, playing_ended: Match
) -> None:
    response = home(house.hilde)
    words = text_of(response)
    assert "Good to see you. A game?" in words
    assert "magriel again" in words
    page = response.content.decode()
    assert golden(page) == 1
    assert 'id="play-now"' in page
    assert " 0 " not in re.sub(r"\d+ : \d+", "", words)


@pytest.fixture
def playing_ended(house: SmallHouse) -> Match:
    """The match at the table of the house, which hilde has left."""
    Sitting(house.playing, (house.magriel, house.hilde)).give(1, cmd.Leave())
    return Match.objects.get(table=house.playing.pk)


def test_who_is_here_can_be_challenged_or_watched(house: SmallHouse, playing_ended: Match) -> None:
    ida, jonas = map(User.objects.create_user, ("ida", "jonas"))
    bot = User.objects.create_user("robot", is_bot=True)
    for person in (house.hilde, house.magriel, ida, bot):
        person_seen(person.pk)
    watched = seated(ida, jonas)
    page = home(house.hilde).content.decode()
    people = page[page.index("home-people") : page.index("home-today")]
    assert "/player/magriel/challenge/" in people
    assert f"/table/{watched.pk}/" in people
    assert "/player/ida/challenge/" not in people
    assert "robot" not in people
    assert "hilde" not in people


def test_with_nobody_here_the_last_opponents_are_invited(
    house: SmallHouse, playing_ended: Match
) -> None:
    words = text_of(home(house.hilde))
    assert "Nobody else is here right now. Your last opponents: " in words
    assert "Invite magriel" in words


def test_the_order_of_the_document_is_that_of_a_phone(
    house: SmallHouse, playing_ended: Match
) -> None:
    page = home(house.hilde).content.decode()
    parts = ["home-continue", "home-people", "home-today", "home-last"]
    places = [page.index(f' {part}"') for part in parts]
    assert places == sorted(places)


def test_a_match_that_was_not_begun_is_no_last_match(
    house: SmallHouse, playing_ended: Match
) -> None:
    assert playing_ended.ending == "stood_up"
    words = text_of(home(house.hilde))
    assert "Your last match Replay Against magriel" in words
    assert "lost 0 : 5 The match is being analysed." in words


def test_the_page_asks_no_more_for_more_games_and_people(
    house: SmallHouse, playing_ended: Match
) -> None:
    counts = []
    for name in ("ida", "jonas", "paula"):
        other = User.objects.create_user(name)
        person_seen(other.pk)
        seated(house.hilde, other)
        client = logged_in(Client(), house.hilde)
        client.get("/")
        with CaptureQueriesContext(connection) as asked:
            client.get("/")
        counts.append(len(asked))
    assert len(set(counts)) == 1
    assert counts[0] <= 45


def test_a_new_member_sees_three_steps_that_go_when_they_are_done(db: None) -> None:
    ida = User.objects.create_user("ida")
    client = logged_in(Client(headers={"accept-language": "en"}), ida)
    page = client.get("/").content.decode()
    assert "<h1>Welcome, ida</h1>" in page
    assert golden(page) == 1
    assert [name in page for name in STEPS] == [True, True, True]
    assert 'action="/play/now/" id="play-now"' in page
    client.post("/play/now/")
    terms = table_terms(Table.objects.get(mode="practice"))
    assert (terms.clock, terms.has_cube) == ("none", False)
    page = client.get("/").content.decode()
    assert [name in page for name in STEPS] == [False, True, True]
    for step in LESSONS[0].steps:
        LearntStep.objects.create(person=ida, lesson=LESSONS[0].key, step=step.key, solved=True)
    Table.objects.filter(opener=ida, phase="open").update(code="BCDFGHJK")
    page = client.get("/").content.decode()
    assert [name in page for name in STEPS] == [False, False, False]
    assert "Lesson 2" in page


STEPS = ("Your first game", "Learn the moves", "Play a friend")
