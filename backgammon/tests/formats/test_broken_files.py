"""Broken files: the error names line and column, and only our own error is raised."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.formats.errors import FormatError
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record_json import format_json
from backgammon.formats.registry import KEYS, by_key, format_of, parse_match
from backgammon.formats.sgf import format_sgf
from backgammon.tests.amounts import amount
from backgammon.tests.formats.matches import random_match

MAT = """\
; [Crawford "On"]

 5 point match

 Game 1
 ann : 0                        ben : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2)  Doubles => 2                Takes
  3) 66: 24/18(2) 13/7* 13/7     66:
  4) 21: 13/11 6/5               21: bar/24 13/11
                                  Wins 4 points

 Game 2
 ann : 0                        ben : 4
  1) 31: 8/5 6/5
      Wins 1 point
"""


def test_the_file_they_are_made_from_is_sound() -> None:
    assert parse_mat(MAT).score == (1, 4)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ('"On"', '"Maybe"', "line 6", "Crawford: 'maybe' is neither"),
        (" 5 point match", " five points", "line 5", "before the line 'n point match'"),
        (" 5 point match\n", "", "line 4", "before the line 'n point match'"),
        (" Game 1\n", "", "line 6, column 6", "no game has begun"),
        ("ann : 0                        ben", "ann ben", "line 6", "left : score"),
        ("ann : 0                        ben : 4", "ann : 0   bea : 4", "line 14", "ann and ben"),
        ("ben : 4", "ben : 3", "line 14", "begins at 0:3"),
        (
            "31: 8/5 6/5                 62",
            "31: 8/5 6/x                 62",
            "line 7, column 16",
            "no point",
        ),
        (
            "31: 8/5 6/5                 62",
            "31: 8/5 7/6                 62",
            "line 7, column 6",
            "no",
        ),
        (
            "31: 8/5 6/5                 62",
            "37: 8/5 6/5                 62",
            "line 7, column 6",
            "a die shows",
        ),
        ("62: 24/18 13/11", "62: 24/18 13/10", "line 7, column 34", "cannot be reached"),
        ("Doubles => 2", "Doubles => 4", "line 8, column 7", "a double to 2"),
        ("Doubles => 2", "Doubles", "line 8, column 7", "cannot read 'Doubles'"),
        ("Takes", "Beavers => 4", "line 8, column 35", "unlimited play"),
        ("Takes", "", "line 9, column 6", "has not been answered"),
        ("66:\n", "66: 24/18\n", "line 9, column 34", "nothing can be moved"),
        ("Wins 4 points\n", "", "line 13", "before the last one has a result"),
        ("Wins 4 points", "Wins 0 points", "line 11, column 35", "worth 2 or 4"),
        ("Wins 4 points", "Wins 5 points", "line 14", "begins at 0:4"),
        ("Wins 4 points", "Wins a lot", "line 11, column 35", "cannot read"),
        ("      Wins 1 point\n", "      Wins 1 point\n  3) 11:\n", "line 17", "no game has begun"),
        (MAT, "", "", "before a game has begun"),
    ],
)
def test_the_place_is_named(old: str, new: str, place: str, message: str) -> None:
    assert MAT.count(old) >= 1
    with pytest.raises(FormatError, match=message) as caught:
        parse_mat(MAT.replace(old, new, 1))
    assert str(caught.value).startswith(place)


RECORD = random_match(3, length=3, games_max=2)
TEXTS = {"mat": format_mat(RECORD), "sgf": format_sgf(RECORD), "json": format_json(RECORD)}


@pytest.mark.parametrize("key", KEYS)
def test_the_format_of_a_text_is_seen(key: str) -> None:
    assert format_of("\ufeff\n" + TEXTS[key]).key == key
    assert parse_match(TEXTS[key]).players == RECORD.players


def test_formats_have_keys() -> None:
    with pytest.raises(FormatError, match="mat, sgf, json"):
        by_key("pgn")


# Pieces that mean something in one format or the other.
WORDS = ["Doubles => 2", "Takes", "Drops", "Wins 1 point", "bar/", " Game 3\n", "31: 8/5 6/5"]
PARTS = [";W[31hefe]", "RE[W+1]", "null", "-1", "1e999", "\x00", "²", *'()[];:/*{},"\\019WB\n ']
SHARDS = st.sampled_from(WORDS + PARTS) | st.text(max_size=5)


@settings(max_examples=amount(100, long=250), deadline=None)
@given(st.sampled_from(KEYS), st.data())
def test_no_broken_file_raises_anything_else(key: str, choose: st.DataObject) -> None:
    text = TEXTS[key]
    for _ in range(choose.draw(st.integers(1, 3))):
        start = choose.draw(st.integers(0, len(text)))
        end = min(len(text), start + choose.draw(st.integers(0, 40)))
        text = text[:start] + choose.draw(SHARDS) + text[end:]
    for reader in KEYS:
        with suppress(FormatError):
            by_key(reader).parse(text)


@settings(max_examples=amount(60, long=150), deadline=None)
@given(st.sampled_from(KEYS), st.lists(SHARDS, max_size=30))
def test_no_rubbish_raises_anything_else(key: str, shards: list[str]) -> None:
    with suppress(FormatError):
        by_key(key).parse("".join(shards))
