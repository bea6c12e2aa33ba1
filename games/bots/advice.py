"""The hint of the practice tables: the strongest house bot's command in a player's place."""

from dataclasses import dataclass
from typing import Any, Final

from backgammon.bots.strength import STRONGEST
from backgammon.rules.notation import format_play
from games.bots.player import answer, wire_moves
from games.bots.plays import JudgedBy, RankedPlay, judged_by, plays_ranked
from games.table.state import TableState

#: how many plays a hint compares.
PLAYS_MAX: Final = 5

#: the decisions a hint can be given for.
_ADVISED: Final = frozenset({"roll", "play", "name_double", "double_offered"})


@dataclass(frozen=True, slots=True)
class BotAdvice:
    """The best command of a seat; with the best plays where dice are to be played.

    `judged_by` is "engine"; in variants that it does not support, "net" or "eye".
    """

    command: str
    number: int | None
    plays: tuple[RankedPlay, ...]
    judged_by: JudgedBy


def advice(state: TableState, seat: int) -> BotAdvice | None:
    """The best command of `seat` now; None without a decision, or with only one choice."""
    if state.phase not in _ADVISED or state.decider != seat:
        return None
    best = answer(state, seat, strength=STRONGEST, seed="", gives_up=False)
    assert best is not None, "the seat owes a decision"
    plays: tuple[RankedPlay, ...] = ()
    if state.phase == "play":
        assert state.game is not None
        assert state.game.dice is not None
        plays = plays_ranked(state, state.game.dice, deep=True)[:PLAYS_MAX]
    return BotAdvice(
        command=str(best.__struct_config__.tag),
        number=getattr(best, "number", None),
        plays=plays,
        judged_by=judged_by(state.variant.key),
    )


def advice_frame(state: TableState, given: BotAdvice) -> dict[str, Any]:
    """A hint as clients get it; `loss` is what a play gives away against the best, in points."""
    best = given.plays[0].equity if given.plays else 0.0
    return {
        "command": given.command,
        "number": given.number,
        "judged_by": given.judged_by,
        "plays": [_play_frame(state, play, best) for play in given.plays],
    }


def _play_frame(state: TableState, play: RankedPlay, best: float) -> dict[str, Any]:
    assert state.game is not None
    return {
        "moves": [list(move) for move in wire_moves(play.moves)],
        "text": format_play(state.variant, state.game.position, play.moves),
        "equity": round(play.equity, 3),
        "loss": round(best - play.equity, 3),
    }
