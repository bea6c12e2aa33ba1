"""Every decision of a match, in the order in which it was made.

A decision is a play of a roll, doubling or not before a roll, or the answer to a double. The rolls
that leave no choice are among the plays, because the luck of every roll counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from backgammon.counting.situation import AWAY_MOST, MINE, THEIRS, Away, MatchTooLong, Situation
from backgammon.formats.builder import RecordBuilder
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import (
    CubeAction,
    CubeVerb,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
)
from backgammon.rules.cube import Cube, CubeMoment, double_refusal
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.position import Position

Kind = Literal["play", "double", "take"]


@dataclass(frozen=True, slots=True)
class DecisionPlace:
    """The game and the decision in it, both counted from 1, and the seat that decides."""

    game: int
    number: int
    seat: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One play of a roll and the position it leads to, in the mover's view."""

    moves: tuple[Move, ...]
    result: Position


@dataclass(frozen=True, slots=True)
class DecidedPlay:
    """A roll and its play.

    `played` is None if the game ended between the roll and the play. `opening` is set for the first
    roll of a game that was rolled off, which is never a double.
    """

    place: DecisionPlace
    situation: Situation
    dice: tuple[int, ...]
    choices: tuple[Choice, ...]
    played: Choice | None
    opening: bool = False
    kind: Kind = "play"


@dataclass(frozen=True, slots=True)
class Doubling:
    """Before a roll: the player on roll doubled, or might have."""

    place: DecisionPlace
    situation: Situation
    doubled: bool
    kind: Kind = "double"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the cube, which has been turned `turns` times in this exchange.

    The situation is that of the player who doubled, before the double. After a beaver (2 turns)
    this player answers, too.
    """

    place: DecisionPlace
    situation: Situation
    turns: int
    verb: CubeVerb
    kind: Kind = "take"


Decision = DecidedPlay | Doubling | Answer

_TURNS: Final = (CubeVerb.DOUBLE, CubeVerb.BEAVER, CubeVerb.RACCOON)


def length_check(record: MatchRecord) -> None:
    """Raise `MatchTooLong` for a match to more points than the match tables have."""
    if record.kind is FormatKind.POINTS and record.length > AWAY_MOST:
        raise MatchTooLong(record.length)


def decisions(record: MatchRecord, *, opening_doubles: bool | None = None) -> Iterator[Decision]:
    """The decisions of a match, game by game.

    `opening_doubles` says whether the first roll of a game may be a double: not where the players
    roll off, but where they take turns to begin. None: it may if one of the first rolls is one.

    :raises RecordError: if an action does not fit the game so far.
    :raises RulesError: if a play is illegal or a variant unknown.
    """
    for _game, _action, decision in decided(record, opening_doubles=opening_doubles):
        yield decision


def decided(
    record: MatchRecord, *, opening_doubles: bool | None = None
) -> Iterator[tuple[int, int, Decision]]:
    """As `decisions`, each after the indices of its game in the record and of its action there."""
    if opening_doubles is None:
        opening_doubles = any(map(_begins_with_double, record.games))
    builder = RecordBuilder(record)
    crawford_played = False
    for index, game in enumerate(record.games):
        board = builder.begin_game(game, crawford=game.crawford)
        reader = _GameReader(record, game, board, index + 1, after_crawford=crawford_played)
        for place, action in enumerate(game.actions):
            for decision in reader.read(action, rolled_off=not opening_doubles):
                yield index, place, decision
            builder.tell(action)
        crawford_played = crawford_played or game.crawford
        builder.close_game(game.result)


def next_doubling(record: MatchRecord, index: int, seat: int) -> Doubling:
    """The decision to double or not that a seat has where a game of the record stops.

    :raises RecordError: if an action does not fit the game so far.
    :raises RulesError: if a play is illegal or a variant unknown.
    """
    game = record.games[index]
    crawford_played = any(before.crawford for before in record.games[:index])
    board = RecordBuilder(record).begin_game(game, crawford=game.crawford)
    reader = _GameReader(record, game, board, index + 1, after_crawford=crawford_played)
    for action in game.actions:
        list(reader.read(action, rolled_off=True))  # which counts its decisions
        board.tell(action)
    return reader.doubling(seat)


def _begins_with_double(game: GameRecord) -> bool:
    first = next((action for action in game.actions if isinstance(action, RecordedTurn)), None)
    return first is not None and len(set(first.dice)) == 1


class _GameReader:
    """Reads the actions of one game; the board is that before the action."""

    def __init__(
        self,
        record: MatchRecord,
        game: GameRecord,
        board: OpenGame,
        number: int,
        *,
        after_crawford: bool,
    ) -> None:
        self.record, self.game, self.board = record, game, board
        self.number, self.after_crawford = number, after_crawford
        self.told = 0
        self.rolls = [0, 0]
        self.turns: list[int] = []  # the seats that turned the cube in this exchange

    def read(
        self, action: RecordedTurn | CubeAction | Resignation, *, rolled_off: bool
    ) -> Iterator[Decision]:
        """The decisions in one action."""
        if isinstance(action, RecordedTurn):
            if self._may_double(action.seat):
                yield self.doubling(action.seat)
            yield self._play(action, opening=rolled_off and not sum(self.rolls))
            self.rolls[action.seat] += 1
        elif isinstance(action, CubeAction):
            yield self._cube(action)

    def doubling(self, seat: int) -> Doubling:
        """The decision of a seat that does not double."""
        return Doubling(self._place(seat), self._situation(seat), False)

    def _play(self, turn: RecordedTurn, *, opening: bool) -> DecidedPlay:
        graph = self.board.plays(turn.seat, turn.dice).graph
        by_result = {result: Choice(moves, result) for moves, result in graph.ends()}
        played = None
        if turn.moves is not None:
            played = Choice(turn.moves, graph.follow(turn.moves))
            by_result[played.result] = played
        return DecidedPlay(
            self._place(turn.seat),
            self._situation(turn.seat),
            turn.dice,
            tuple(by_result.values()),
            played,
            opening,
        )

    def _cube(self, action: CubeAction) -> Decision:
        if not self.turns:
            self.turns.append(action.seat)
            return Doubling(self._place(action.seat), self._situation(action.seat), True)
        doubler = self.turns[0]
        answer = Answer(
            self._place(action.seat), self._situation(doubler), len(self.turns), action.verb
        )
        if action.verb in _TURNS:
            self.turns.append(action.seat)
        else:
            self.turns.clear()
        return answer

    def _place(self, seat: int) -> DecisionPlace:
        self.told += 1
        return DecisionPlace(self.number, self.told, seat)

    def _may_double(self, seat: int) -> bool:
        moment = CubeMoment(
            cube=Cube(self.board.cube_value, self.board.cube_owner),
            has_cube=self.record.has_cube and self.board.variant.has_cube,
            rolls=(self.rolls[0], self.rolls[1]),
            is_crawford=self.game.crawford,
            is_post_crawford=self.after_crawford,
            points_needed=self._needed(),
            limit_points=self._limit_points(),
        )
        return double_refusal(moment, seat, self.record.rules) is None

    def _limit_points(self) -> int | None:
        """The points at which a stake that is settled by the point is used up."""
        stakes = self.record.stakes
        if stakes is None or not stakes.point_cents:
            return None
        return -(-stakes.stake_cents // stakes.point_cents)

    def _needed(self) -> Away | None:
        if self.record.kind is not FormatKind.POINTS:
            return None
        length, score = self.record.length, self.game.score
        return length - score[0], length - score[1]

    def _situation(self, seat: int) -> Situation:
        owner, needed, rules = self.board.cube_owner, self._needed(), self.record.rules
        if needed is not None and seat:
            needed = needed[::-1]
        return Situation(
            position=self.board.position(seat),
            cube=Cube(
                self.board.cube_value, None if owner is None else MINE if owner == seat else THEIRS
            ),
            has_cube=self.record.has_cube and self.board.variant.has_cube,
            away=needed,
            crawford=self.game.crawford,
            jacoby=rules.jacoby and needed is None,
            beavers=rules.beavers and needed is None,
            raccoons=rules.raccoons and needed is None,
            variant=self.game.variant,
        )


def commented(record: MatchRecord, comments: Mapping[tuple[int, int], str]) -> MatchRecord:
    """The record with these comments, by the game and the number of a decision.

    An action with two decisions (not doubling, then the play) gets both, one below the other.
    """
    by_action: dict[tuple[int, int], list[str]] = {}
    for game, action, decision in decided(record):
        text = comments.get((decision.place.game, decision.place.number))
        if text:
            by_action.setdefault((game, action), []).append(text)
    games = []
    for index, game_record in enumerate(record.games):
        actions = []
        for place, told in enumerate(game_record.actions):
            said = by_action.get((index, place), [])
            actions.append(replace(told, comment="\n".join([*filter(None, [told.comment]), *said])))
        games.append(replace(game_record, actions=tuple(actions)))
    return replace(record, games=tuple(games))
