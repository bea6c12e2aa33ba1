"""The engine's data about a variant in words: the same words for every game."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from backgammon.rules.movement import Movement
from backgammon.rules.position import Way
from backgammon.rules.variant import TurnFlow, Variant
from backgammon.rules.variants import by_key
from games.modes.choices import RULE_FIELDS, START_NAMES, RuleChoice, rule_choice

#: the game that all others are compared with
STANDARD: Final = "backgammon"


class RuleDifference(NamedTuple):
    """A row of the comparison with backgammon."""

    what: str
    there: str
    here: str


class ScoreRow(NamedTuple):
    """An ending on the board, and what it gives: a number of points, or a range."""

    points: str
    words: str


def badges(variant: Variant) -> list[str]:
    """The game in a few words each."""
    named = [
        ngettext("%(count)d checker each", "%(count)d checkers each", variant.checkers)
        % {"count": variant.checkers},
        kind(variant.movement),
        _("with the cube") if variant.has_cube else _("no cube"),
        _("Points: %(levels)s") % {"levels": _levels(variant)},
    ]
    if variant.dice_count != 2:
        named.append(_("%(count)d dice") % {"count": variant.dice_count})
    return named


def kind(movement: Movement) -> str:
    """The fate of a single checker, in a word or two."""
    if movement.hits:
        return _("hitting")
    return _("pinning, no bar") if movement.pins else _("blocking, no hitting")


def setup(variant: Variant) -> str:
    """Where the checkers are at the start, in the numbers of their owner."""
    if variant.in_hand:
        return _("all %(count)d in the hand, the board is empty") % {"count": variant.in_hand}
    if len(variant.setup) == 1:
        (point, count), *_rest = variant.setup.items()
        return _("all %(count)d on %(point)d") % {"count": count, "point": point}
    return ", ".join(
        _("{count} on {point}").format(count=count, point=point)
        for point, count in sorted(variant.setup.items(), reverse=True)
    )


def direction(variant: Variant) -> str:
    """How the ways of the two sides lie to each other."""
    return {
        Way.AGAINST: _("in opposite directions"),
        Way.HALF: _("the same way round, half a board apart"),
        Way.SAME: _("along the same path, from 24 to 1"),
    }[variant.way]


def _lone_checker(variant: Variant) -> str:
    if variant.movement.hits:
        return _("is hit and goes to the bar")
    if variant.movement.pins:
        return _("is pinned and stays")
    return _("is safe and closes its point")


def _closed_by(variant: Variant) -> str:
    return ngettext(
        "%(count)d opposing checker", "%(count)d opposing checkers", variant.movement.closed_by
    ) % {"count": variant.movement.closed_by}


def _cube(variant: Variant) -> str:
    return _("yes") if variant.has_cube else _("no")


def _levels(variant: Variant) -> str:
    levels = variant.levels
    if len(levels) > 3:
        return _("%(first)d to %(last)d") % {"first": levels[0], "last": levels[-1]}
    if len(levels) == 1:
        return str(levels[0])
    first = ", ".join(map(str, levels[:-1]))
    return _("%(first)s or %(last)d") % {"first": first, "last": levels[-1]}


def _dice(variant: Variant) -> str:
    if variant.dice_count == 2:
        return _("two; a double counts four times")
    return _("%(count)d, each played once") % {"count": variant.dice_count}


def _borne_off(variant: Variant) -> str:
    home = variant.movement.home
    if variant.movement.exact_off:
        return _("from points 1 to %(home)d, by exact numbers") % {"home": home}
    return _("from points 1 to %(home)d, also with larger numbers") % {"home": home}


def start(variant: Variant) -> str:
    """The start rule, as the form for a table names it."""
    return _(START_NAMES[variant.next_start_rule.value])


def differences(variant: Variant) -> list[RuleDifference]:
    """The differences from backgammon, by the engine's data."""
    rows: tuple[tuple[str, Callable[[Variant], str]], ...] = (
        (_("Set-up"), setup),
        (_("The sides move"), direction),
        (_("A lone checker"), _lone_checker),
        (_("A point is closed by"), _closed_by),
        (_("Dice"), _dice),
        (_("Bearing off"), _borne_off),
        (_("Doubling cube"), _cube),
        (_("A win counts"), _levels),
        (_("Who starts"), start),
    )
    other = by_key(STANDARD)
    found = (RuleDifference(what, words(other), words(variant)) for what, words in rows)
    return [row for row in found if row.there != row.here or variant.key == STANDARD]


def meeting(movement: Movement) -> str:
    """The rule for checkers of both sides that meet."""
    if movement.hits:
        return _(
            "Land on a single opposing checker and it is hit: it waits on the bar and must enter"
            " again on its own points 24 to 19 before its side moves anything else. Two checkers"
            " on a point close it to the opponent."
        )
    if movement.pins:
        return _(
            "Land on a single opposing checker and it is pinned: it cannot move until all checkers"
            " on top of it have gone. Two checkers close a point to the opponent, and so does one"
            " that sits on a pinned checker."
        )
    return _(
        "There is no hitting. A single checker closes its point to the opponent, who must find a "
        "way around it."
    )


def bearing_off(movement: Movement) -> Iterator[str]:
    """When and how checkers are borne off, in sentences."""
    if movement.exact_off:
        yield _(
            "When all your checkers have entered and stand on points 1 to %(home)d, you may bear"
            " them off, each by the exact number of its point."
        ) % {"home": movement.home}
        return
    yield _(
        "When all your checkers stand on points 1 to %(home)d, you may bear them off: a die takes"
        " a checker from its own point. If none stands there, a checker on a higher point must"
        " move; if there is none, one goes off from the highest point."
    ) % {"home": movement.home}
    if movement.pins:
        yield _("Nothing is borne off while one of your checkers at home is pinned.")


def scores(variant: Variant) -> list[ScoreRow]:
    """The worth of the endings on the board, from the variant's levels."""
    levels = variant.levels
    if len(levels) > 3:
        words = _("a point for each checker that the loser has not borne off")
        return [ScoreRow(_levels(variant), words)]
    if levels == (1,):
        return [ScoreRow("1", _("every win"))]
    named = {
        1: _("the loser has borne off a checker"),
        2: _("gammon: the loser has borne off none"),
        3: _("backgammon: none borne off, and one on the bar or in the winner's home"),
    }
    return [ScoreRow(str(level), named[level]) for level in levels]


def optional_rules(variant: Variant) -> list[RuleChoice]:
    """The rules that a table of this variant may choose, in games and in matches."""
    found: dict[str, RuleChoice] = {}
    for field in RULE_FIELDS:
        for is_match in (False, True):
            choice = rule_choice(field, variant, is_match=is_match)
            if choice is not None:
                found.setdefault(field, choice)
    return list(found.values())


def sequel(flow: TurnFlow) -> str:
    """The rolls that follow that of a worked turn in the same turn; "" if nothing does."""
    said = []
    if flow.rolls:
        rolls = ", ".join(f"{first}-{second}" for first, second in flow.rolls)
        said.append(_("Then %(rolls)s is played.") % {"rolls": rolls})
    if flow.choose_double:
        said.append(_("Then you name any double and play it."))
    if flow.roll_again:
        said.append(_("If all of that can be played in full, you roll again."))
    return " ".join(said)
