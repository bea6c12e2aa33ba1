"""Random games through the public surface of the rules, and positions gathered from them.

The games are seeded: the same seed gives the same games on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.variant import PLAIN, Options, Outcome, Variant

MOST_TURNS = 5_000


@dataclass(frozen=True)
class RolledPosition:
    """A roll of a game, with the plays that it allowed."""

    position: Position
    dice: tuple[int, ...]
    first_turn: bool
    plays: LegalPlays


@dataclass
class RandomGame:
    """One game of a variant with plays drawn at random; iterate it to play it."""

    variant: Variant
    chance: random.Random
    options: Options = PLAIN
    outcome: Outcome | None = None
    turns: int = 0

    def __iter__(self) -> Iterator[RolledPosition]:
        position, own_turns, seat = self.variant.start, [0, 0], 0
        while self.outcome is None:
            assert self.turns < MOST_TURNS, f"{self.variant.key} does not end"
            again = True
            while again and self.outcome is None:
                again = False
                rolls = [self.roll()]
                flow = None
                while rolls and self.outcome is None:
                    dice = rolls.pop(0)
                    first_turn = own_turns[seat] == 0
                    plays = self.variant.legal_plays(
                        position, dice, first_turn=first_turn, options=self.options
                    )
                    yield RolledPosition(position, dice, first_turn, plays)
                    _, position = plays.pick(self.chance.randrange)
                    self.outcome = self.variant.outcome(position)
                    if flow is None:
                        flow = self.variant.flow(
                            dice,
                            all_played=plays.all_played,
                            own_turns_before=own_turns[seat],
                            options=self.options,
                        )
                        rolls += flow.rolls
                        if flow.choose_double:
                            rolls.append((self.chance.randint(1, 6),) * 2)
                    if not plays.all_played:
                        rolls.clear()
                        again = False
                    else:
                        again = flow.roll_again
            own_turns[seat] += 1
            self.turns += 1
            seat = 1 - seat
            position = position.turned(self.variant.way)

    def roll(self) -> tuple[int, ...]:
        return tuple(self.chance.randint(1, 6) for _ in range(self.variant.dice_count))

    def play(self) -> Outcome:
        for _ in self:
            pass
        assert self.outcome is not None
        return self.outcome


def rolled_positions(variant: Variant, seed: int, number: int) -> Iterator[RolledPosition]:
    """This many rolls from random games."""
    chance = random.Random(seed)
    while True:
        for rolled in RandomGame(variant, chance):
            if number == 0:
                return
            number -= 1
            yield rolled


def scattered(variant: Variant, chance: random.Random) -> Position:
    """Any possible position: checkers placed at random on the board, the bar, the trays.

    Some positions crowd the home boards, some leave few checkers, some fill the bar, so that
    bearing off, closed boards and last checkers are common.
    """
    points = [0] * 24
    trays = {"bar": [0, 0], "off": [0, 0], "hand": [0, 0]}
    pinned: set[int] = set()
    width = chance.choice((6, 6, 12, 18, 24, 24))
    for seat, sign in ((0, 1), (1, -1)):
        left = variant.checkers
        left -= _throw_off_board(variant, chance, trays, seat, left)
        narrow = width if seat == 0 or chance.random() < 0.5 else chance.choice((6, 12, 24))
        while left:
            own = chance.randint(1, narrow) if chance.random() < 0.9 else chance.randint(1, 24)
            point = own if seat == 0 else variant.way.across(own)
            there = points[point - 1] * sign
            if there >= 0:
                points[point - 1] += sign
                left -= 1
            elif there == -1 and variant.movement.pins and point not in pinned:
                points[point - 1] = sign
                pinned.add(point)
                left -= 1
    return Position(
        tuple(points),
        tuple(trays["bar"]),
        tuple(trays["off"]),
        tuple(trays["hand"]),
        tuple(sorted(pinned)),
    )


def _throw_off_board(
    variant: Variant,
    chance: random.Random,
    trays: dict[str, list[int]],
    seat: int,
    checkers: int,
) -> int:
    away = 0
    if chance.random() < 0.6:
        trays["off"][seat] = chance.randint(0, checkers - 1)
        away += trays["off"][seat]
    if variant.movement.hits and chance.random() < 0.3:
        trays["bar"][seat] = min(chance.choice((1, 1, 1, 2, 3)), checkers - away)
        away += trays["bar"][seat]
    if variant.in_hand and not trays["off"][seat] and chance.random() < 0.6:
        trays["hand"][seat] = chance.randint(0, checkers - away)
        away += trays["hand"][seat]
    return away
