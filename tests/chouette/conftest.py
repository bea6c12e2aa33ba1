"""Chouettes at which people sit, and hands that play them."""

import random

import pytest

from games.chouette.engine.state import VARIANT
from games.chouette.engine.table import Chouette
from games.chouette.engine.terms import ChouetteTerms


@pytest.fixture
def chance() -> random.Random:
    return random.Random(7)


# --- tables ---------------------------------------------------------------------------------------
BOX, CAPTAIN, ONE, TWO = 10, 20, 30, 40
TEAM = (CAPTAIN, ONE, TWO)


def seated(*people: int, **terms: object) -> Chouette:
    table = Chouette(ChouetteTerms(**terms))
    for player in people or (BOX, CAPTAIN, ONE, TWO):
        table.sit(player)
    return table


def begun(*people: int, **terms: object) -> Chouette:
    """A game in which the team has played 6-5 and the box 4-3; the team is to roll."""
    table = seated(*people, **terms)
    table.start()
    table.roll_off(box=1, team=2)
    play_any(table)
    table.box_doubles([])
    table.roll((4, 3))
    play_any(table)
    return table


def play_any(table: Chouette, rng: random.Random | None = None) -> None:
    """Play some legal play of the dice on the board."""
    game = table.state.game
    plays = VARIANT.plays_from(game.position, game.dice, first_turn=sum(game.turns) == 0)
    moves, _ = plays.pick(rng.randrange if rng else lambda many: 0)
    table.play(tuple((move.source, move.target, move.die) for move in moves))


def balances(table: Chouette, *people: int) -> list[int]:
    return [table.state.balance(each) for each in people or (BOX, CAPTAIN, ONE, TWO)]
