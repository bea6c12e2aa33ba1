"""The rules that the opener of a table may choose: names, sentences, values and defaults.

This is the one source for forms, programs and documents. `Mode.rules_offered` selects from it what
a mode offers in a variant. Names and sentences are marked by `gettext_noop` and translated by the
faces.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from backgammon.rules.cube import HIGHEST_CAP
from backgammon.rules.naming import gettext_noop
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant
from games.modes.terms import BadWishes

AUTO_DOUBLES_MOST: Final = 3
"""How many automatic doubles a table may agree on at most."""

MAX_STACK: Final = 5

START_NAMES: Final[Mapping[str, str]] = {
    StartRule.OPENER_ALTERNATES.value: gettext_noop("Host starts, then alternating"),
    StartRule.ROLL_OFF_USE.value: gettext_noop("Opening roll, and the starter plays it"),
    StartRule.ROLL_OFF_REROLL.value: gettext_noop("Opening roll, then a new roll"),
    StartRule.WINNER_STARTS.value: gettext_noop("Roll-off, later the winner begins"),
}

#: rules that mean nothing without a cube, and their value then.
CUBE_RULES: Final[Mapping[str, Any]] = {
    "jacoby": False,
    "beavers": False,
    "raccoons": False,
    "auto_doubles_max": 0,
    "cube_cap": HIGHEST_CAP,
    "crawford": False,
    "holland": False,
}


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A rule that can be chosen: the wish `field`, and which of `values` holds without a wish.

    `names` has the names of the values, in their order, where these are not numbers or yes and no.
    """

    field: str
    name: str
    sentence: str
    values: tuple[Any, ...]
    default: Any
    names: tuple[str, ...] = ()

    @property
    def is_switch(self) -> bool:
        """Whether the rule is on or off."""
        return self.values == (False, True)

    def chosen(self, wish: Any) -> Any:
        """The value for this wish, the default for None. Raises `BadWishes` for any other."""
        if wish is None:
            return self.default
        if type(wish) is not type(self.default) or wish not in self.values:
            known = ", ".join(map(str, self.values))
            raise BadWishes(f"{self.field} is one of {known} here, not {wish!r}", field=self.field)
        return wish


_Make = Callable[[Variant, bool], RuleChoice | None]


def rule_choice(field: str, variant: Variant, *, is_match: bool) -> RuleChoice | None:
    """The choice of this rule in a variant; None where the variant or the contest has none.

    `is_match`: the game is part of a match; else it is settled by itself, as in unlimited play.
    """
    make = _MAKERS.get(field)
    return make(variant, is_match) if make else None


def length_choice(lengths: tuple[int, ...], default: int) -> RuleChoice:
    """The choice of how many points a match goes to."""
    return RuleChoice(
        "target_points",
        gettext_noop("Points"),
        gettext_noop("The first to reach this number of points wins the match."),
        lengths,
        default,
    )


def _switch(field: str, name: str, sentence: str, *, default: bool = False) -> RuleChoice:
    return RuleChoice(field, name, sentence, (False, True), default)


def _has_cube(variant: Variant, is_match: bool) -> RuleChoice | None:
    if not variant.has_cube:
        return None
    return _switch(
        "has_cube",
        gettext_noop("Doubling cube"),
        gettext_noop("Before rolling, a player may offer to double what the game is worth."),
        default=True,
    )


def _jacoby(variant: Variant, is_match: bool) -> RuleChoice | None:
    if is_match or not variant.has_cube:
        return None
    return _switch(
        "jacoby",
        gettext_noop("Jacoby rule"),
        gettext_noop("Gammons count only once the cube has been turned."),
        default=variant.jacoby_by_default,
    )


def _beavers(variant: Variant, is_match: bool) -> RuleChoice | None:
    if is_match or not variant.has_cube:
        return None
    return _switch(
        "beavers",
        gettext_noop("Beavers"),
        gettext_noop("The player who takes a double may double again at once and keep the cube."),
    )


def _raccoons(variant: Variant, is_match: bool) -> RuleChoice | None:
    if is_match or not variant.has_cube:
        return None
    return _switch(
        "raccoons",
        gettext_noop("Raccoons"),
        gettext_noop("A beaver may be answered by doubling once more; needs beavers."),
    )


def _auto_doubles_max(variant: Variant, is_match: bool) -> RuleChoice | None:
    if is_match or not variant.has_cube or variant.dice_count != 2:
        return None
    return RuleChoice(
        "auto_doubles_max",
        gettext_noop("Automatic doubles (maximum)"),
        gettext_noop(
            "If both players roll the same number to start, the cube is doubled. Only "
            "with an opening roll that is played."
        ),
        tuple(range(AUTO_DOUBLES_MOST + 1)),
        0,
    )


def _cube_cap(variant: Variant, is_match: bool) -> RuleChoice | None:
    if is_match or not variant.has_cube:
        return None
    return RuleChoice(
        "cube_cap",
        gettext_noop("Highest cube value"),
        gettext_noop("The cube cannot go higher."),
        tuple(1 << power for power in range(1, HIGHEST_CAP.bit_length())),
        HIGHEST_CAP,
    )


def _crawford(variant: Variant, is_match: bool) -> RuleChoice | None:
    if not is_match or not variant.has_cube:
        return None
    return _switch(
        "crawford",
        gettext_noop("Crawford rule"),
        gettext_noop(
            "When a player first needs just one more point, that game is played without the cube."
        ),
        default=True,
    )


def _holland(variant: Variant, is_match: bool) -> RuleChoice | None:
    if not is_match or not variant.has_cube:
        return None
    return _switch(
        "holland",
        gettext_noop("Holland rule"),
        gettext_noop("After the Crawford game nobody doubles before both have rolled twice."),
    )


def _start_rule(variant: Variant, is_match: bool) -> RuleChoice | None:
    rules = [rule for rule in START_NAMES if rule != "roll_off_use" or variant.dice_count == 2]
    return RuleChoice(
        "start_rule",
        gettext_noop("Who starts"),
        gettext_noop("Decides who rolls first in each game, and whether a roll-off is played."),
        tuple(rules),
        variant.next_start_rule.value,
        tuple(START_NAMES[rule] for rule in rules),
    )


def _max_stack(variant: Variant, is_match: bool) -> RuleChoice | None:
    if "max_stack" not in variant.options_offered:
        return None
    return RuleChoice(
        "max_stack",
        gettext_noop("Max five"),
        gettext_noop("No more than five of a player’s checkers on one point."),
        (0, MAX_STACK),
        0,
        (gettext_noop("any number of checkers"), gettext_noop("at most five")),
    )


def _no_hit_and_run(variant: Variant, is_match: bool) -> RuleChoice | None:
    if "no_hit_and_run" not in variant.options_offered:
        return None
    return _switch(
        "no_hit_and_run",
        gettext_noop("No hit-and-run"),
        gettext_noop("A checker that hits in its own home stays there for the rest of the turn."),
    )


def _extra_roll(variant: Variant, is_match: bool) -> RuleChoice | None:
    if "extra_roll_on_doubles" not in variant.options_offered:
        return None
    return _switch(
        "extra_roll",
        gettext_noop("Extra roll after doubles"),
        gettext_noop("A double that was played in full earns another roll."),
        default=True,
    )


_MAKERS: Final[Mapping[str, _Make]] = {
    "has_cube": _has_cube,
    "jacoby": _jacoby,
    "beavers": _beavers,
    "raccoons": _raccoons,
    "auto_doubles_max": _auto_doubles_max,
    "cube_cap": _cube_cap,
    "crawford": _crawford,
    "holland": _holland,
    "start_rule": _start_rule,
    "max_stack": _max_stack,
    "no_hit_and_run": _no_hit_and_run,
    "extra_roll": _extra_roll,
}

RULE_FIELDS: Final = ("target_points", *_MAKERS)
"""Every wish that is a rule, in the order in which rules are listed."""
