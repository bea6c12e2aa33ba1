"""bgsage in this process: the engine of the house.

A play is searched in steps, so that the time goes into the plays that may be best: all of them by
the bare net, the better ones two plies deep, the best of these three. Bear-offs with at most six
checkers a side are looked up instead.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import Final

from backgammon.counting.decisions import Choice, DecidedPlay
from backgammon.counting.judging import EXACT, CubeValue, PlayValue
from backgammon.counting.situation import MINE, Away, Situation
from backgammon.evaluation import bearoff, sage
from backgammon.evaluation.bearoff_table import CHECKERS, VERSION
from backgammon.evaluation.stakes import Owner, Stakes
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: of the plays of each step the next one searches at most so many, and only those that are worth
#: less than the best by no more than so much.
_STEPS: Final = {2: (8, 0.16), 3: (3, 0.03)}

#: how many plays every step searches at least: the best, and the one it is compared with.
_LEAST: Final = 2

#: the part of the time that is over when the search of a step begins, in per cent.
_BEGINS: Final = {2: 10, 3: 30, 4: 100}


class Sage:
    """bgsage and the exact table of bear-offs; one object serves a whole process."""

    name = "bgsage"
    variants = sage.VARIANTS

    def __init__(self, told: Callable[[int], None] = lambda percent: None) -> None:
        self.version = f"{version('bgsage')}+bearoff{VERSION}"
        self.told = told

    def telling(self, told: Callable[[int], None]) -> "Sage":
        """The same engine, which also says how far a search for plays is."""
        return Sage(told)

    def supports(self, situation: Situation) -> bool:
        """Backgammon and what shares its moves."""
        return situation.variant in self.variants

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        """The choices of a roll, the best first."""
        stakes, before = stakes_of(play.situation), sage.board_of(play.situation.position)

        def searched(choice: Choice, plies: int) -> PlayValue:
            after = sage.board_of(choice.result)
            equity, chances = sage.after_play(after, before, stakes, plies)
            return PlayValue(choice.result, equity, plies, chances)

        by_result = {choice.result: choice for choice in play.choices}
        values = sorted([searched(choice, 1) for choice in play.choices], key=order_of)
        if all(_is_exact(play.situation, choice.result) for choice in play.choices):
            return [replace(value, ply=EXACT) for value in values]
        for plies in range(2, ply + 1):
            chosen = _survivors(values, plies, play)
            left = [value for value in values if value not in chosen]
            deeper: list[PlayValue] = []
            for value in chosen:
                self._tell(plies, ply, len(deeper) / len(chosen))
                deeper.append(searched(by_result[value.result], plies))
            values = [*sorted(deeper, key=order_of), *left]
        return values

    def _tell(self, plies: int, ply: int, share: float) -> None:
        """Say how far a search is that goes `ply` deep and is now `plies` deep."""
        begins, ends = _BEGINS[plies], 100 if plies == ply else _BEGINS[plies + 1]
        self.told(round(begins + share * (ends - begins)))

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        """The cube before the roll."""
        board = sage.board_of(situation.position)
        worth = sage.before_roll(board, stakes_of(situation), ply)
        depth = EXACT if _is_exact(situation, situation.position) else ply
        return CubeValue(worth.no_double, worth.double_take, depth, worth.chances)

    def luck(self, play: DecidedPlay) -> float:
        """The equity of the roll's best play less the mean over all rolls, by the bare net."""
        board, stakes = sage.board_of(play.situation.position), stakes_of(play.situation)
        mean = sage.mean_of_rolls(board, stakes)
        if play.opening:  # its two dice differ
            doubles = sum(sage.best_of_roll(board, stakes, pip, pip) for pip in range(1, 7))
            mean = (36 * mean - doubles) / 30
        return sage.best_of_roll(board, stakes, *play.dice) - mean

    def table(self, away: Away, crawford_over: bool) -> float:
        """The chance to win the match, by the table of Kazaross and XG2."""
        return sage.match_chance(away, crawford_over)


@cache
def house_engine() -> Sage:
    """The engine of this process."""
    return Sage()


def order_of(value: PlayValue) -> tuple[float, float, str]:
    """The best first; at equal equities the greater chance to win, then any fixed order."""
    return -value.equity, -value.chances[0], value.result.text()


def _survivors(values: list[PlayValue], ply: int, play: DecidedPlay) -> list[PlayValue]:
    """The values that are searched again, among them that of the play made."""
    most, within = _STEPS[ply]
    least = values[0].equity - within
    best = [
        value
        for index, value in enumerate(values[:most])
        if index < _LEAST or (value.ply == ply - 1 and value.equity >= least)
    ]
    made = play.played
    if made is not None and all(value.result != made.result for value in best):
        best += [value for value in values if value.result == made.result]
    return best


def _is_exact(situation: Situation, position: Position) -> bool:
    """Whether the table of bear-offs has this position, and both have borne off in it."""
    have_borne_off = by_key(situation.variant).checkers > CHECKERS
    return have_borne_off and bearoff.covers(sage.board_of(position), stakes_of(situation))


def stakes_of(situation: Situation) -> Stakes:
    """The cube and the score in bgsage's words."""
    owner: Owner = "centred"
    if situation.cube.owner is not None:
        owner = "mine" if situation.cube.owner == MINE else "theirs"
    return Stakes(
        cube_value=situation.cube.value,
        owner=owner,
        away=situation.away or (0, 0),
        crawford=situation.crawford,
        jacoby=situation.jacoby,
        beavers=situation.beavers,
        has_cube=situation.has_cube,
    )
