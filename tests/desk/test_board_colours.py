"""The colours of the house's board: which ones a house can choose, and that all of it is seen."""

import random
import re
from dataclasses import replace
from itertools import product

import pytest

from house.board import (
    COLOURS,
    EXAMPLE,
    LEAST,
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
from house.colours import contrast
from house.parts import BadContent, HousePart, content_of
from tests.face import test_boards as boards

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
            least = RIM_LEAST if name.startswith("checkers") else LEAST
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
    assert contrast(light, dark) > LEAST
    for ground, (face, end) in product(greys, ((light, "#000000"), (dark, "#ffffff"))):
        assert max(contrast(ground, face), contrast(ground, rim(face, end))) >= LEAST


def test_a_board_has_all_its_colours_or_none() -> None:
    assert content_of(HousePart.COLOURS, dict.fromkeys(COLOURS, "")) == {}
    assert content_of(HousePart.COLOURS, {**EXAMPLE, "ground": "#24443B"}) == EXAMPLE
    with pytest.raises(BadContent) as caught:
        content_of(HousePart.COLOURS, {"ground": "#24443b", "points_dark": "#50796b"})
    missing = [fault.name for fault in caught.value.faults if fault.code == "board_all"]
    assert missing == ["points_light", "checkers_light", "checkers_dark"]


# --- the colours of Pasch, which are in the style sheet -------------------------------------------
def test_the_colours_here_are_those_of_the_style_sheet() -> None:
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
    assert max(contrast(board["field-1"], each) for each in (light, dark)) >= LEAST
