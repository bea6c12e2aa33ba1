"""Colours of the house and of its board: readable ones only, seen before they are saved."""

import random
import re
from dataclasses import replace
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from house.board import (
    COLOURS,
    EXAMPLE,
    LINES,
    POINTS_LEAST,
    RIM_LEAST,
    SETS,
    UNDER,
    HouseBoard,
    board_faults,
    board_style,
    rim,
)
from house.board import (
    LEAST as SEEN_LEAST,
)
from house.colours import ACCENTS, GROUNDS, INKS, LEAST, contrast, lowest, pale, style
from house.models import HouseChange
from house.parts import BadContent, HousePart, content_of
from pasch.web.house_look import COOKIE
from tests.architecture.sources import ROOT
from tests.desk.conftest import at_desk
from tests.desk.test_house_settings import send
from tests.face import test_boards as boards
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


BLUE = {"accent_light": "#0b5f8a", "accent_dark": "#6cc6f5"}
ADDRESS = "/house/0b5f8a/6cc6f5/colours.css"


def pressed(anna: User, part: str, theme: str, **values: str) -> Client:
    """The browser of an administrator who looks at these values in this theme."""
    desk = at_desk(anna)
    data = {"number": "0", "reason": "r", **values, "look": theme}
    assert desk.post(reverse("desk:house_part", args=[part]), data).url == reverse("home")
    return desk


# --- contrast -------------------------------------------------------------------------------------
def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_the_colours_here_are_those_of_the_style_sheet() -> None:
    sheet = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}), #\w{6}\);", sheet))
    darks = dict(re.findall(r"--([\w-]+): light-dark\(#\w{6}, (#\w{6})\);", sheet))
    names = ("bg", "bg-2", "panel", "panel-2")
    assert {"light": tuple(map(pairs.get, names)), "dark": tuple(map(darks.get, names))} == GROUNDS
    assert {"light": pairs["accent"], "dark": darks["accent"]} == ACCENTS
    assert (pairs["accent-ink"], darks["accent-ink"]) == INKS


def test_the_usual_accents_can_be_read() -> None:
    assert pale(ACCENTS["light"], "light") is None
    assert pale(ACCENTS["dark"], "dark") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colour", ["#ffd84a", "#888888", "#2244cc", "#ff0000", "#000000"])
def test_a_suggestion_can_be_read_where_the_colour_cannot(colour, scheme) -> None:
    found = pale(colour, scheme)
    if found is None:
        assert lowest(colour, scheme) >= LEAST
    else:
        assert found.ratio < LEAST <= lowest(found.instead, scheme)


def test_a_pale_colour_is_refused_with_its_ratio_and_a_better_one(anna: User) -> None:
    words = send(at_desk(anna), "colours", accent_light="#FFD84A", accent_dark="#6cc6f5")
    found = pale("#ffd84a", "light")
    assert found is not None
    assert (
        f"the contrast is {found.ratio} and must be 4.5 or more. {found.instead} would do" in words
    )
    assert "Enter a colour such as #8a4b12." in send(at_desk(anna), "colours", accent_dark="red;}")
    assert not HouseChange.objects.exists()


# --- the style sheet ------------------------------------------------------------------------------
def test_every_page_links_the_style_sheet_of_the_house_and_keeps_it_for_ever() -> None:
    assert "colours.css" not in Client().get(reverse("home")).content.decode()
    house_has(HousePart.COLOURS, **BLUE)
    for page in (reverse("home"), "/nothing-here/"):
        assert f'href="{ADDRESS}"' in Client().get(page).content.decode()
    answer = Client().get(ADDRESS)
    assert answer.content.decode() == style(*BLUE.values())
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    assert ADDRESS in Client().get(reverse("worker")).content.decode()


@pytest.mark.parametrize("name", ["ffd84a/6cc6f5", "0b5f8a/222222", "0b5f8a/red", "0b5f8a/6CC6F5"])
def test_no_other_colours_have_a_style_sheet(name: str) -> None:
    assert Client().get(f"/house/{name}/colours.css").status_code == 404


# --- looking --------------------------------------------------------------------------------------
def test_a_look_shows_it_to_the_administrator_alone(anna: User) -> None:
    desk = pressed(anna, "name", "ahorn", name="Tric Trac")
    page = desk.get(reverse("home")).content.decode()
    assert "Tric Trac</title>" in page
    assert 'data-theme="ahorn"' in page
    assert "Preview: only you see this" in page
    assert "Tric Trac" not in Client().get(reverse("home")).content.decode()
    assert not HouseChange.objects.exists()
    desk = pressed(anna, "colours", "nussbaum", **BLUE)
    page = desk.get(reverse("lobby")).content.decode()
    assert ADDRESS in page
    assert 'data-theme="nussbaum"' in page


def test_a_look_changes_its_theme_and_ends(anna: User) -> None:
    desk = pressed(anna, "colours", "ahorn", **BLUE)
    said = {"theme": "nussbaum", "next": reverse("lobby")}
    assert desk.post(reverse("desk:house_look"), said).url == reverse("lobby")
    assert 'data-theme="nussbaum"' in desk.get(reverse("lobby")).content.decode()
    answer = desk.post(reverse("desk:house_look"), {"end": "1"})
    assert answer.url == reverse("desk:house_part", args=["colours"])
    assert ADDRESS not in desk.get(reverse("home")).content.decode()


def test_a_look_is_no_one_elses_and_does_not_last(anna: User, bert: User, monkeypatch) -> None:
    cookie = pressed(anna, "colours", "ahorn", **BLUE).cookies[COOKIE].value
    for other in (Client(), at_desk(bert)):
        other.cookies[COOKIE] = cookie
        assert ADDRESS not in other.get(reverse("home")).content.decode()
    forged = at_desk(anna)
    forged.cookies[COOKIE] = cookie[:-1] + ("A" if cookie[-1] != "A" else "B")
    assert ADDRESS not in forged.get(reverse("home")).content.decode()
    late = at_desk(anna)
    late.cookies[COOKIE] = cookie
    assert ADDRESS in late.get(reverse("home")).content.decode()
    monkeypatch.setattr("pasch.web.house_look.SECONDS", -1)  # ten minutes have passed
    assert ADDRESS not in late.get(reverse("home")).content.decode()


def test_what_decides_about_credits_has_no_look(anna: User) -> None:
    page = text_of(at_desk(anna).get(reverse("desk:house_part", args=["limits"])))
    assert "Look at it" not in page
    desk = at_desk(anna)
    data = {"number": "0", "reason": "r", "minimum_age": "1", "look": "ahorn"}
    desk.post(reverse("desk:house_part", args=["limits"]), data)
    assert COOKIE not in desk.cookies


# --- the board ------------------------------------------------------------------------------------
WALNUT = HouseBoard(**EXAMPLE)
#: a board of each scheme: green felt with ruby checkers, sand with blue points
SHOWN = (
    HouseBoard("#1f5a3a", "#d8b766", "#7c2429", "#efe9e2", "#7f181e"),
    HouseBoard("#efe6d2", "#d2ab74", "#1f5f93", "#f7f2e4", "#123a5c"),
)


def tokens_of(board: HouseBoard) -> tuple[boards.Tokens, boards.Tokens]:
    """The tokens of the board and of its checkers in its style sheet."""
    rules = re.findall(r'\[data-(\w+)="house"\]\S* \{(.*?)\}', board_style(board), re.DOTALL)
    assert [name for name, _rule in rules] == ["board", "checkers"]
    on_board, checkers = (dict(re.findall(r"--([\w-]+): ([^;]+);", rule)) for _n, rule in rules)
    return on_board, checkers


def weak_with_any(board: HouseBoard) -> list[str]:
    """What is too weak on this board with any checkers, and with its checkers on any board."""
    own, checkers = tokens_of(board)
    ways = [(own, boards.tokens(f'[data-checkers="{each}"]')) for each in boards.SETS]
    ways += [(boards.tokens(f'[data-board="{each}"]'), checkers) for each in boards.BOARDS]
    return [words for way in [*ways, (own, checkers)] for words in boards.weak(boards.drawn(*way))]


def unseen(board: HouseBoard) -> list[tuple[str, str]]:
    return [(found.colour, found.code) for found in board_faults(board)]


# --- what a house can choose ----------------------------------------------------------------------
@pytest.mark.parametrize("board", [WALNUT, *SHOWN])
def test_everything_is_seen_on_a_board_that_a_house_can_choose(board: HouseBoard) -> None:
    assert unseen(board) == []
    assert weak_with_any(board) == []


@pytest.mark.slow
def test_everything_is_seen_on_whatever_is_accepted() -> None:
    chance = random.Random(20261126)
    accepted = 0
    while accepted < 20:
        board = HouseBoard(*(f"#{chance.randrange(1 << 24):06x}" for _each in COLOURS))
        for found in board_faults(board):  # mostly bad ones; take what is suggested
            if found.instead:
                board = replace(board, **{found.colour: found.instead})
        if not unseen(board):
            accepted += 1
            assert weak_with_any(board) == [], board


@pytest.mark.parametrize("name", COLOURS)
def test_a_suggestion_is_enough_for_its_colour(name: str) -> None:
    for value in range(0, 256, 15):
        board = replace(WALNUT, **{name: f"#{value:02x}{value:02x}{value:02x}"})
        for found in board_faults(board):
            if not found.instead:
                continue
            least = RIM_LEAST if name.startswith("checkers") else SEEN_LEAST
            assert (found.colour, found.ratio < least) == (name, True)
            again = unseen(replace(board, **{name: found.instead}))
            assert (name, found.code) not in again


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"ground": "#7d7d7d"}, ("ground", "board_ground")),
        ({"points_light": "#4e6e62", "points_dark": "#182b26"}, ("ground", "board_flat")),
        ({"points_light": "#787878"}, ("points_light", "board_point")),
        ({"points_light": "#50796b", "points_dark": "#cdb58a"}, ("points_dark", "board_points")),
        ({"points_dark": "#c8b080"}, ("points_dark", "board_points")),
        ({"checkers_light": "#888888"}, ("checkers_light", "board_light")),
        ({"checkers_dark": "#888888"}, ("checkers_dark", "board_dark")),
        ({"checkers_dark": "#f0e1c4"}, ("checkers_dark", "board_dark")),
    ],
)
def test_what_could_not_be_seen_is_named(change: dict[str, str], fault: tuple[str, str]) -> None:
    assert fault in unseen(replace(WALNUT, **change))


def test_checkers_of_any_house_differ_and_are_seen_on_any_ground() -> None:
    greys = [f"#{value:02x}{value:02x}{value:02x}" for value in range(256)]
    light = min(each for each in greys if contrast(each, rim(each, "#000000")) >= RIM_LEAST)
    dark = max(each for each in greys if contrast(each, rim(each, "#ffffff")) >= RIM_LEAST)
    assert contrast(light, dark) > SEEN_LEAST
    for ground, (face, end) in product(greys, ((light, "#000000"), (dark, "#ffffff"))):
        assert max(contrast(ground, face), contrast(ground, rim(face, end))) >= SEEN_LEAST


def test_a_board_has_all_its_colours_or_none() -> None:
    assert content_of(HousePart.COLOURS, dict.fromkeys(COLOURS, "")) == {}
    assert content_of(HousePart.COLOURS, {**EXAMPLE, "ground": "#24443B"}) == EXAMPLE
    with pytest.raises(BadContent) as caught:
        content_of(HousePart.COLOURS, {"ground": "#24443b", "points_dark": "#50796b"})
    missing = [fault.name for fault in caught.value.faults if fault.code == "board_all"]
    assert missing == ["points_light", "checkers_light", "checkers_dark"]


# --- the colours of Pasch, which are in the style sheet -------------------------------------------
def test_the_colours_of_boards_are_those_of_the_style_sheet() -> None:
    for scheme, board in (("light", "maple"), ("dark", "walnut")):
        found = [boards.colours(board, each) for each in boards.SETS]
        pairs = [(c[f"{side}-2"], c[f"{side}-rim"]) for c, side in product(found, ("me", "op"))]
        assert sorted(SETS[scheme]) == sorted(pairs)
        on_board = found[0]
        lines = [on_board[name] for name in ("mark", "last-from", "arrow", "arrow-2")]
        assert lines == [*LINES[scheme], *LINES[scheme]]
        assert UNDER[scheme] == on_board["arrow-under"]
    walnut = boards.colours("walnut", "ivory")
    names = ("field-1", "pt-a", "pt-b", "me-2", "op-2")
    assert list(EXAMPLE.values()) == [walnut[name] for name in names]


@pytest.mark.parametrize("name", boards.BOARDS)
def test_the_boards_of_pasch_keep_the_rules_of_points(name: str) -> None:
    board = boards.colours(name, "ivory")
    light, dark = sorted((board["pt-a"], board["pt-b"]), key=boards.luminance, reverse=True)
    assert contrast(light, dark) >= POINTS_LEAST
    assert max(contrast(board["field-1"], each) for each in (light, dark)) >= SEEN_LEAST
