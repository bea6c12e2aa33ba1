"""The base of all variants; each file in `variants/` has its data and then its differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from typing import ClassVar

import msgspec

from backgammon.rules.errors import InvalidDice, InvalidPosition, OptionNotOffered
from backgammon.rules.movement import HITTING, Movement, StepRule, can_step
from backgammon.rules.packed import OFF_LANE, own_mask, pack
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position, Way
from backgammon.rules.search import BoardRule, Rules, find_plays
from backgammon.rules.start import StartRule


@dataclass(frozen=True, slots=True)
class Options:
    """The optional rules of movement a table has chosen; the defaults are the plain game.

    Each variant names the ones it offers (`Variant.options_offered`) and refuses the others.
    """

    max_stack: int | None = None
    """5 = a point with five own checkers is closed for further own ones ("max five")."""

    no_hit_and_run: bool = False
    """A checker that hits in its own home board stays there for the rest of the turn."""

    extra_roll_on_doubles: bool = True
    """Acey-deucey: a double played in full earns another roll (off = the US Navy form)."""


PLAIN = Options()


class Termination(Enum):
    """The event on the board that ended a game."""

    BORNE_OFF = "borne_off"
    """One side has borne off all its checkers."""
    MOTHER = "mother"
    """Plakoto: the last checker on its starting point was pinned."""
    BOTH_MOTHERS = "both_mothers"
    """Plakoto and Tapa: both last starters are pinned; neither side can win."""
    FROZEN = "frozen"
    """Neither side could play any number; a safety net, a draw."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended on the board: `winner` is "mover", "opponent" or None for a draw.

    `level` is what the cube value is multiplied with, 0 in a draw.
    """

    winner: str | None
    level: int
    termination: Termination


class TurnFlow(msgspec.Struct, frozen=True):
    """The continuation of a roll that was played in full (a roll that was not has none).

    `rolls` are played next, one after the other, each only if the one before was played in full;
    `choose_double` lets the player name any double and play it; `roll_again` gives the same
    player another turn if all of that was played in full.
    """

    rolls: tuple[tuple[int, int], ...] = ()
    choose_double: bool = False
    roll_again: bool = False


TURN_OVER = TurnFlow()

_OFF = own_mask(OFF_LANE)


class Turn(msgspec.Struct, frozen=True):
    """The data that a variant's own rules may read: the board before the turn and the roll.

    `board` and `trapped` are packed (see `packed`); `first_turn` is the player's own first turn
    of the game.
    """

    board: int
    trapped: int
    dice: tuple[int, ...]
    first_turn: bool
    options: Options


class Variant:
    """One game of the family. Instances carry no state; compare them by `key`.

    `key` is the name of the variant's file; `name` is for people, in English, marked by
    `gettext_noop`. The other data is standard backgammon's; subclasses state what differs.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    way: ClassVar[Way] = Way.AGAINST
    setup: ClassVar[Mapping[int, int]] = {24: 2, 13: 5, 8: 3, 6: 5}
    in_hand: ClassVar[int] = 0
    movement: ClassVar[Movement] = HITTING
    has_cube: ClassVar[bool] = True
    levels: ClassVar[tuple[int, ...]] = (1, 2, 3)
    dice_count: ClassVar[int] = 2
    start_rule: ClassVar[StartRule] = StartRule.ROLL_OFF_USE
    next_start_rule: ClassVar[StartRule] = StartRule.ROLL_OFF_USE
    options_offered: ClassVar[frozenset[str]] = frozenset()
    jacoby_by_default: ClassVar[bool] = False

    @cached_property
    def checkers(self) -> int:
        """How many checkers each side has."""
        return sum(self.setup.values()) + self.in_hand

    @cached_property
    def start(self) -> Position:
        """The starting position, the same in both players' views."""
        points = [0] * 24
        for point, count in self.setup.items():
            points[point - 1] += count
            points[self.way.across(point) - 1] -= count
        return Position(tuple(points), hand=(self.in_hand, self.in_hand))

    def legal_plays(
        self,
        position: Position,
        dice: Sequence[int],
        *,
        first_turn: bool = False,
        options: Options = PLAIN,
    ) -> LegalPlays:
        """All legal plays of a roll, in the mover's view.

        :raises InvalidPosition: if the position cannot stand in this variant.
        :raises InvalidDice: if this is not a roll of the variant's dice.
        :raises OptionNotOffered: if the variant does not have the optional rule.
        """
        self.check(position)
        self.check_options(options)
        return self.plays_from(position, dice, first_turn=first_turn, options=options)

    def plays_from(
        self,
        position: Position,
        dice: Sequence[int],
        *,
        first_turn: bool = False,
        options: Options = PLAIN,
    ) -> LegalPlays:
        """`legal_plays` for a position that came about by these rules, and offered options.

        :raises InvalidDice: if this is not a roll of the variant's dice.
        """
        single = self.single_dice(dice)
        board, trapped = pack(position)
        turn = Turn(board, trapped, single, first_turn, options)
        rules = Rules(self.step_rules(turn), self.over_rule(turn), self.end_rule(turn))
        found = find_plays(board, trapped, single, self.movement, rules)
        return LegalPlays(
            found, trapped=trapped, pins=self.movement.pins, steps_in_roll=len(single)
        )

    def single_dice(self, dice: Sequence[int]) -> tuple[int, ...]:
        """The single dice of a roll, highest first; a double counts four times.

        :raises InvalidDice: if the number of dice or one of their faces is wrong.
        """
        if len(dice) != self.dice_count:
            raise InvalidDice(f"{self.key} is played with {self.dice_count} dice, not {len(dice)}")
        for face in dice:
            if type(face) is not int or not 1 <= face <= 6:
                raise InvalidDice(f"a die shows 1 to 6, not {face!r}")
        if len(dice) == 2 and dice[0] == dice[1]:
            return (dice[0],) * 4
        return tuple(sorted(dice, reverse=True))

    def check(self, position: Position) -> None:
        """Do nothing for a position that can stand in this variant.

        :raises InvalidPosition: naming what is wrong.
        """
        points = position.points
        if len(points) != 24:
            raise InvalidPosition(f"a board has 24 points, this one has {len(points)}")
        if position.pinned:
            self._check_pins(position)
        balance = sum(points)
        total = sum(map(abs, points))
        if self._may_stand(position, (total + balance) // 2, (total - balance) // 2):
            return
        for seat, name, on_points in (
            (0, "the mover", (total + balance) // 2),
            (1, "the opponent", (total - balance) // 2),
        ):
            trays = position.bar[seat], position.off[seat], position.hand[seat]
            if min(trays) < 0:
                raise InvalidPosition(f"{name} has a negative number of checkers off the board")
            pinned = sum((points[p - 1] > 0) == (seat == 1) for p in position.pinned)
            if (count := on_points + sum(trays) + pinned) != self.checkers:
                raise InvalidPosition(f"{name} has {count} checkers instead of {self.checkers}")
            if trays[0] and not self.movement.hits:
                raise InvalidPosition(f"{name} has checkers on the bar, but {self.key} has no bar")
            if trays[2] and not self.in_hand:
                raise InvalidPosition(f"{name} has checkers in hand, but {self.key} has no hand")

    def _may_stand(self, position: Position, mine: int, his: int) -> bool:
        """Whether nothing is wrong with a position without pins: most have not even trays."""
        bar, off, hand = position.bar, position.off, position.hand
        return (
            mine + bar[0] + off[0] + hand[0] == self.checkers
            and his + bar[1] + off[1] + hand[1] == self.checkers
            and min(off) >= 0
            and (bar == (0, 0) or (self.movement.hits and min(bar) >= 0))
            and (hand == (0, 0) or (self.in_hand > 0 and min(hand) >= 0))
            and not position.pinned
        )

    def _check_pins(self, position: Position) -> None:
        if not self.movement.pins:
            raise InvalidPosition(f"no checker is ever pinned in {self.key}")
        if sorted(set(position.pinned)) != list(position.pinned):
            raise InvalidPosition("pinned points must be listed once each, in rising order")
        for point in position.pinned:
            if not 1 <= point <= 24 or not position.points[point - 1]:
                raise InvalidPosition(f"point {point}: nothing lies on top of the pinned checker")

    def check_options(self, options: Options) -> None:
        """Check that the variant offers the requested optional rules.

        :raises OptionNotOffered: naming the option.
        """
        if options is PLAIN:
            return
        for field in fields(Options):
            value = getattr(options, field.name)
            if value != field.default and field.name not in self.options_offered:
                raise OptionNotOffered(f"{self.key} does not offer the option {field.name}")
        if options.max_stack is not None and (type(options.max_stack), options.max_stack) != (
            int,
            5,
        ):
            raise OptionNotOffered(f"max_stack is 5 or off, not {options.max_stack!r}")
        for name in ("no_hit_and_run", "extra_roll_on_doubles"):
            if type(value := getattr(options, name)) is not bool:
                raise OptionNotOffered(f"{name} is on or off, not {value!r}")

    def step_rules(self, turn: Turn) -> list[StepRule]:
        """Restrictions on single moves; a move must satisfy all of them."""
        return []

    def over_rule(self, turn: Turn) -> BoardRule | None:
        """The test whether a board reached in this turn ends the game; None if none can."""
        full = self.checkers
        if (turn.board & _OFF) + len(turn.dice) < full:
            return None
        return lambda board: board & _OFF == full

    def end_rule(self, turn: Turn) -> BoardRule | None:
        """Marks results that are dropped when the roll has others, if the variant has such."""
        return None

    def outcome(self, position: Position) -> Outcome | None:
        """How the game stands after the mover's play: its outcome, or None while it goes on.

        :raises InvalidPosition: if the position cannot stand in this variant.
        """
        self.check(position)
        return self.ending(position)

    def ending(self, position: Position) -> Outcome | None:
        """The variant's answer for `outcome`, on a position that has been checked."""
        if position.off[0] == self.checkers:
            return self.won(position)
        if not self.can_move(position) and not self.can_move(position.turned(self.way)):
            return Outcome(None, 0, Termination.FROZEN)
        return None

    def won(self, position: Position) -> Outcome:
        """The outcome when the mover has borne off their last checker."""
        return Outcome("mover", self.level(position), Termination.BORNE_OFF)

    def level(self, position: Position) -> int:
        """The level the winner (the mover) scores: 1, 2 for a gammon, 3 for a backgammon."""
        if position.off[1] > 0:
            return 1
        if 3 in self.levels and (position.bar[1] or min(position.points[:6]) < 0):
            return 3
        return 2

    def most_to_lose(self, position: Position) -> int:
        """The largest level the mover may still lose; never too little.

        With a checker borne off it is 1, as that checker stays off. Without contact no checker
        can be hit: a backgammon needs one that is still in the opponent's home (19 or higher).
        With contact every level is possible.
        """
        if position.off[0]:
            return 1
        if 3 not in self.levels:
            return max(self.levels)
        return 3 if position.rearmost() >= 19 or position.contact(self.way) else 2

    def can_move(self, position: Position) -> bool:
        """Whether the mover could play at least one number of a die."""
        board, trapped = pack(position)
        for die in range(1, 7):
            rules = self.step_rules(Turn(board, trapped, (die,), False, PLAIN))
            if can_step(board, trapped, die, self.movement, rules):
                return True
        return False

    def flow(
        self,
        dice: Sequence[int],
        *,
        all_played: bool,
        own_turns_before: int,
        options: Options = PLAIN,
    ) -> TurnFlow:
        """The sequel to a roll in the same turn; empty in most variants.

        `own_turns_before` counts the player's earlier turns in this game.
        """
        return TURN_OVER

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
