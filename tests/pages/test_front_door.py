"""The front page and the page to watch: ways to play, running games, boards that follow."""

import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from games.live.presence import person_seen
from games.models import Table
from games.pages import counts, watch
from games.services.practice import practice_open
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from games.tasks import bot_move
from harness.sitting import Sitting
from ratings.models import Rating
from tests.pages.conftest import SmallHouse
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_it_shows_who_plays_and_how_many_are_here(house: SmallHouse, visitor: Client) -> None:
    for person in (house.magriel, house.hilde):
        person_seen(person.pk)
    response = visitor.get(reverse("home"))
    words = text_of(response)
    assert "2 people here · 1 match being played" in words
    assert "magriel 1500 0 : 0" in words
    page = response.content.decode()
    assert f'href="{reverse("table", args=[house.playing.pk])}"' in page
    assert "now-board" in page


def test_what_is_played_is_counted_once_in_some_seconds(
    house: SmallHouse, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    assert counts.played_count() == 1
    monkeypatch.setattr(counts._played, "until", 0.0)  # as it is before the first page
    settings.COUNTS_SECONDS = 60
    with CaptureQueriesContext(connection) as asked:
        assert [counts.played_count() for _page in range(3)] == [1, 1, 1]
    assert len(asked) == 1
    monkeypatch.setattr(counts._played, "until", time.monotonic())
    Table.objects.filter(pk=house.playing.pk).update(code="BCDFGHJK")  # private: not counted
    assert counts.played_count() == 0


def test_a_stranger_is_offered_free_games_with_their_minutes(
    house: SmallHouse, visitor: Client
) -> None:
    table_open(user=house.magriel, mode="match", target_points=3)
    words = text_of(visitor.get(reverse("home")))
    assert "Play now free, no account" in words
    assert "One game about 5 min a bot until a player comes" in words
    assert "Match to 3 about 12 min 1 waiting" in words
    assert "All tables, also for credits" in words


def test_a_running_match_comes_first_and_hides_the_ways_to_another(
    house: SmallHouse, visitor: Client
) -> None:
    visitor.force_login(house.magriel)
    words = text_of(visitor.get(reverse("home")))
    assert "Your turn Against hilde Game 1 ·" in words
    assert "Pot 5.00 ℂ Back to the table" in words
    assert "Play now" not in words
    assert "Watch magriel" not in words, "one's own match is on its card alone"
    assert "All tables, also for credits" not in words
    visitor.force_login(house.hilde)
    assert "magriel to move Against magriel" in text_of(visitor.get(reverse("home")))


def test_it_shows_no_table_that_is_not_for_everybody(
    house: SmallHouse, visitor: Client, django_user_model: Any
) -> None:
    ida, jonas, otto = map(django_user_model.objects.create_user, ("ida", "jonas", "otto"))
    alone = table_open(user=ida, mode="normal", watchers=False)
    table_join(user=jonas, table_id=alone.pk)
    secret = table_open(user=otto, mode="normal", private=True, watchers=True)
    table_join(user=house.hilde, table_id=secret.pk)
    practice = practice_open(user=house.hilde, strength="beginner")
    page = visitor.get(reverse("home")).content.decode()
    shown = [table for table in Table.objects.all() if str(table.pk) in page]
    assert shown == [house.playing]
    assert practice not in shown


def test_an_empty_house_invites_to_open_a_table(db: None, visitor: Client) -> None:
    words = text_of(visitor.get(reverse("home")))
    assert "0 people" not in words
    assert "Open a table and the next visitor can join you." in words


def test_where_nobody_plays_the_last_match_is_shown(house: SmallHouse, visitor: Client) -> None:
    table_command(
        table_id=house.playing.pk,
        user_id=house.magriel.pk,
        command_id="leaves",
        seen_seq=Table.objects.get(pk=house.playing.pk).seq,
        command=cmd.Roll(),
    )
    table_command(
        table_id=house.playing.pk,
        user_id=house.magriel.pk,
        command_id="leaves again",
        seen_seq=Table.objects.get(pk=house.playing.pk).seq,
        command=cmd.Leave(),
    )
    words = text_of(visitor.get(reverse("home")))
    assert "Latest finished match: magriel – hilde . hilde won by forfeit." in words


@pytest.mark.slow
def test_a_stranger_plays_a_person_or_the_bot_at_one_press_and_finds_the_game_again(
    player: Callable[..., Any], dice: Callable[..., None]
) -> None:
    dice((3, 1), (6, 4), (5, 2))
    page = player(None, **PHONE)
    page.goto("/")
    page.locator("#first-board.drawn").wait_for()
    page.get_by_role("button", name="Jetzt spielen").click()
    page.wait_for_selector("body[data-my-turn=true]")  # the bot begins by itself
    table = Table.objects.get(mode="practice")
    assert table.opener.is_guest

    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    page.locator('[data-point="8"]').click()
    page.locator('[data-point="6"]').click()
    page.locator('[data-action="done"]').click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert bot_move(str(table.pk)) > 0
    page.wait_for_selector("body[data-my-turn=true]")

    page.goto("/rules/")
    expect(page.get_by_test_id("running")).to_contain_text("Dein Zug")
    page.goto("/")
    expect(page.locator(".own-kicker")).to_have_text("Du bist am Zug")
    expect(page.locator(".own-game svg.bg-drawing")).to_be_visible()
    page.get_by_role("link", name="Zurück an den Tisch").click()
    page.wait_for_selector("body[data-my-turn=true]")
    assert page.problems == []


@pytest.mark.slow
def test_without_scripts_the_bot_is_one_press_away(player: Callable[..., Any]) -> None:
    page = player(None, java_script_enabled=False)
    page.goto("/")
    expect(page.locator(".first-board svg.art")).to_be_visible()
    page.get_by_role("button", name="Jetzt spielen").click()
    expect(page).to_have_url(f"/table/{Table.objects.get(mode='practice').pk}/")
    expect(page.get_by_role("link", name="Konto anlegen")).to_be_visible()


# --- watching -------------------------------------------------------------------------------------
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
