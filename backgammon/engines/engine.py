"""The questions of an analysis to an engine. Two programs answer: bgsage and GNU Backgammon."""

from collections.abc import Callable
from typing import Protocol

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import CubeValue, PlayValue
from backgammon.counting.situation import Away, Situation


class EngineError(RuntimeError):
    """The engine cannot be started, or gave no answer that can be read."""


class Engine(Protocol):
    """An engine; every answer is to be kept with its name, its version and the plies."""

    @property
    def name(self) -> str:
        """The name of the program."""

    @property
    def version(self) -> str:
        """Its version, with that of its nets if they have one of their own."""

    def supports(self, situation: Situation) -> bool:
        """Whether it can judge this position with this cube."""

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        """The choices of a roll, the best first.

        The first, the second and the one played have been searched `ply` deep, and so has every
        one that stands before one less deep.
        """

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        """The cube before the roll."""


class HouseEngine(Engine, Protocol):
    """The engine in the house also judges the dice, and has the match equity table."""

    def telling(self, told: Callable[[int], None]) -> "HouseEngine":
        """The same engine, which also says how far a search for plays is, in per cent."""

    def luck(self, play: DecidedPlay) -> float:
        """The equity of the roll's best play less the mean over all rolls, by the bare net."""

    def table(self, away: Away, crawford_over: bool) -> float:
        """The chance of the player who needs the first number to win the match.

        The flag says whether the game before was Crawford's, or a later one.
        """
