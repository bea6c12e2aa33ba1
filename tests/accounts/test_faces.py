"""The face of each account: from its number, with symbols that exist, readable on both themes."""

import re
from collections import Counter
from pathlib import Path

import pytest

from accounts.faces import PAIRS, SHAPES, face_of
from backgammon.bots.strength import LEVELS
from games.services.house_bots import house_bot
from pasch.templatetags.shell import face

SHEET = Path(__file__).resolve().parents[2] / "static/faces.svg"


def symbols() -> set[str]:
    return set(re.findall(r'<symbol id="([a-z_-]+)"', SHEET.read_text()))


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_face_stays_when_the_name_changes() -> None:
    assert face_of(7, "kestrel") == face_of(7, "heron")


def test_two_people_rarely_have_the_same_face() -> None:
    faces = Counter(face_of(number, "someone") for number in range(2_000))
    pairs = sum(count * (count - 1) // 2 for count in faces.values())
    assert pairs < 0.001 * 2_000 * 1_999 / 2
    assert len({one.split()[0] for one in faces}) == len(SHAPES)


def test_every_face_has_its_symbol_and_no_symbol_is_left_over() -> None:
    assert symbols() == {*SHAPES, *(level.key for level in LEVELS)}


def test_the_two_colours_of_a_face_are_told_apart() -> None:
    for pair in PAIRS:
        dark, light = sorted(luminance(colour) for colour in pair)
        assert (light + 0.05) / (dark + 0.05) >= 4.3, pair


@pytest.mark.django_db
def test_a_house_bot_has_the_face_of_its_level() -> None:
    bot = house_bot("advanced")
    assert face_of(bot.pk, bot.username) == "advanced"
    assert "face-bot" in face("advanced")


def test_a_page_draws_two_colours_turned_round_the_middle() -> None:
    drawn = face("quarters 2b3a55 c9d6ea 45")
    assert 'fill="#2b3a55" color="#c9d6ea"' in drawn
    assert "faces.svg#quarters" in drawn
    assert "rotate(45 20 20)" in drawn
    assert face("") == ""
