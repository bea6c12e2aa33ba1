"""The decisions of a house bot: the state of a table in, one command out.

Nothing here is random: the errors in a weaker bot's judgement are derived from the given seed.
"""

from dataclasses import dataclass
from typing import Any, Final

from backgammon.bots import engine
from backgammon.bots.noise import Noise
from backgammon.bots.strength import STRONGEST, level_of
from backgammon.evaluation import sage
from backgammon.evaluation.stakes import CubeWorth
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from games.bots.plays import JudgedBy, RankedPlay, by_eye, judged_by, plays_ranked, situation_of
from games.table import commands as cmd
from games.table.rights import actions
from games.table.state import TableState, other
from games.table.turn import resignable_levels

#: a bot that stands so much better than what is offered plays on.
_WORTH_PLAYING_ON: Final = 0.05

#: a bot gives up that wins, or escapes the level it gives up at, no more often than this.
_HOPELESS: Final = 0.0005

#: with the cube at two, what is misjudged counts twice.
_CUBE_DOUBLED: Final = 2

#: without the engine a double is taken up to so many pips behind.
_TAKE_PIPS: Final = 20


def owes_answer(state: TableState, seat: int) -> bool:
    """Whether something waits for this seat: a decision, the next game, an offered rematch."""
    if state.decider is not None:
        return state.decider == seat
    if state.phase == "between_games":
        return state.ready[other(seat)] and not state.ready[seat]
    return state.phase == "over" and state.rematch[other(seat)] and not state.rematch[seat]


def answer(
    state: TableState, seat: int, *, strength: str, seed: str, gives_up: bool = True
) -> cmd.PlayerCommand | None:
    """The command of a bot of this strength in this seat now; None if it has no decision.

    `gives_up` is whether it may resign a lost game.
    """
    if not owes_answer(state, seat):
        return None
    mind = _Mind(state, seat, strength, seed)
    if gives_up and (level := mind.lost_at()):
        return cmd.OfferResignation(level=level)
    match state.phase:
        case "roll_off":
            return cmd.Roll()
        case "roll":
            return cmd.Double() if mind.doubles() else cmd.Roll()
        case "name_double":
            return cmd.NameDouble(number=mind.best_double())
        case "play":
            return mind.play()
        case "double_offered":
            return mind.answer_double()
        case "resignation_offered":
            return cmd.AcceptResignation() if mind.content() else cmd.RefuseResignation()
        case "between_games":
            return cmd.Ready()
    return cmd.Rematch()


class _Mind:
    """One bot in front of one position."""

    def __init__(self, state: TableState, seat: int, strength: str, seed: str) -> None:
        assert state.match is not None, "no match is running"
        assert state.game is not None, "no game is running"
        self.state, self.seat, self.game = state, seat, state.game
        self.level = level_of(strength)
        self.noise = Noise(
            self.level,
            seed,
            f"{state.match.id}|{state.game.number}|{seat}",
            contact=state.game.position.contact(state.variant.way),
        )

    @property
    def knows_cube(self) -> bool:
        """Whether the engine supports this variant."""
        return self.state.variant.key in sage.VARIANTS

    def play(self) -> cmd.Play:
        """The play that seems best."""
        assert self.game.dice is not None, "nothing has been rolled"
        is_strongest = self.level.key == STRONGEST
        ranked = plays_ranked(self.state, self.game.dice, deep=is_strongest)
        if is_strongest:
            return cmd.Play(moves=wire_moves(ranked[0].moves))
        errors = self.noise.about_plays([play.result for play in ranked])
        seems = [self._seems(play) + error for play, error in zip(ranked, errors, strict=True)]
        best = ranked[seems.index(max(seems))]
        return cmd.Play(moves=wire_moves(best.moves))

    def _seems(self, play: RankedPlay) -> float:
        """The equity of a play, with the level's share of the rules of thumb."""
        share = self.level.thumb
        if not share:
            return play.equity
        return (1 - share) * play.equity + share * by_eye(self.state, play.result)

    def best_double(self) -> int:
        """The number whose best play seems best."""

        def worth(number: int) -> float:
            best = plays_ranked(self.state, (number, number))[0]
            return best.equity + self.noise.about_number(number)

        return max(range(1, 7), key=worth)

    def doubles(self) -> bool:
        """Whether to turn the cube before the roll. Without the engine the cube stays."""
        if "double" not in actions(self.state, self.seat) or not self.knows_cube:
            return False
        worth, error = self._cube(), self.noise.about_cube()
        # the opponent picks the answer worse for the doubler; a player who is too good plays on
        doubled = min(worth.double_take + _CUBE_DOUBLED * error, 1.0)
        return doubled > worth.no_double + error + self.level.shy

    def answer_double(self) -> cmd.PlayerCommand:
        """Take, drop, or turn the cube once more where the table has that."""
        if not self.knows_cube:
            return cmd.Take() if self._pips_behind() < _TAKE_PIPS else cmd.Drop()
        if self.seat == self.game.on_roll:
            return cmd.Take()  # a beaver against the bot: it goes on with what it has begun
        taken = self._cube().double_take + _CUBE_DOUBLED * self.noise.about_cube()
        if taken < 0 and "beaver" in actions(self.state, self.seat):
            return cmd.Beaver()
        return cmd.Take() if taken <= 1.0 else cmd.Drop()

    def content(self) -> bool:
        """Whether what the opponent offers to lose is as much as can be hoped for."""
        offered = self.game.resignation
        assert offered is not None, "nobody resigns"
        if not self.knows_cube:
            return True
        situation = situation_of(self.state, self.game)  # of the player on roll, who resigns
        hoped_for = -engine.outright(self._cube().chances, situation)
        return -engine.worth_of_end(-offered.level, situation) >= hoped_for - _WORTH_PLAYING_ON

    def lost_at(self) -> int:
        """The level at which to give up now; 0 while there is anything to play for.

        Only the highest, which ends the game at once: a lower one the opponent could refuse in
        every turn.
        """
        levels = resignable_levels(self.state)
        if not levels or not self.knows_cube or self.game.on_roll != self.seat:
            return 0
        win, _, _, gammon, backgammon = self._cube().chances
        lost = {1: 1 - win, 2: gammon, 3: backgammon}[levels[-1]]
        return levels[-1] if lost >= 1 - _HOPELESS else 0

    def _cube(self) -> CubeWorth:
        return engine.cube_worth(situation_of(self.state, self.game))

    def _pips_behind(self) -> int:
        """How far the answering player is behind the player on roll."""
        mine, his = self.game.position.pips(self.state.variant.way)
        return his - mine


def wire_moves(moves: tuple[Move, ...]) -> tuple[tuple[int, int, int], ...]:
    """Moves as commands carry them."""
    return tuple((move.source, move.target, move.die) for move in moves)


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
