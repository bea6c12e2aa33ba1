"""The engine behind the house bot: the equity of plays and cube decisions, one ply deep.

It supports backgammon and what shares its moves. It is loaded on first use, once in each process:
loading takes a tenth of a second, and the process grows by 32 MB. An answer takes less than a
millisecond and is of expert strength. Hypergammon is answered by the exact table
(`backgammon/evaluation/hypergammon`) where the house has one.
"""

from collections.abc import Sequence
from typing import Final

from backgammon.counting.situation import Situation
from backgammon.engines.sage import stakes_of
from backgammon.evaluation import sage
from backgammon.evaluation.hypergammon.table import KEY, HypergammonTable, kept_table
from backgammon.evaluation.stakes import Chances, CubeWorth, Stakes
from backgammon.rules.position import Position

#: the variants without a cube whose plays it judges by its chances; a backgammon counts two there.
BY_CHANCES: Final = frozenset({"portes"})

#: how many turns the engine looks ahead.
PLIES: Final = 1


def plays_worth(situation: Situation, results: Sequence[Position]) -> list[float]:
    """The equity of the player on roll after each of the plays that lead to `results`."""
    if situation.variant in BY_CHANCES:
        return [_by_chances(situation.position, result) for result in results]
    stakes = stakes_of(situation)
    if table := _exact(situation):
        return [table.after_play(result, stakes)[0] for result in results]
    before = sage.board_of(situation.position)
    return [sage.after_play(sage.board_of(result), before, stakes, PLIES)[0] for result in results]


def cube_worth(situation: Situation) -> CubeWorth:
    """The equity of doubling for the player on roll, before the roll."""
    if table := _exact(situation):
        return table.before_roll(situation.position, stakes_of(situation))
    return sage.before_roll(sage.board_of(situation.position), stakes_of(situation), PLIES)


def worth_of_end(level: int, situation: Situation) -> float:
    """The equity of a game that ends at this level for the player on roll; a loss with a minus."""
    return sage.worth_of_end(level, stakes_of(situation))


def outright(chances: Chances, situation: Situation) -> float:
    """The mover's equity if the game is played to its end with the cube as it lies."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    ends = {
        1: win - gammon,
        2: gammon - backgammon,
        3: backgammon,
        -1: 1 - win - lost_gammon,
        -2: lost_gammon - lost_backgammon,
        -3: lost_backgammon,
    }
    return sum(chance * worth_of_end(level, situation) for level, chance in ends.items())


def _by_chances(position: Position, result: Position) -> float:
    before = sage.board_of(position)
    none = Stakes(has_cube=False)
    win, gammon, _, lost_gammon, _ = sage.after_play(sage.board_of(result), before, none, PLIES)[1]
    return 2 * win - 1 + gammon - lost_gammon


def _exact(situation: Situation) -> HypergammonTable | None:
    return kept_table() if situation.variant == KEY else None
