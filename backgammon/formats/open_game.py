"""A game in progress: its board, its cube and the player on turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backgammon.formats.errors import RecordError
from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Result,
)
from backgammon.rules.cube import HIGHEST_CAP
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.notation import Hop, match_hops
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.scoring import counted_level
from backgammon.rules.variant import TURN_OVER, Outcome
from backgammon.rules.variants import by_key

_OFFERS = (CubeVerb.DOUBLE, CubeVerb.BEAVER, CubeVerb.RACCOON)


class OpenGame:
    """Takes the actions of one game; a method that raises has changed nothing."""

    def __init__(self, match: MatchRecord, game: GameRecord) -> None:
        """Set up the board of ``game``, whose actions and result are left aside.

        ``over`` is how the game has ended by its actions alone, ``winner`` who won it then.

        :raises RulesError: for an unknown variant, an option it lacks or an impossible start.
        :raises RecordError: for a cube that no automatic doubles lead to.
        """
        self.variant = by_key(game.variant)
        self.variant.check_options(match.options)
        self._position = self.variant.start if game.start is None else game.start
        self.variant.check(self._position)
        if not 1 <= game.cube_value <= HIGHEST_CAP or game.cube_value & (game.cube_value - 1):
            raise RecordError(f"a game cannot begin with the cube at {game.cube_value}")
        if game.cube_owner not in (None, 0, 1) or (
            game.cube_value == 1 and game.cube_owner is not None
        ):
            raise RecordError(f"a cube at {game.cube_value} has no owner {game.cube_owner}")
        self._match = match
        self._record = replace(game, actions=(), result=None)
        self._actions: list[Action] = []
        self._seen_by = 0
        self._turns = [0, 0]
        self._next_seat: int | None = None
        self._same_seat_may_roll = False
        self.cube_value = game.cube_value
        self.cube_owner: int | None = game.cube_owner
        self._offers: list[int] = []  # the seats that doubled, beavered, raccooned
        self._outcome: Outcome | None = None
        #: the legal plays that were read last: callers often go on to play one
        self._searched: tuple[tuple[int, tuple[int, ...]], LegalPlays] | None = None
        self.winner: int | None = None
        self.over: Ending | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything has happened in it."""
        return bool(self._actions)

    @property
    def actions_count(self) -> int:
        """How many rolls and words about the cube it has."""
        return len(self._actions)

    @property
    def next_seat(self) -> int | None:
        """The seat that rolls, doubles or answers next; None where both may begin."""
        return self._next_seat

    @property
    def is_doubled(self) -> bool:
        """Whether a double, a beaver or a raccoon waits for its answer."""
        return bool(self._offers)

    def taker_if_rolls(self, seat: int) -> int | None:
        """The seat that accepts a beaver or raccoon if ``seat``, which began it, just rolls on."""
        if len(self._offers) < 2 or self._offers[0] != seat:
            return None
        return 1 - self._offers[-1]

    def position(self, seat: int) -> Position:
        """The board as ``seat`` sees it."""
        if seat != self._seen_by:
            self._position = self._position.turned(self.variant.way)
            self._seen_by = seat
        return self._position

    def plays(self, seat: int, dice: Sequence[int]) -> LegalPlays:
        """The legal plays of a roll that is ``seat``'s to make.

        :raises RecordError: if it is not their turn to roll.
        :raises RulesError: if these are no dice of the variant.
        """
        self._check_open()
        if self._offers:
            raise RecordError("the double has not been answered")
        self._check_turn(seat)
        roll = (seat, tuple(dice))
        if self._searched is None or self._searched[0] != roll:
            found = self.variant.legal_plays(
                self.position(seat),
                roll[1],
                first_turn=self._turns[seat] == 0,
                options=self._match.options,
            )
            self._searched = (roll, found)
        return self._searched[1]

    def play(self, seat: int, dice: Sequence[int], hops: Sequence[Hop], comment: str) -> None:
        """A roll and the play that hops mean; see ``match_hops`` on what is passed over.

        :raises RulesError: if this is no legal play of the roll.
        """
        plays = self.plays(seat, dice)
        moves = match_hops(self.position(seat), plays, hops, strict=False)
        self._played(RecordedTurn(seat, tuple(dice), moves, comment), plays, moves)

    def tell(self, action: Action) -> None:
        """Any action of a record.

        :raises RecordError: if it does not fit the game so far.
        :raises RulesError: if it is no legal play of its roll.
        """
        if isinstance(action, RecordedTurn):
            self.turn(action)
        elif isinstance(action, Resignation):
            self.resign(action)
        elif action.verb is CubeVerb.TAKE:
            self.take(action.seat, action.comment)
        elif action.verb is CubeVerb.DROP:
            self.drop(action.seat, action.comment)
        else:
            self.offer(action.seat, verb=action.verb, value=action.value, comment=action.comment)

    def turn(self, turn: RecordedTurn) -> None:
        """A roll with its moves (None: the game ended before they were made).

        :raises RulesError: if this is no legal play of the roll.
        """
        plays = self.plays(turn.seat, turn.dice)
        if turn.moves is None:
            self._actions.append(turn)
        else:
            self._played(turn, plays, turn.moves)

    def unroll(self, seat: int) -> None:
        """Forget a roll without a play, if that is what ``seat`` did last."""
        last = self._actions[-1] if self._actions else None
        if isinstance(last, RecordedTurn) and last.seat == seat and last.moves is None:
            self._actions.pop()

    def _played(self, turn: RecordedTurn, plays: LegalPlays, moves: tuple[Move, ...]) -> None:
        after = plays.graph.follow(moves)
        seat = turn.seat
        goes_on = self._same_seat_may_roll and seat != self._next_seat
        flow = self.variant.flow(
            turn.dice,
            all_played=plays.all_played,
            own_turns_before=self._turns[seat] - goes_on,
            options=self._match.options,
        )
        self._same_seat_may_roll = flow != TURN_OVER or (goes_on and plays.all_played)
        self._turns[seat] += not goes_on
        self._position, self._next_seat = after, 1 - seat
        self._searched = None
        self._actions.append(turn)
        self._outcome = self.variant.outcome(after)
        if self._outcome is not None:
            self.over = Ending.BOARD
            winners = {"mover": seat, "opponent": 1 - seat, None: None}
            self.winner = winners[self._outcome.winner]

    def offer(
        self,
        seat: int,
        *,
        verb: CubeVerb | None = None,
        value: int | None = None,
        comment: str = "",
    ) -> None:
        """``seat`` doubles, or answers a double by beaver or raccoon; both may be stated.

        :raises RecordError: if they may not turn the cube now, or not to that value.
        """
        self._check_open()
        if len(self._offers) == len(_OFFERS):
            raise RecordError("a raccoon can only be taken or dropped")
        expected = _OFFERS[len(self._offers)]
        if self._offers:
            self._check_redouble_at_once(seat, expected)
        else:
            self._check_double(seat)
        to = self.cube_value << (len(self._offers) + 1)
        if to > HIGHEST_CAP:
            raise RecordError(f"the cube cannot go beyond {HIGHEST_CAP}")
        if verb not in (None, expected) or value not in (None, to):
            raise RecordError(f"the next offer is a {expected.value} to {to}")
        self._actions.append(CubeAction(seat, expected, to, comment))
        self._offers.append(seat)
        self._next_seat, self._same_seat_may_roll = 1 - seat, False

    def _check_double(self, seat: int) -> None:
        self._check_turn(seat)
        if not self._match.has_cube or not self.variant.has_cube:
            raise RecordError("this match is played without a cube")
        if self.cube_owner not in (None, seat):
            raise RecordError("the opponent owns the cube, so it cannot be offered")

    def _check_redouble_at_once(self, seat: int, verb: CubeVerb) -> None:
        if seat == self._offers[-1]:
            raise RecordError("a double waits for the opponent's answer")
        if self._match.kind is FormatKind.POINTS:
            raise RecordError(f"a {verb.value} belongs to unlimited play, not to a match")

    def take(self, seat: int, comment: str = "") -> None:
        """``seat`` accepts the offer.

        :raises RecordError: if nothing was offered to them.
        """
        self._check_answer(seat)
        self.cube_value <<= len(self._offers)
        self._actions.append(CubeAction(seat, CubeVerb.TAKE, self.cube_value, comment))
        doubler = self._offers[0]
        self.cube_owner, self._next_seat = 1 - doubler, doubler
        self._offers.clear()

    def drop(self, seat: int, comment: str = "") -> None:
        """``seat`` refuses the offer, which ends the game.

        :raises RecordError: if nothing was offered to them.
        """
        self._check_answer(seat)
        value = self.cube_value << len(self._offers)
        self._actions.append(CubeAction(seat, CubeVerb.DROP, value, comment))
        self.cube_value = value // 2
        self.over, self.winner = Ending.DROP, 1 - seat

    def resign(self, resignation: Resignation) -> None:
        """An offer to resign and its answer; accepted it ends the game.

        :raises RecordError: if the level does not exist.
        """
        self._check_open()
        if resignation.level not in self.variant.levels:
            raise RecordError(f"nobody can resign level {resignation.level} in this variant")
        self._actions.append(resignation)
        if resignation.accepted:
            self.over, self.winner = Ending.RESIGNATION, 1 - resignation.seat

    def result(self, winner: int | None, points: int | None, ending: Ending | None) -> Result:
        """The result as stated; what is not stated is taken from the board.

        :raises RecordError: if the board, the drop or the cube say otherwise.
        """
        ending = ending or self.over or Ending.RESIGNATION
        if ending in (Ending.BOARD, Ending.DROP) and self.over is not ending:
            raise RecordError(f"the game did not end by {ending.value}")
        decided = self.over is not None and ending is not Ending.ADJUDICATED
        if decided and winner != self.winner:
            raise RecordError(f"the game does not end with {self._name(winner)} winning")
        if winner is None:
            if points:
                raise RecordError("a draw gives no points")
            return Result(None, 0, ending)
        worth = self._worth(ending)
        if points is None:
            is_certain = ending in (Ending.BOARD, Ending.DROP)
            return Result(winner, worth[-1] if is_certain else self.cube_value, ending)
        possible = sorted({*worth, *self._capped(worth, ending, winner)})
        if points < 1 or (worth and points not in possible):
            expected = " or ".join(map(str, possible)) or "at least 1"
            raise RecordError(f"the game is worth {expected} points, not {points}")
        return Result(winner, points, ending)

    def _worth(self, ending: Ending) -> list[int]:
        """The possible points of a game with this ending; empty if they are unknown.

        A gammon may count once only, under the Jacoby rule or at a limit: both are allowed.
        """
        if ending is Ending.DROP:
            return [self.cube_value]
        if ending is Ending.RESIGNATION:
            return [self.cube_value * level for level in self.variant.levels]
        if ending is not Ending.BOARD or self._outcome is None:
            return []
        level = self._outcome.level
        plain = counted_level(level, jacoby=True)
        return sorted({self.cube_value * plain, self.cube_value * level})

    def _capped(self, worth: list[int], ending: Ending, winner: int) -> list[int]:
        """The points of programs that count no more than the winner needs, or the match has.

        Who resigns may also give up the whole match.
        """
        match = self._match
        if match.kind is not FormatKind.POINTS:
            return []
        caps = (match.length - self._record.score[winner], match.length)
        is_whole_match = ending is Ending.RESIGNATION
        return [cap for cap in caps if is_whole_match or any(points > cap for points in worth)]

    def close(self, result: Result | None) -> GameRecord:
        """The game's record; ``result`` is None if it was not finished."""
        return replace(self._record, actions=tuple(self._actions), result=result)

    def _check_open(self) -> None:
        if self.over is not None:
            raise RecordError("the game is over, nothing can follow but its result")

    def _check_answer(self, seat: int) -> None:
        self._check_open()
        if not self._offers or self._offers[-1] == seat:
            raise RecordError(f"{self._name(seat)} has no double to answer")

    def _check_turn(self, seat: int) -> None:
        last = self._actions[-1] if self._actions else None
        if isinstance(last, RecordedTurn) and last.moves is None:
            raise RecordError("the roll before was never played")
        if self._next_seat in (None, seat) or self._same_seat_may_roll:
            return
        raise RecordError(f"it is not {self._name(seat)}'s turn")

    def _name(self, seat: int | None) -> str:
        return "nobody" if seat is None else self._match.players[seat]
