"""The start of a game: the seat that begins, and its dice."""

from __future__ import annotations

from enum import Enum

import msgspec

from backgammon.rules.errors import InvalidDice, InvalidScore


class StartRule(Enum):
    """How the first player of a game is found."""

    ROLL_OFF_USE = "roll_off_use"
    """Each rolls one die, the higher plays first with these two numbers (equal: again)."""
    ROLL_OFF_REROLL = "roll_off_reroll"
    """Each rolls one die, the higher plays first and rolls all dice anew (equal: again)."""
    WINNER_STARTS = "winner_starts"
    """The winner of the previous game begins; after a drawn one, its beginner again."""
    OPENER_ALTERNATES = "opener_alternates"
    """The opener of the table begins the first game, then the beginner alternates."""

    @property
    def rolls_off(self) -> bool:
        """Whether each player rolls one die to find the beginner."""
        return self in (StartRule.ROLL_OFF_USE, StartRule.ROLL_OFF_REROLL)

    @property
    def uses_roll_off(self) -> bool:
        """Whether the beginner plays the two numbers of the roll-off as their first roll."""
        return self is StartRule.ROLL_OFF_USE


class PreviousGame(msgspec.Struct, frozen=True):
    """The starter (seat 0 or 1) and the winner (None for a draw) of the game before."""

    beginner: int
    winner: int | None


def beginner(rule: StartRule, *, opener: int, previous: PreviousGame | None) -> int | None:
    """The seat that begins, or None if a roll-off must decide.

    `opener` is the seat that opened the table; `previous` is None in the first game, where
    `WINNER_STARTS` has no meaning.

    :raises InvalidScore: if `WINNER_STARTS` is used without a previous game.
    """
    if rule.rolls_off:
        return None
    if rule is StartRule.OPENER_ALTERNATES:
        return opener if previous is None else 1 - previous.beginner
    if previous is None:
        raise InvalidScore("the first game has no previous winner to begin it")
    return previous.beginner if previous.winner is None else previous.winner


def roll_off_winner(dice: tuple[int, int]) -> int | None:
    """The seat with the higher die, None when they are equal and both roll again.

    `dice` are seat 0's and seat 1's.

    :raises InvalidDice: if a die does not show 1 to 6.
    """
    for face in dice:
        if not 1 <= face <= 6:
            raise InvalidDice(f"a die shows 1 to 6, not {face!r}")
    if dice[0] == dice[1]:
        return None
    return 0 if dice[0] > dice[1] else 1
