"""The pace of a chouette: whose decision is due, until when, and what time is left. Pure.

Decisions about cubes take at most `CUBE_MS`, whoever makes them. For plays each player has a delay
and a bank for the whole game. All times are milliseconds of the database's clock.
"""

from typing import Final

import msgspec

from games.chouette.engine.rights import mover_of
from games.chouette.engine.state import State
from games.chouette.engine.terms import PEOPLE_LEAST

#: how long a decision about cubes takes at most.
CUBE_MS: Final = 25_000
#: what every play is given, and a player's bank for all plays of a game.
DELAY_MS: Final = 15_000
BANK_MS: Final = 180_000
#: between two games, and after the third person sat down.
PAUSE_MS: Final = 12_000
#: how long the first dice of a game wait for parts, and all others.
FIRST_ROLL_MS: Final = 3_000
ROLL_MS: Final = 1_500
#: how long a house bot seems to think about a play.
BOT_MS: Final = 1_200
#: what everybody is given once the house is back after an outage.
GRACE_MS: Final = 60_000


class TeamAdvice(msgspec.Struct, frozen=True):
    """A play that a member of the team advises for these dice, and who agrees."""

    player: int
    moves: tuple[tuple[int, int, int], ...]
    agree: tuple[int, ...] = ()


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a table; nothing in it concerns credits.

    `turn` is the event with which the decision began that is due now, and `since_ms` its time.
    `banks_ms` has what is left of each player's bank in this game. People who are `away` let a
    decision about cubes lapse; nobody waits for them again until they do something. `leaving` has
    those who stand up after this game.
    """

    turn: int = 0
    since_ms: int = 0
    banks_ms: dict[int, int] = {}
    away: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    roll_until_ms: int | None = None
    next_game_ms: int | None = None
    advice: tuple[TeamAdvice, ...] = ()


def ends_ms(state: State, pace: Pace, bots: frozenset[int]) -> int | None:
    """When what is due happens by itself; None where nothing is due."""
    if state.phase == "between_games":
        return pace.next_game_ms
    if state.phase in ("roll_off", "roll"):
        return pace.roll_until_ms
    if state.phase != "play":
        return pace.since_ms + CUBE_MS
    assert state.game is not None, "a game is running"
    mover = mover_of(state.game)
    assert mover is not None, "somebody moves"
    if mover in bots:
        return pace.since_ms + BOT_MS
    return pace.since_ms + DELAY_MS + bank_ms(pace, mover)


def bank_ms(pace: Pace, player: int) -> int:
    """The part of a player's bank that was left when this decision began."""
    return pace.banks_ms.get(player, BANK_MS)


def spent(state: State, pace: Pace, now_ms: int) -> dict[int, int]:
    """The banks after the play that is due was made now."""
    if state.phase != "play" or state.game is None:
        return pace.banks_ms
    mover = mover_of(state.game)
    assert mover is not None, "somebody moves"
    over_ms = max(0, now_ms - pace.since_ms - DELAY_MS)
    return {**pace.banks_ms, mover: max(0, bank_ms(pace, mover) - over_ms)}


def enough_people(state: State) -> bool:
    """Whether the next game can begin."""
    return state.phase == "between_games" and len(state.people) >= PEOPLE_LEAST
