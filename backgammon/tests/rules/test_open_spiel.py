"""Against OpenSpiel's backgammon and its three-checker form, on 600 positions of its games
(20,000 with PASCH_TEST_LONG).

OpenSpiel plays a double as two actions of the same player, which are joined here. It requires
both dice even when the last checker could go off with one; we allow that (D7), and nothing else
may differ.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest

from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount

BAR = 100
NUMBER = amount(300, long=10_000)
KEPT_DOUBLES = 0.25
"""Doubles cost OpenSpiel a hundred times more to enumerate; three of four are played unseen."""


def view(state: Any, player: int, checkers: int) -> Position:
    """The board as `player` sees it; player 0 runs from OpenSpiel's 0 to 23, player 1 back."""
    absolute = range(23, -1, -1) if player == 0 else range(24)
    mine = [state.board(player, spot) for spot in absolute]
    his = [state.board(1 - player, spot) for spot in absolute]
    bar = state.board(player, BAR), state.board(1 - player, BAR)
    off = checkers - sum(mine) - bar[0], checkers - sum(his) - bar[1]
    return Position(tuple(a - b for a, b in zip(mine, his, strict=True)), bar, off)


def results(state: Any, player: int, checkers: int, seen: set[str]) -> set[Position]:
    if state.is_terminal() or state.current_player() != player:
        return {view(state, player, checkers)}
    if (text := str(state)) in seen:
        return set()
    seen.add(text)
    found = set()
    for action in state.legal_actions():
        found |= results(state.child(action), player, checkers, seen)
    return found


def dice_of(state: Any, outcome: int) -> tuple[int, int]:
    text = state.action_to_string(pyspiel.PlayerId.CHANCE, outcome)
    first, second = text.rstrip(")").split()[-1]
    return int(first), int(second)


@pytest.mark.parametrize(
    ("key", "parameters"),
    [("backgammon", {}), ("hypergammon", {"hyper_backgammon": True})],
)
def test_the_results_are_open_spiels(key: str, parameters: dict[str, bool]) -> None:
    variant, chance = by_key(key), random.Random(31)
    game = pyspiel.load_game("backgammon", parameters)
    compared = direct = 0
    while compared < NUMBER:
        state = game.new_initial_state()
        while not state.is_terminal() and compared < NUMBER:
            outcome = chance.choice(state.chance_outcomes())[0]
            dice = dice_of(state, outcome)
            state.apply_action(outcome)
            player = state.current_player()
            if dice[0] != dice[1] or chance.random() < KEPT_DOUBLES:
                position = view(state, player, variant.checkers)
                theirs = results(state, player, variant.checkers, set())
                ours = variant.legal_plays(position, dice).results
                assert theirs <= ours, f"{position.text()} {dice}"
                extra = ours - theirs
                assert all(p.off[0] == variant.checkers for p in extra), f"{position.text()} {dice}"
                compared += 1
                direct += bool(extra)
            while not state.is_terminal() and state.current_player() == player:
                state.apply_action(chance.choice(state.legal_actions()))
    assert direct <= NUMBER // 1000, "D7 is rare"
