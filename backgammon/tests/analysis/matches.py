"""Matches played by the engine itself, well or badly, with dice from a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from backgammon.counting.decisions import Choice, DecidedPlay, DecisionPlace
from backgammon.counting.judging import DROPPED, judge_play
from backgammon.counting.situation import MINE, THEIRS, Situation
from backgammon.engines.sage import house_engine
from backgammon.formats.builder import RecordBuilder
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import GameRecord, MatchRecord, RecordedTurn
from backgammon.rules.cube import Cube
from backgammon.rules.match import FormatKind
from backgammon.rules.position import Position

TURNS_MAX = 400
FIFTH = 5
PLANTED_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class Player:
    """How a player plays: the plies, and the deviation of the error in every judgement."""

    ply: int = 1
    error: float = 0.0


PERFECT = Player()


def played_match(
    seed: int, players: tuple[Player, Player] = (PERFECT, PERFECT), *, length: int = 5
) -> MatchRecord:
    """A match to `length` points between two players, as the engine would play it."""
    return Table(seed, players, length).match()


class Table:
    """A table; with `planting`, some turns get the fifth best play.

    `planted` has what these lose, two plies deep, by the number of the turn in the match.
    """

    def __init__(
        self,
        seed: int,
        players: tuple[Player, Player],
        length: int,
        *,
        planting: float = 0.0,
    ) -> None:
        self.planting, self.planted, self.turns = planting, dict[int, float](), 0
        self.chance, self.players, self.length = random.Random(seed), players, length
        self.builder = RecordBuilder(
            MatchRecord(players=("anna", "ben"), kind=FormatKind.POINTS, length=length)
        )

    def match(self) -> MatchRecord:
        """Play it."""
        score = [0, 0]
        while max(score) < self.length:
            record = GameRecord("backgammon", score=(score[0], score[1]))
            game = self.builder.begin_game(record)
            self._play(game, score)
            winner = game.winner
            assert winner is not None
            score[winner] += self.builder.end_game(winner).points
        return self.builder.record()

    def _play(self, game: OpenGame, score: list[int]) -> None:
        dice = self._opening()
        seat = self.chance.randrange(2)
        for number in range(TURNS_MAX):
            situation = self._situation(game, seat, score)
            if number and not self._doubles(game, situation, seat):
                return
            situation = self._situation(game, seat, score)
            self._turn(game, situation, seat, dice)
            if game.over is not None:
                return
            dice = (self.chance.randint(1, 6), self.chance.randint(1, 6))
            seat = 1 - seat
        raise AssertionError("no end")

    def _opening(self) -> tuple[int, int]:
        first, second = self.chance.sample(range(1, 7), 2)
        return first, second

    def _situation(self, game: OpenGame, seat: int, score: Sequence[int]) -> Situation:
        owner = game.cube_owner
        return Situation(
            game.position(seat),
            Cube(game.cube_value, None if owner is None else MINE if owner == seat else THEIRS),
            away=(self.length - score[seat], self.length - score[1 - seat]),
            crawford=self.builder.is_crawford,
        )

    def _blur(self, seat: int) -> float:
        return self.chance.gauss(0.0, self.players[seat].error)

    def _doubles(self, game: OpenGame, situation: Situation, seat: int) -> bool:
        """Whether the game goes on after the cube."""
        assert situation.away is not None
        dead = situation.cube.value >= situation.away[0]
        if situation.crawford or dead or situation.cube.owner == THEIRS:
            return True
        worth = house_engine().cube(situation, self.players[seat].ply)
        doubled = min(worth.double_take, DROPPED) + self._blur(seat)
        if doubled <= worth.no_double:
            return True
        game.offer(seat)
        worth = house_engine().cube(situation, self.players[1 - seat].ply)
        if worth.double_take + self._blur(1 - seat) > DROPPED:
            game.drop(1 - seat)
            return False
        game.take(1 - seat)
        return True

    def _turn(self, game: OpenGame, situation: Situation, seat: int, dice: tuple[int, int]) -> None:
        legal = game.plays(seat, dice)
        choices = tuple(Choice(moves, result) for moves, result in legal.graph.ends())
        play = DecidedPlay(DecisionPlace(1, 1, seat), situation, dice, choices, None)
        result = self._planted(play) or self._chosen(play, seat)
        moves = next(choice.moves for choice in choices if choice.result == result)
        game.turn(RecordedTurn(seat, dice, moves))
        self.turns += 1

    def _chosen(self, play: DecidedPlay, seat: int) -> Position:
        values = house_engine().plays(play, self.players[seat].ply)
        if not self.players[seat].error:
            return values[0].result
        return max(values, key=lambda value: value.equity + self._blur(seat)).result

    def _planted(self, play: DecidedPlay) -> Position | None:
        """The fifth best play, if one is due and loses enough to be found."""
        if len(play.choices) < FIFTH or self.chance.random() >= self.planting:
            return None
        result = house_engine().plays(play, 1)[FIFTH - 1].result
        made = next(choice for choice in play.choices if choice.result == result)
        loss = judge_play(
            replace(play, played=made), house_engine().plays(replace(play, played=made), 2)
        ).loss
        assert loss is not None
        if loss < PLANTED_LEAST:
            return None
        self.planted[self.turns] = loss
        return result
