"""The figures of the house in words: their names, their values, and what tables then pay."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.modes.prices import (
    FIGURES,
    OFFERED_MOST,
    RAKE_BPS_MOST,
    STAKE_CENTS_MOST,
    Figure,
    PriceFault,
    Prices,
)
from games.modes.registry import ALL
from games.modes.terms import Wishes
from games.pages.words import Facts, rake_percent, terms_facts
from games.table.setup import terms_of
from ledger.templatetags.credits import credits_text, percent

Text = str | Promise

LABELS: Final[Mapping[str, Text]] = {
    "prize_stakes_cents": gettext_lazy("Stakes of prize matches"),
    "match_stakes_cents": gettext_lazy("Stakes of points matches and series"),
    "single_rates_cents": gettext_lazy("Rates of single games, a point"),
    "single_limits_cents": gettext_lazy("Limits of single games"),
    "base_stake_cents_min": gettext_lazy("Lowest base stake"),
    "base_stake_cents_max": gettext_lazy("Highest base stake"),
    "factor_without_cube": gettext_lazy("Base stakes reserved without the cube"),
    "factor_with_cube": gettext_lazy("Base stakes reserved with the cube"),
    "rake_bps": gettext_lazy("Rake"),
    "pair_limit": gettext_lazy("Rated matches of one pair in 24 hours"),
}

_FAULTS: Final[Mapping[str, Text]] = {
    "low": gettext_lazy("Too low: %(least)s or more."),
    "high": gettext_lazy("Too high: %(most)s or less."),
    "empty": gettext_lazy("Offer one amount or more."),
    "many": gettext_lazy("Offer at most %(offered)s amounts."),
    "twice": gettext_lazy("The list contains an amount twice."),
    "base_order": gettext_lazy("This is above the highest base stake."),
    "factor": gettext_lazy("Times the highest base stake this is more than %(stake)s."),
    "limit": gettext_lazy("A limit is below a rate: it would not cover one point."),
}


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field in words: its name, its value now and, in a preview, the one it would have."""

    name: str
    label: Text
    now: str
    then: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A table that the house would offer: what it costs and pays then, and now if it does so."""

    label: str
    then: Facts
    now: Facts | None


def value_text(figure: Figure, value: Any) -> str:
    """A figure's value as people read it."""
    if value is None:
        return _("no limit")
    text = _UNITS[figure.unit]
    return " · ".join(text(each) for each in value) if figure.many else text(value)


def figure_text(name: str, value: Any) -> str:
    """The value of the figure of this name as people read it."""
    return value_text(next(figure for figure in FIGURES if figure.name == name), value)


def _matches(count: int) -> str:
    return ngettext("%(count)s match", "%(count)s matches", count) % {"count": count}


_UNITS: Final[Mapping[str, Callable[[int], str]]] = {
    "cents": credits_text,
    "times": lambda factor: f"{factor} ×",
    "bps": lambda bps: percent(rake_percent(bps)),
    "matches": _matches,
}


def figure_rows(prices: Prices) -> list[FieldRow]:
    """Every figure of these prices."""
    return [
        FieldRow(
            figure.name,
            LABELS[figure.name],
            value_text(figure, getattr(prices, figure.name)),
        )
        for figure in FIGURES
    ]


def fault_text(fault: PriceFault) -> str:
    """The fault of a figure, in the reader's language."""
    text = _FAULTS.get(fault.code)
    figure = next((each for each in FIGURES if each.name == fault.name), None)
    if text is None or figure is None:
        return fault.sentence
    as_one = _UNITS[figure.unit]
    return str(text) % {
        "least": as_one(figure.least),
        "most": as_one(figure.most),
        "offered": OFFERED_MOST,
        "stake": credits_text(STAKE_CENTS_MOST),
    }


def bounds_help(figure: Figure) -> str:
    """The allowed input for the field of a figure."""
    if figure.many:
        return _("One to %(count)s amounts with spaces between them.") % {"count": OFFERED_MOST}
    if figure.unit == "bps":
        return _("In percent, up to %(most)s: at half of the pot no winner would gain.") % {
            "most": percent(rake_percent(RAKE_BPS_MOST))
        }
    return _("Empty: no limit.") if figure.optional else ""


def examples(now: Prices, then: Prices) -> list[Example]:
    """Tables that the house would then offer, with what the paying function pays for each."""
    offered_now = _offers(now)
    return [Example(label, facts, offered_now.get(label)) for label, facts in _offers(then).items()]


def _offers(house: Prices) -> dict[str, Facts]:
    """The payouts of tables by name: modes that pay alike share a name, and a line."""
    offers: dict[str, Facts] = {}
    for mode in ALL:
        for wishes in mode.previews(house) if mode.is_staked else ():
            terms = terms_of(Wishes(mode=mode.key, **wishes), house)
            words = {
                "stake": credits_text(wishes.get("stake_cents", terms.stake_cents)),
                "rate": credits_text(terms.rate_cents),
                "limit": credits_text(terms.stake_cents),
            }
            offers.setdefault(_(mode.preview_label) % words, terms_facts(terms))
    return offers
