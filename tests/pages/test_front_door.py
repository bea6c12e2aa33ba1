"""The front page: its content for visitors, and the game that one press begins."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.live.whereabouts import people_online, person_seen
from games.models import Table
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.tasks import bot_move
from tests.pages.conftest import House
from tests.pages.test_pages import text_of
from tests.services.conftest import dice

__all__ = ["dice"]

pytestmark = pytest.mark.django_db

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_it_says_who_plays_and_how_many_are_here(house: House, visitor: Client) -> None:
    for person in (house.magriel, house.hilde):
        person_seen(person.pk)
    response = visitor.get(reverse("home"))
    words = text_of(response)
    assert "2 people here 1 match being played 1 open table" in words
    assert "magriel 1500 0 : 0" in words
    page = response.content.decode()
    assert f'href="{reverse("table", args=[house.playing.pk])}"' in page
    assert "now-board" not in page, "boards are for the page to watch"


def test_it_shows_no_table_that_is_not_for_everybody(
    house: House, visitor: Client, django_user_model: Any
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


def test_an_empty_house_is_not_ashamed_of_it(db: None, visitor: Client) -> None:
    words = text_of(visitor.get(reverse("home")))
    assert "0 people here 0 matches being played 0 open tables" in words
    assert "Nobody is playing for others to see at this moment." in words


def test_who_has_an_account_practises_as_himself(house: House, visitor: Client) -> None:
    visitor.force_login(house.magriel)
    assert "Play a game now" in text_of(visitor.get(reverse("home")))
    game = {"strength": "beginner", "variant": "backgammon", "clock": "slow"}
    visitor.post(reverse("practice_open"), game)
    assert Table.objects.filter(opener=house.magriel, mode="practice").count() == 1
    assert not User.objects.filter(is_guest=True).exists()


def test_a_stranger_plays_at_one_press_and_finds_his_game_again(
    player: Callable[..., Any], dice: Callable[..., None]
) -> None:
    dice((3, 1), (6, 4), (5, 2))
    page = player(None, **PHONE)
    page.goto("/")
    page.locator("#first-board.drawn").wait_for()
    page.locator("#first-game").get_by_role("combobox").select_option("beginner")
    page.locator(".first-board").click(position={"x": 40, "y": 40})  # anywhere on the board
    page.wait_for_selector("body[data-my-turn=true]")
    table = Table.objects.get()
    assert table.opener.is_guest
    assert table.people[1]["plays_as"] == "beginner"

    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    page.locator('[data-point="8"]').click()
    page.locator('[data-point="6"]').click()
    page.locator('[data-action="done"]').click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert bot_move(str(table.pk)) > 0
    page.wait_for_selector("body[data-my-turn=true]")
    assert people_online(40) == [], "guests are not among those who are here"

    page.goto("/")
    expect(page.get_by_text("Dein Spiel gegen den Hausbot läuft noch.")).to_be_visible()
    page.get_by_role("link", name="Weiterspielen").click()
    page.wait_for_selector("body[data-my-turn=true]")
    assert page.problems == []


def test_without_scripts_the_press_leads_to_the_table_as_well(player: Callable[..., Any]) -> None:
    page = player(None, java_script_enabled=False)
    page.goto("/")
    expect(page.locator(".first-board svg.art")).to_be_visible()
    page.get_by_role("button", name="Jetzt ein Spiel spielen").click()
    expect(page).to_have_url(f"/table/{Table.objects.get().pk}/")
    expect(page.get_by_role("link", name="Konto anlegen")).to_be_visible()
