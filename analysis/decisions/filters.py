"""The question for decisions: the chosen values of each facet, as an address writes them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from analysis.exercises.themes import PHASES, THEMES
from backgammon.engines.house import ANALYSED

Facets = dict[str, frozenset[str]]
"""The values that are chosen of each facet; one without any lets everything through."""

Sort = Literal["costliest", "newest", "theme"]
SORTS: Final[tuple[Sort, ...]] = ("costliest", "newest", "theme")

#: facets of the decision, with their values in order.
OF_DECISION: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": ("play", "double", "take"),
    "size": ("blunder", "error", "doubtful", "sound"),
    "theme": THEMES,
    "phase": PHASES,
    "score": ("money", "dmp", "two", "crawford", "post", "ahead", "level", "behind"),
    "pace": ("quick", "medium", "slow"),
    "engines": ("agree", "differ"),
    "exercise": ("not", "made"),
}

#: the last two digits of a cell, which change while a decision is listed.
DIFFERS_STEP: Final = 2
MADE_STEP: Final = 1

#: facets of the match; what they hold depends on the matches.
OF_MATCH: Final = ("source", "when", "variant", "opponent")

FACETS: Final = (*OF_DECISION, *OF_MATCH)

#: periods that end now, in days; besides them there are years, and quarters as "2026q1".
PERIODS: Final = {"1m": 31, "3m": 92, "12m": 366}

#: `MyDecision.size` of a value.
SIZE_VALUES: Final = ("sound", "doubtful", "error", "blunder")

#: seconds up to which a play is quick, and medium.
QUICK_SECONDS: Final = 5
MEDIUM_SECONDS: Final = 15

#: the values of each digit of a cell; a decision without a time has no pace.
_DIGITS: Final = tuple(
    ("", *values) if facet == "pace" else values for facet, values in OF_DECISION.items()
)

_YEAR_OR_QUARTER: Final = re.compile("[0-9]{4}(q[1-4])?")

_AWAY: Final = re.compile("([0-9]{0,2})-([0-9]{0,2})")

_VALUES_MOST: Final = 40
_VALUE_LENGTH_MAX: Final = 80


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Which decisions are asked for, in which order.

    `roll` is a roll as "51", `away` what both need as "2-4" or one of them as "2-", `noted` those
    with a note of one's own, `listed` those of a list.
    """

    facets: Facets
    roll: str = ""
    away: str = ""
    noted: bool = False
    listed: UUID | None = None
    sort: Sort = "costliest"

    def chosen(self, facet: str) -> frozenset[str]:
        """The values that are chosen of a facet."""
        return self.facets.get(facet, frozenset())

    def toggled(self, facet: str, value: str) -> "DecisionFilter":
        """The filter with a value chosen that was not, or the other way round."""
        values = self.chosen(facet) ^ {value}
        facets = {**self.facets, facet: frozenset(values)}
        return replace(self, facets={name: each for name, each in facets.items() if each})

    def narrowed(self, facet: str, *values: str) -> "DecisionFilter":
        """Return the filter with these values of a facet in place of those that were chosen."""
        return replace(self, facets={**self.facets, facet: frozenset(values)})

    def without(self, facet: str) -> "DecisionFilter":
        """The filter without a facet."""
        facets = {name: values for name, values in self.facets.items() if name != facet}
        return replace(self, facets=facets)

    def pairs(self) -> list[tuple[str, str]]:
        """The filter as the fields of an address."""
        found = [(name, value) for name in FACETS for value in sorted(self.chosen(name))]
        found += [
            (name, value) for name, value in (("roll", self.roll), ("away", self.away)) if value
        ]
        if self.noted:
            found.append(("noted", "1"))
        if self.listed is not None:
            found.append(("list", str(self.listed)))
        if self.sort != SORTS[0]:
            found.append(("sort", self.sort))
        return found


def cell_of(values: Iterable[str]) -> int:
    """The number of the decisions that have these values of the facets, in their order."""
    found = 0
    for value, digits in zip(values, _DIGITS, strict=True):
        found = found * len(digits) + digits.index(value)
    return found


def cell_values(cell: int) -> tuple[str, ...]:
    """The values of the facets that a number stands for."""
    found = []
    for digits in reversed(_DIGITS):
        cell, place = divmod(cell, len(digits))
        found.append(digits[place])
    return tuple(reversed(found))


def pace_of(seconds: float | None) -> str:
    """The value of the facet for a time; "" without one."""
    if seconds is None:
        return ""
    return (
        "quick" if seconds <= QUICK_SECONDS else "medium" if seconds <= MEDIUM_SECONDS else "slow"
    )


def filter_of(asked: Mapping[str, Iterable[str]]) -> DecisionFilter:
    """The filter that the fields of an address mean; what is no value of a facet is left out."""
    facets: Facets = {}
    for name in FACETS:
        values = frozenset(
            value for value in [*asked.get(name, ())][:_VALUES_MOST] if _is_value(name, value)
        )
        if values:
            facets[name] = values
    sort = next((each for each in SORTS if each in asked.get("sort", ())), SORTS[0])
    return DecisionFilter(
        facets=facets,
        roll=_roll(_first(asked, "roll")),
        away=_away(_first(asked, "away")),
        noted=_first(asked, "noted") == "1",
        listed=_uuid(_first(asked, "list")),
        sort=sort,
    )


def periods_of(played_at: datetime, now: datetime) -> tuple[str, ...]:
    """The periods in which a match lies: its year and quarter, and those that end now."""
    days = (now - played_at).days
    ending = (name for name, most in PERIODS.items() if days <= most)
    return (*year_and_quarter(played_at), *ending)


def year_and_quarter(played_at: datetime) -> tuple[str, str]:
    """Return the values of the facet for a year and its quarter, as "2026" and "2026q1"."""
    year = played_at.year
    return str(year), f"{year}q{(played_at.month + 2) // 3}"


def aways_of(text: str) -> tuple[int | None, int | None]:
    """Points that the player and the opponent need, of a text as "2-4"; None for any number."""
    own, _, other = text.partition("-")
    return int(own) if own else None, int(other) if other else None


def _is_value(facet: str, value: str) -> bool:
    if facet in OF_DECISION:
        return value in OF_DECISION[facet]
    if facet == "variant":
        return value in ANALYSED
    if facet == "when":
        return value in PERIODS or _YEAR_OR_QUARTER.fullmatch(value) is not None
    return 0 < len(value) <= _VALUE_LENGTH_MAX and value.isprintable()


def _first(asked: Mapping[str, Iterable[str]], name: str) -> str:
    return next(iter(asked.get(name, ())), "")


def _roll(text: str) -> str:
    """A roll with the larger die first; "" for what is none."""
    if len(text) != 2 or not set(text) <= set("123456"):
        return ""
    return "".join(sorted(text, reverse=True))


def _away(text: str) -> str:
    if (found := _AWAY.fullmatch(text)) is None or text == "-":
        return ""
    return "-".join(each and str(int(each)) for each in found.groups())


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
