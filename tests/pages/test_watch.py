"""Watching: which matches are shown, in which order, and boards that follow them."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from games.models import Table
from games.pages import watch
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from ratings.models import Rating
from tests.pages.conftest import SmallHouse
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def seated(django_user_model: Any) -> Callable[..., Table]:
    """`seated("ida", "jonas")` is a table at which these two new people play."""

    def sit(*names: str, elo: int = 1500, **wishes: Any) -> Table:
        people = [django_user_model.objects.create_user(name) for name in names]
        for person in people:
            Rating.objects.create(user=person, pool="normal", elo=elo)
        table = table_open(user=people[0], **{"mode": "normal", **wishes})
        table_join(user=people[1], table_id=table.pk)
        return table

    return sit


@pytest.fixture
def playing(house: SmallHouse) -> Sitting:
    """magriel and hilde, who play there."""
    return Sitting(house.playing, (house.magriel, house.hilde))


def boards(client: Client, *tables: object) -> dict[str, Any]:
    return client.get(reverse("watch_boards"), {"table": [str(each) for each in tables]}).json()


def test_everybody_sees_who_plays_whom_the_strongest_first(
    house: SmallHouse, visitor: Client, seated: Callable[..., Table]
) -> None:
    seated("ida", "jonas", elo=1700)
    words = text_of(visitor.get(reverse("watch")))
    assert words.index("ida 1700 0 : 0") < words.index("magriel 1500 0 : 0")
    assert "Play on" not in words
    visitor.force_login(house.hilde)
    assert "Play on magriel – hilde" in text_of(visitor.get(reverse("watch")))


def test_what_is_not_for_everybody_is_not_shown(
    house: SmallHouse, visitor: Client, seated: Callable[..., Table]
) -> None:
    alone = seated("ida", "jonas", watchers=False)
    secret = seated("otto", "paula", private=True)  # without watchers, unless the test wants them
    practice_open(user=house.hilde, strength="beginner")
    page = visitor.get(reverse("watch")).content.decode()
    assert [table for table in Table.objects.all() if str(table.pk) in page] == [house.playing]
    told = boards(visitor, house.playing.pk, alone.pk, secret.pk)
    assert set(told["tables"]) == {str(house.playing.pk)}


def test_no_more_tables_are_read_than_are_needed_and_none_is_missed(
    house: SmallHouse, seated: Callable[..., Table]
) -> None:
    seated("ida", "jonas", watchers=False)
    seated("otto", "paula")
    found = [row["id"] for row in watch.tables_watchable()]
    assert len(found) == 2
    for at_first in (1, 2, 3):
        assert [row["id"] for row in watch.tables_watchable(at_first)] == found
    with CaptureQueriesContext(connection) as asked:
        assert next(watch.tables_watchable(1))["id"] == found[0]
    assert ["LIMIT 1" in query["sql"] for query in asked] == [True]


def test_more_than_fit_are_counted(
    house: SmallHouse,
    visitor: Client,
    seated: Callable[..., Table],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seated("ida", "jonas", elo=1700)
    monkeypatch.setattr(watch, "BOARDS_MAX", 1)
    words = text_of(visitor.get(reverse("watch")))
    assert "ida" in words
    assert "magriel" not in words
    assert "1 more match is being played." in words


def test_boards_are_told_as_they_stand_and_whether_there_are_others(
    house: SmallHouse,
    playing: Sitting,
    visitor: Client,
    seated: Callable[..., Table],
    dice: Callable[..., None],
) -> None:
    dice((3, 1))
    told = boards(visitor, house.playing.pk)
    assert told["more"] is False
    assert told["tables"][str(house.playing.pk)]["phase"] == "roll"
    playing.give(0, cmd.Roll())
    other = seated("ida", "jonas")
    told = boards(visitor, house.playing.pk, uuid4())
    assert told["more"] is True, "ida's match is not on the page"
    view = told["tables"][str(house.playing.pk)]
    assert (view["dice"], view["on_roll"]) == ([3, 1], 0)
    assert {"actions", "graph", "clock"}.isdisjoint(view)
    assert boards(visitor, house.playing.pk, other.pk)["more"] is False


def test_a_question_that_names_no_table_is_refused(visitor: Client) -> None:
    answer = visitor.get(reverse("watch_boards"), {"table": ["one", "two"]})
    assert (answer.status_code, answer.content) == (400, b"table: not the id of a table\n")


def test_an_empty_house_says_how_to_change_that(visitor: Client) -> None:
    words = text_of(visitor.get(reverse("watch")))
    assert "No match to watch at the moment" in words


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_boards_follow_their_matches(
    player: Callable[..., Any],
    playing: Sitting,
    seated: Callable[..., Table],
    dice: Callable[..., None],
) -> None:
    dice((3, 1))
    page = player(None, locale="en-GB")
    page.goto(reverse("watch"))
    board = page.locator("#watch-list svg.bg")
    expect(board).to_have_count(1)
    expect(board.locator(".bg-dice > *")).to_have_count(0)
    playing.give(0, cmd.Roll())
    look_again = "() => document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(look_again)
    expect(board.locator(".bg-dice > *")).to_have_count(2)
    expect(page.locator("#watch-news")).to_be_hidden()

    playing.give(1, cmd.Leave())
    other = seated("ida", "jonas")
    page.evaluate(look_again)
    expect(page.get_by_text("Finished")).to_be_visible()
    page.locator("#watch-news").click()
    card = page.locator(f'[data-table="{other.pk}"]')
    card.click(position={"x": 150, "y": 100})  # on its board
    expect(page).to_have_url(reverse("table", args=[other.pk]))
    assert page.problems == []
