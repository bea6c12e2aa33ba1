"""The facets beside the decisions, as chips with their counts; each is a link to another filter."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from analysis.decisions.filters import (
    OF_DECISION,
    PERIODS,
    SORTS,
    DecisionFilter,
)
from analysis.decisions.search import DecisionSearch
from analysis.pages.exercise_words import theme_words
from analysis.pages.source_words import source_words
from games.templatetags.tables import variant_name

#: so many opponents are offered, those with the most decisions.
OPPONENTS_MOST: Final = 8

#: facets that a page shows below its main ones.
_OPEN: Final = ("kind", "size", "theme", "score")


@dataclass(frozen=True, slots=True)
class FacetChip:
    """A value of a facet with its count, and where choosing it leads."""

    name: str
    count: int
    chosen: bool
    href: str


@dataclass(frozen=True, slots=True)
class FacetShown:
    """A facet with its chips; a main one is always open."""

    key: str
    name: str
    chips: tuple[FacetChip, ...]
    main: bool

    @property
    def is_active(self) -> bool:
        """Whether a value is chosen."""
        return any(chip.chosen for chip in self.chips)


def facets_shown(search: DecisionSearch, wanted: DecisionFilter) -> list[FacetShown]:
    """Every facet that has something to choose between."""
    found = []
    for facet in (*OF_DECISION, "source", "when", "variant", "opponent"):
        counts = search.counts(facet)
        values = [value for value in _values(facet, counts, wanted) if value]
        if len(values) < 2 and not wanted.chosen(facet):
            continue
        chips = (
            FacetChip(
                name=value_words(facet, value),
                count=counts[value],
                chosen=value in wanted.chosen(facet),
                href="?" + urlencode(wanted.toggled(facet, value).pairs()),
            )
            for value in values
        )
        found.append(FacetShown(facet, facet_words(facet), tuple(chips), facet in _OPEN))
    return found


def _values(facet: str, counts: Counter[str], wanted: DecisionFilter) -> list[str]:
    """The values that are offered: those of a decision always, so that they keep their place."""
    if facet in OF_DECISION:
        return list(OF_DECISION[facet])
    chosen = wanted.chosen(facet)
    if facet == "when":
        years = sorted((each for each in {*counts, *chosen} if len(each) == 4), reverse=True)
        quarters = sorted(each for each in chosen if "q" in each)
        return [*PERIODS, *years[:6], *quarters]
    named = [value for value, _count in counts.most_common()]
    offered = named[:OPPONENTS_MOST] if facet == "opponent" else named
    return [*offered, *sorted(chosen - set(offered))]


def sorts_shown(wanted: DecisionFilter) -> list[dict[str, Any]]:
    """The orders, as links."""
    words = {"costliest": _("Costliest"), "newest": _("Newest"), "theme": _("By theme")}
    shown = []
    for sort in SORTS:
        pairs = [pair for pair in wanted.pairs() if pair[0] != "sort"]
        pairs += [("sort", sort)] if sort != SORTS[0] else []
        now = sort == wanted.sort
        shown.append({"name": words[sort], "href": "?" + urlencode(pairs), "now": now})
    return shown


def facet_words(facet: str) -> str:
    """The name of a facet."""
    return {
        "kind": _("Kind"),
        "size": _("Size of the error"),
        "theme": pgettext("of an exercise", "Theme"),
        "phase": _("Phase"),
        "score": _("Score"),
        "pace": _("Time used"),
        "engines": _("Two engines"),
        "exercise": _("Exercises"),
        "source": _("Source"),
        "when": _("When"),
        "variant": _("Variant"),
        "opponent": _("Opponent"),
    }[facet]


def value_words(facet: str, value: str) -> str:
    """The name of a value."""
    if facet == "theme":
        return theme_words(value)
    if facet == "variant":
        return variant_name(value)
    if facet == "source":
        return source_words(value)
    if facet == "when" and "q" in value:
        return _("Q{quarter} {year}").format(quarter=value[5:], year=value[:4])
    words = {
        "play": _("Plays"),
        "double": _("Double or not"),
        "take": _("Take or drop"),
        "blunder": _("?? from 0.080"),
        "error": _("? from 0.040"),
        "doubtful": _("?! from 0.020"),
        "sound": _("no error"),
        "opening": _("Opening"),
        "contact": _("Contact"),
        "race": _("Race"),
        "off": _("Bearing off"),
        "money": _("unlimited"),
        "dmp": _("Double match point"),
        "two": _("2 away, 2 away"),
        "crawford": _("Crawford"),
        "post": _("Match point of one side"),
        "ahead": _("Ahead"),
        "level": _("Level score"),
        "behind": _("Behind"),
        "quick": _("up to 5 s"),
        "medium": _("up to 15 s"),
        "slow": _("longer"),
        "agree": _("Engines agree"),
        "differ": _("Engines disagree"),
        "not": _("Not in a set yet"),
        "made": _("In a set"),
        "1m": _("1 month"),
        "3m": _("3 months"),
        "12m": _("12 months"),
    }
    return words.get(value, value)
