"""Simulated tournaments: the better player wins more often, and the command names what is wrong."""

import json
import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tournaments.engine.terms import TournamentTerms
from tournaments.simulation import simulated, wins


def simulate(*arguments: str) -> str:
    out = StringIO()
    call_command("tournament", "simulate", *arguments, stdout=out)
    return out.getvalue()


def test_the_chance_to_win_grows_with_strength_and_length():
    assert wins(6, 6, 7) == 0.5
    assert 0.5 < wins(5, 6, 7) < wins(5, 6, 25) < wins(2, 6, 25) < 1
    assert wins(5, 6, 7) + wins(6, 5, 7) == pytest.approx(1)


def test_a_much_better_player_wins_most_tournaments():
    won = 0
    for seed in range(60):
        played = simulated(
            TournamentTerms("double", length=25), [0.5, *[20.0] * 7], random.Random(seed)
        )
        won += played.ranks[0] == (0,)
    assert won > 40


def test_the_same_seed_is_the_same_tournament():
    arguments = ("--format", "swiss", "--players", "9", "--json")
    first = simulate(*arguments, "--seed", "7")
    assert first == simulate(*arguments, "--seed", "7")
    assert first != simulate(*arguments, "--seed", "8")
    found = json.loads(first)
    assert (found["format"], found["players"], found["matches"]) == ("swiss", 9, 16)
    assert sum(len(group) for group in found["ranks"]) == 9


def test_given_strengths_are_printed_with_the_ranks():
    out = simulate("--format", "knockout", "--strengths", "3.5,4,8")
    assert out.startswith("2 matches in ")
    for pr in ("PR 3.5", "PR 4.0", "PR 8.0"):
        assert pr in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "knockout", "--players", "1"), "too few"),
        (("--format", "knockout", "--players", "300"), "entrants"),
        (("--format", "lives", "--lives", "1"), "two lives"),
        (("--format", "robin", "--players", "40"), "at most 32"),
        (("--format", "knockout", "--strengths", "3,x"), "could not convert"),
        (("--format", "lots"), "invalid choice"),
    ],
)
def test_what_cannot_be_played_is_named(arguments, said):
    with pytest.raises(CommandError, match=said):
        simulate(*arguments)
