"""The player who begins each game."""

from __future__ import annotations

import pytest

from backgammon.rules.errors import InvalidDice, InvalidScore
from backgammon.rules.start import PreviousGame, StartRule, beginner, roll_off_winner
from backgammon.rules.variants import by_key


@pytest.mark.parametrize(
    ("keys", "rules"),
    [
        (
            ("backgammon", "nackgammon", "hypergammon", "short_nardi", "misere"),
            (StartRule.ROLL_OFF_USE, StartRule.ROLL_OFF_USE),
        ),
        (
            ("acey_deucey", "russian", "tabula"),
            (StartRule.ROLL_OFF_REROLL, StartRule.ROLL_OFF_REROLL),
        ),
        (
            ("portes", "plakoto", "tapa", "long_nardi", "fevga", "gul_bara"),
            (StartRule.ROLL_OFF_REROLL, StartRule.WINNER_STARTS),
        ),
    ],
)
def test_a_variant_starts_by_its_rule(keys: tuple[str, ...], rules: tuple[StartRule, ...]) -> None:
    assert {(by_key(key).start_rule, by_key(key).next_start_rule) for key in keys} == {rules}


def test_a_roll_off_decides_by_the_higher_die() -> None:
    assert roll_off_winner((6, 1)) == 0
    assert roll_off_winner((2, 3)) == 1
    assert roll_off_winner((4, 4)) is None
    with pytest.raises(InvalidDice):
        roll_off_winner((0, 7))


@pytest.mark.parametrize("rule", [StartRule.ROLL_OFF_USE, StartRule.ROLL_OFF_REROLL])
def test_nobody_begins_before_a_roll_off(rule: StartRule) -> None:
    assert rule.rolls_off
    assert rule.uses_roll_off == (rule is StartRule.ROLL_OFF_USE)
    assert beginner(rule, opener=0, previous=PreviousGame(1, 1)) is None


@pytest.mark.parametrize(
    ("previous", "seat"),
    [(None, 1), (PreviousGame(1, 1), 0), (PreviousGame(0, 1), 1), (PreviousGame(0, None), 1)],
)
def test_the_opener_begins_and_then_they_alternate(
    previous: PreviousGame | None, seat: int
) -> None:
    assert beginner(StartRule.OPENER_ALTERNATES, opener=1, previous=previous) == seat


def test_the_winner_begins_and_after_a_draw_the_same_beginner() -> None:
    rule = StartRule.WINNER_STARTS
    assert beginner(rule, opener=0, previous=PreviousGame(beginner=0, winner=1)) == 1
    assert beginner(rule, opener=0, previous=PreviousGame(beginner=1, winner=None)) == 1
    with pytest.raises(InvalidScore):
        beginner(rule, opener=0, previous=None)
