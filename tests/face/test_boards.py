"""Every board with every set of checkers can be seen: contrasts, from the style sheet."""

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from accounts.preferences import BoardChoice, Checkers

SHEET: Final = Path(__file__).parents[2] / "static" / "css" / "boards.css"
#: WCAG 2.2, 1.4.11: what is needed to understand a picture
LEAST: Final = 3.0
GROUNDS: Final = ("field-1", "field-2", "pt-a", "pt-a2", "pt-b", "pt-b2", "tray-1", "tray-2")
FIELDS: Final = ("field-1", "field-2")
#: `theme` and `house` are these, or what a house chose (tests/desk/test_house_colours.py)
BOARDS: Final = [
    board for board in BoardChoice.values if board not in (BoardChoice.THEME, BoardChoice.HOUSE)
]
SETS: Final = [each for each in Checkers.values if each != Checkers.HOUSE]

Tokens = dict[str, str]


def tokens(selector: str) -> Tokens:
    """The tokens of the rule whose last selector this is."""
    rule = re.search(re.escape(selector) + r" \{(.*?)\}", SHEET.read_text(), re.DOTALL)
    assert rule, selector
    return dict(re.findall(r"--([\w-]+): ([^;]+);", rule[1]))


def colours(board: str, checkers: str) -> Tokens:
    """The colours of a pair as they are drawn."""
    return drawn(tokens(f'[data-board="{board}"]'), tokens(f'[data-checkers="{checkers}"]'))


def drawn(board: Tokens, checkers: Tokens) -> Tokens:
    """The colours of a board and a set over those that every board and every set has."""
    found = {**tokens("[data-board]"), **board}
    found |= {**tokens('[data-checkers="ivory"]'), **checkers}
    side = 1 if found["board-scheme"] == "light" else 2
    for name, value in found.items():
        if pair := re.fullmatch(r"light-dark\((\S+), (\S+)\)", value):
            found[name] = pair[side]
    while any("var(" in value for value in found.values()):
        for name, value in found.items():
            found[name] = re.sub(r"var\(--([\w-]+)\)", lambda used: found[used[1]], value)
    return found


def luminance(colour: str) -> float:
    """The relative luminance of #rgb or #rrggbb (WCAG 2.2)."""
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def weak(found: Tokens) -> list[str]:
    """Each pair of colours of a board and its checkers that is too close, with its ratio."""
    told = []
    for side, ground in product(("me", "op"), GROUNDS):
        body, rim = f"{side}-2", f"{side}-rim"
        ratio = max(contrast(found[name], found[ground]) for name in (body, rim))
        if ratio < LEAST:
            told.append(f"{side} on {ground}: {ratio:.2f}")
    pairs = [("me-2", "op-2"), ("me-2", "me-rim"), ("op-2", "op-rim")]
    pairs += [("me-ink", "me-1"), ("op-ink", "op-3"), ("num", "wood-2"), ("num", "wood-1")]
    pairs += list(product(("mark", "last-from"), FIELDS))
    told += [
        f"{one} on {other}: {ratio:.2f}"
        for one, other in pairs
        if (ratio := contrast(found[one], found[other])) < LEAST
    ]
    for name, ground in product(("arrow", "arrow-2"), GROUNDS):
        # an arrow has a wider stroke beneath it: one of the two is seen on any ground
        ratio = max(contrast(found[part], found[ground]) for part in (name, "arrow-under"))
        if min(ratio, contrast(found[name], found["arrow-under"])) < LEAST:
            told.append(f"{name} on {ground}: {ratio:.2f}")
    return told


@pytest.mark.parametrize("checkers", SETS)
@pytest.mark.parametrize("board", BOARDS)
def test_checkers_marks_and_arrows_are_seen(board: str, checkers: str) -> None:
    assert weak(colours(board, checkers)) == []


def test_all_boards_and_sets_are_in_the_sheet() -> None:
    sheet = SHEET.read_text()
    assert set(re.findall(r'\[data-board="(\w+)"\]', sheet)) == set(BoardChoice.values)
    assert set(re.findall(r'\[data-checkers="(\w+)"\]', sheet)) == set(Checkers.values)


def test_high_contrast_replaces_every_board_and_set() -> None:
    drawn = set(tokens("[data-board]")) | set(tokens('[data-checkers="ivory"]'))
    own = {
        "slot",
        "edge",
        "rim",
        "ghost",
        "used",
        "arrow",
    }  # of other tokens, or lines of decoration
    assert drawn - own <= set(tokens('[data-theme="kontrast"] .bg'))
    kontrast = tokens('[data-theme="kontrast"] .bg')
    assert weak({**colours("slate", "white"), **kontrast, "arrow": kontrast["mark"]}) == []
