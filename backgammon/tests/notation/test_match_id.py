"""The GNU Match ID, against IDs that GNU Backgammon printed."""

import dataclasses
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.errors import NotationError
from backgammon.rules.match_id import GameState, MatchId
from backgammon.tests.notation.strategies import faces

FIVE = MatchId(length=5, score=(2, 1), on_roll=1, to_decide=1)
PRINTED = [
    (
        MatchId(2, 1, on_roll=1, to_decide=1, dice=(5, 2), length=7, score=(3, 2)),
        "UYnqADAAEAAE",
    ),
    (MatchId(on_roll=1, to_decide=1, dice=(5, 2), length=5), "cImqAAAAAAAE"),
    (MatchId(on_roll=1, to_decide=1, length=7), "cAngAAAAAAAE"),
    (MatchId(dice=(4, 1), length=5), "MAGmAAAAAAAE"),
    (MatchId(on_roll=1, to_decide=1, jacoby=True), "cAkAAAAAAAAA"),
    (dataclasses.replace(FIVE, to_decide=0, double_offered=True), "cBGgACAACAAE"),
    (dataclasses.replace(FIVE, cube_value=2, cube_owner=0), "QQmgACAACAAE"),
    (
        dataclasses.replace(FIVE, cube_value=2, cube_owner=0, to_decide=0, resignation=2),
        "QUGgACAACAAE",
    ),
    (
        MatchId(on_roll=1, to_decide=1, crawford=True, dice=(3, 1), length=5, score=(4, 1)),
        "8ImlAEAACAAE",
    ),
    (MatchId(on_roll=1, to_decide=0, double_offered=True, length=7, score=(3, 2)), "cBHgADAAEAAE"),
]


@pytest.mark.parametrize(("value", "text"), PRINTED)
def test_ids_printed_by_gnu_backgammon(value: MatchId, text: str) -> None:
    assert value.text() == text
    assert MatchId.parse(text) == value


def test_an_id_of_66_bits_reads_too() -> None:
    """Older programs leave the bit for Jacoby clear; in a match it means nothing."""
    assert MatchId.parse("cImqAAAAAAAA") == MatchId.parse("cImqAAAAAAAE")


@st.composite
def match_ids(draw: st.DrawFn) -> MatchId:
    length = draw(st.integers(0, 99))
    dice = draw(st.none() | st.tuples(faces, faces))
    return MatchId(
        cube_value=2 ** draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from([None, 0, 1])),
        on_roll=draw(st.integers(0, 1)),
        crawford=draw(st.booleans()),
        state=draw(st.sampled_from(GameState)),
        to_decide=draw(st.integers(0, 1)),
        double_offered=draw(st.booleans()),
        resignation=draw(st.integers(0, 3)),
        dice=dice and (max(dice), min(dice)),
        length=length,
        score=draw(st.tuples(st.integers(0, 99), st.integers(0, 99))),
        jacoby=not length and draw(st.booleans()),
    )


@given(match_ids())
def test_every_value_survives_the_way_there_and_back(value: MatchId) -> None:
    assert MatchId.parse(value.text()) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 characters"),
        ("cImqAAAAAAA=", "column 12"),
        ("//////////AA", "state 7"),
        ("IAAAAAAAAAAA", "cube owner 2"),
        ("MAH/AAAAAAAE", "dice .6, 7."),
    ],
)
def test_broken_ids_name_their_fault(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        MatchId.parse(text)


@pytest.mark.parametrize(
    "field",
    [
        {"cube_value": 3},
        {"cube_owner": 2},
        {"on_roll": 2},
        {"resignation": 4},
        {"dice": (0, 3)},
        {"length": 2**15},
        {"score": (-1, 0)},
    ],
)
def test_values_the_key_cannot_say_are_refused(field: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        MatchId(**field)  # type: ignore[arg-type]


@given(st.text(alphabet="AEImoqcU/+09=", min_size=10, max_size=13))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(NotationError):
        assert MatchId.parse(text).text()
