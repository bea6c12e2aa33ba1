"""The beginning at a table: the terms that wishes lead to, a position for the first game."""

from typing import Final

import msgspec

from backgammon.rules.cube import Cube
from backgammon.rules.errors import RulesError
from backgammon.rules.moves import BAR
from backgammon.rules.position import Position, Way
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from games.modes.prices import Prices
from games.modes.registry import by_key as mode_by_key
from games.modes.registry import mode_of
from games.modes.terms import BadWishes, Terms, UnknownMode, Wishes
from games.table.errors import BadSetup, BadTerms

#: the points of a player's home.
_HOME: Final = range(1, 7)


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game begins. `position` is a text in the numbering of seat 0 (docs/formats.md)."""

    position: str
    on_roll: int
    cube_value: int = 1
    cube_owner: int | None = None
    score: tuple[int, int] = (0, 0)
    crawford: bool = False

    @property
    def cube(self) -> Cube:
        """The cube as it lies."""
        return Cube(self.cube_value, self.cube_owner)

    def seen(self, way: Way) -> Position:
        """The position as the player on roll sees it."""
        position = Position.parse(self.position)
        return position.turned(way) if self.on_roll else position

    def is_post_crawford(self, terms: Terms) -> bool:
        """Whether somebody needs one point only and it is not Crawford's game: that is over."""
        one_away = max(self.score) == terms.target_points - 1
        return terms.contest == "points" and one_away and not self.crawford


def setup_check(setup: Setup, terms: Terms) -> None:
    """Do nothing for a position from which a game on these terms can be played.

    :raises BadSetup: naming the `field` that is wrong.
    """
    if not mode_of(terms).is_practice or terms.series:
        raise BadSetup("a game begins from another position in practice alone", field="mode")
    if setup.on_roll not in (0, 1):
        raise BadSetup(f"seat {setup.on_roll} cannot be on roll", field="on_roll")
    _position_check(setup, by_key(terms.variant))
    _score_check(setup, terms)
    _cube_check(setup, terms)


def _position_check(setup: Setup, variant: Variant) -> None:
    try:
        position = setup.seen(variant.way)
        variant.check(position)
    except RulesError as error:
        raise BadSetup(str(error), field="position") from error
    # either side may have come to this position by the last play
    if variant.outcome(position) or variant.outcome(position.turned(variant.way)):
        raise BadSetup("the game is over in this position", field="position")
    if variant.movement.hits and _nobody_can_move(position):
        raise BadSetup("both players are on the bar before a closed home", field="position")


def _nobody_can_move(position: Position) -> bool:
    """Whether both players wait on the bar before six closed points, for ever."""
    points = position.points
    mine = all(points[point - 1] >= 2 for point in _HOME)
    theirs = all(points[BAR - point - 1] <= -2 for point in _HOME)
    return min(position.bar) > 0 and mine and theirs


def _score_check(setup: Setup, terms: Terms) -> None:
    if min(setup.score) < 0:
        raise BadSetup("a score is not negative", field="score")
    if terms.contest != "points":
        if setup.score != (0, 0) or setup.crawford:
            raise BadSetup("a single game has no score", field="score")
        return
    if max(setup.score) >= terms.target_points:
        raise BadSetup(f"the match to {terms.target_points} is over", field="score")
    one_away = max(setup.score) == terms.target_points - 1
    if setup.crawford and not (terms.crawford and terms.target_points > 1 and one_away):
        raise BadSetup("it is not Crawford's game at this score", field="crawford")


def _cube_check(setup: Setup, terms: Terms) -> None:
    value, owner = setup.cube_value, setup.cube_owner
    if not 1 <= value <= terms.cube_cap or value & (value - 1):
        raise BadSetup(f"no cube shows {value} here", field="cube_value")
    if owner not in (None, 0, 1) or (value == 1 and owner is not None):
        raise BadSetup(f"a cube at {value} belongs to nobody like {owner}", field="cube_owner")
    if value == 1:
        return
    if not terms.has_cube or setup.crawford or (terms.is_match and terms.target_points == 1):
        raise BadSetup("this game has no cube", field="cube_value")
    if terms.is_match and owner is None:
        raise BadSetup(f"a cube at {value} belongs to a player", field="cube_owner")


def terms_of(wishes: Wishes, prices: Prices) -> Terms:
    """The terms the house gives for these wishes.

    Raises `BadTerms`; its `fields["field"]` names the refused wish.
    """
    try:
        return mode_by_key(wishes.mode).terms(wishes, prices)
    except UnknownMode as error:
        raise BadTerms(str(error), field="mode") from error
    except BadWishes as error:
        raise BadTerms(str(error), field=error.field) from error
    except ValueError as error:
        raise BadTerms(str(error)) from error
