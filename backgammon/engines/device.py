"""The net for devices as an engine of the house: what a reader's browser says without a request.

It looks one ply deep. Unlimited play is judged with the cube by Janowski's formula; at a score the
plays are judged by the chances alone, as if no score and no cube counted, and the cube not at all.
`static/js/device/` gives the same numbers.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import CubeValue, PlayValue
from backgammon.counting.situation import Away, Situation
from backgammon.engines.engine import EngineError
from backgammon.engines.sage import order_of, stakes_of
from backgammon.evaluation import sage
from backgammon.evaluation.nets import device
from backgammon.evaluation.nets.boards import boards_of
from backgammon.evaluation.nets.inputs import VERSION
from backgammon.evaluation.stakes import Chances, cubeless, turned
from backgammon.rules.position import Position, Way

_LETTERS: Final = 8


class Device:
    """The net for devices; one object serves a whole process."""

    name = "house net"
    variants: Final = frozenset({device.KEY})

    def __init__(self) -> None:
        self.net = device.device_net()
        self.version = f"{VERSION}-{device.digest()[:_LETTERS]}"

    def telling(self, told: Callable[[int], None]) -> "Device":
        """The same engine: it answers at once."""
        return self

    def supports(self, situation: Situation) -> bool:
        """Backgammon."""
        return situation.variant in self.variants

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        """The choices of a roll, the best first, one ply deep."""
        stakes, results = stakes_of(play.situation), [choice.result for choice in play.choices]
        values = []
        for result, chances in zip(results, self._chances(results), strict=True):
            equity = cubeless(chances)
            if not stakes.is_match:
                equity = sage.play_by(chances, sage.board_of(result), stakes)
            values.append(PlayValue(result, equity, 1, chances))
        return sorted(values, key=order_of)

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        """The cube before the roll.

        :raises EngineError: at a score.
        """
        stakes, position = stakes_of(situation), situation.position
        if stakes.is_match:
            raise EngineError("the net for devices judges no cube at a score")
        chances = turned(self._chances([position.turned(Way.AGAINST)])[0])
        no_double, double_take = sage.cube_by(chances, sage.board_of(position), stakes)
        return CubeValue(no_double, double_take, 1, chances)

    def luck(self, play: DecidedPlay) -> float:
        """The equity of the roll's best play less the mean over all rolls, by the bare net."""
        raise EngineError("the net for devices judges no luck")

    def table(self, away: Away, crawford_over: bool) -> float:
        """The chance to win the match, by the table of Kazaross and XG2."""
        return sage.match_chance(away, crawford_over)

    def _chances(self, positions: list[Position]) -> list[Chances]:
        rows = self.net.chances(boards_of(positions)).tolist()
        return [(win, g, b, lost_g, lost_b) for win, g, b, lost_g, lost_b in rows]


@cache
def device_engine() -> Device:
    """The engine of this process."""
    return Device()
