"""Statistics of a reader's decisions as tables whose cells lead to the decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.decisions.curve import curve_variants
from analysis.decisions.filters import FACETS, DecisionFilter, filter_of
from analysis.decisions.search import DecisionSearch
from analysis.decisions.statistics import (
    BYS,
    OVERS,
    By,
    DecisionRate,
    DecisionStatistics,
    Over,
    StatisticsRow,
    of_one_variant,
    statistics_of,
)
from analysis.pages.decision_facets import value_words
from analysis.pages.numbers import UNKNOWN, percent, plain
from kit.requests import SignedInRequest

Row = dict[str, Any]

#: so many of the newest years or quarters have a column.
COLUMNS_MOST: Final = 12

#: what the columns of years, quarters and scores show.
FIGURES: Final = ("pr", "errors", "blunders", "decisions")

_ERRORS: Final = ("blunder", "error", "doubtful")


@dataclass(frozen=True, slots=True)
class StatisticsAsked:
    """The request of an address: rows by `by`, columns by `over`, in the order of a column."""

    wanted: DecisionFilter
    by: By
    over: Over
    figure: str
    order: str
    turned: bool

    def link(self, **changes: Any) -> str:
        """Return the address with these parts changed."""
        asked = replace(self, **changes)
        order = f"-{asked.order}" if asked.turned else asked.order
        parts = {"by": asked.by, "over": asked.over, "figure": asked.figure, "order": order}
        standing = {"by": BYS[0], "over": "", "figure": FIGURES[0], "order": ""}
        pairs = [(name, value) for name, value in parts.items() if value != standing[name]]
        return f"?{urlencode([*asked.wanted.pairs(), *pairs])}"


@dataclass(frozen=True, slots=True)
class StatisticsCell:
    """A figure that leads to its decisions. `look` is "few", "better", "worse" or ""."""

    text: str
    href: str
    look: str
    title: str


def asked_of(asked: Mapping[str, list[str]]) -> StatisticsAsked:
    """Return what the fields of an address ask for. Sizes are left out: a PR has all of them."""
    first = {name: values[0] for name, values in asked.items() if values}
    by = next((each for each in BYS if each == first.get("by")), BYS[0])
    over = next((each for each in OVERS if each == first.get("over")), OVERS[0])
    wanted = replace(filter_of(asked).without("size"), sort="costliest")
    if by == "away":
        wanted = replace(wanted, away="")
    figure = first.get("figure", "")
    order = first.get("order", "")[:20]
    return StatisticsAsked(
        wanted=wanted.without("when") if over and by != "away" else wanted,
        by=by,
        over=over if by != "away" else "",
        figure=figure if figure in FIGURES else FIGURES[0],
        order=order.removeprefix("-"),
        turned=order.startswith("-"),
    )


@require_safe
@login_required
@never_cache
def statistics(request: SignedInRequest) -> HttpResponse:
    """The statistics of the decisions that the filter of the address lets through."""
    asked = asked_of(dict(request.GET.lists()))
    variants = curve_variants(request.user)
    one = of_one_variant([variant for variant, _matches in variants], asked.wanted)
    asked = replace(asked, wanted=one)
    search = DecisionSearch(request.user, asked.wanted, timezone.now())
    found = statistics_of(search.queryset(), asked.by, asked.over)
    context = {
        "asked": asked,
        "variants": variants,
        "variant": next(iter(asked.wanted.chosen("variant")), ""),
        "chips": _chips(asked),
        "decisions_link": _decisions(asked.wanted),
        "bys": _tabs(asked, "by", {each: by_words(each) for each in BYS}),
        "overs": _tabs(asked, "over", _over_words()) if asked.by != "away" else [],
        "figures": _tabs(asked, "figure", figure_words()),
        "split": bool(asked.over) or asked.by == "away",
        **_table(asked, found),
    }
    return render(request, "analysis/statistics.html", context)


def _table(asked: StatisticsAsked, found: DecisionStatistics) -> Row:
    if not found.total.decisions:
        return {"rows": []}
    split = bool(asked.over) or asked.by == "away"
    columns = _columns(asked, found) if split else list(FIGURES)
    return {
        "heads": [_head(asked, each, split=split) for each in ("value", *columns)],
        "rows": [_line(asked, found, row, columns) for row in _ordered(asked, found.rows)],
        "total": _line(asked, found, _whole(found), columns),
        "few": any(row.total.is_few for row in found.rows),
    }


def _columns(asked: StatisticsAsked, found: DecisionStatistics) -> list[str]:
    """All, and each year or quarter, the newest first; or each score of the opponent."""
    if asked.by == "away":
        return ["all", *found.columns]
    return ["all", *found.columns[::-1][:COLUMNS_MOST]]


def _whole(found: DecisionStatistics) -> StatisticsRow:
    return StatisticsRow("", found.total, found.totals)


def _ordered(asked: StatisticsAsked, rows: tuple[StatisticsRow, ...]) -> list[StatisticsRow]:
    """The rows by the chosen column, the highest first; else in their own order."""
    column = asked.order
    if column in ("", "value"):
        return list(rows)[::-1] if asked.turned else list(rows)

    def value(row: StatisticsRow) -> float:
        if column in FIGURES:
            return _value(row.total, column)
        rate = row.total if column == "all" else row.parts.get(column, DecisionRate())
        return _value(rate, asked.figure)

    return sorted(rows, key=value, reverse=not asked.turned)


def _value(rate: DecisionRate, figure: str) -> float:
    values = {
        "pr": rate.rate.pr,
        "errors": rate.error_share,
        "blunders": rate.blunders,
        "decisions": rate.rate.counted,
    }
    found = values[figure]
    return -1.0 if found is None else found


def _head(asked: StatisticsAsked, column: str, *, split: bool) -> Row:
    is_first = column == "value"
    now = asked.order == column or (is_first and not asked.order)
    turned = now and not asked.turned
    return {
        "name": _column_words(asked, column, split=split),
        "href": asked.link(order="" if is_first and not turned else column, turned=turned),
        "sort": ("descending" if asked.turned else "ascending")
        if now and is_first
        else ("ascending" if asked.turned else "descending")
        if now
        else "",
    }


def _column_words(asked: StatisticsAsked, column: str, *, split: bool) -> str:
    if column == "value":
        return by_words(asked.by)
    if not split:
        return figure_words()[column]
    if column == "all":
        return _("All")
    if asked.by == "away":
        return _away_words(column, theirs=True)
    return value_words("when", column)


def _line(
    asked: StatisticsAsked, found: DecisionStatistics, row: StatisticsRow, columns: list[str]
) -> Row:
    mean = found.total.rate.pr or 0.0
    cells = []
    for column in columns:
        figure = column if column in FIGURES else asked.figure
        rate = row.parts.get(column) if column not in ("all", *FIGURES) else row.total
        cells.append(None if rate is None else _cell(asked, row.value, column, figure, rate, mean))
    band = row.total.rate.band
    return {
        "name": _row_words(asked, row.value),
        "cells": cells,
        "band": f"{plain(band.low)}–{plain(band.high)}" if band else UNKNOWN,
    }


def _cell(
    asked: StatisticsAsked, value: str, column: str, figure: str, rate: DecisionRate, mean: float
) -> StatisticsCell:
    counted = rate.rate.counted
    texts = {
        "pr": plain(rate.rate.pr),
        "errors": percent(rate.error_share),
        "blunders": str(rate.blunders),
        "decisions": str(counted),
    }
    return StatisticsCell(
        text=texts[figure],
        href=_decisions(_narrowed(asked, value, column, figure)),
        look=_look(rate, figure, mean),
        title=_("{counted} counted decisions, PR {pr}").format(counted=counted, pr=texts["pr"]),
    )


def _look(rate: DecisionRate, figure: str, mean: float) -> str:
    band = rate.rate.band
    if band is None:
        return "few"
    if figure != "pr":
        return ""
    return "better" if band.high < mean else "worse" if band.low > mean else ""


def _narrowed(asked: StatisticsAsked, value: str, column: str, figure: str) -> DecisionFilter:
    """The filter of the decisions behind a cell."""
    wanted = asked.wanted
    if asked.by == "away":
        theirs = column if column != "all" else ""
        wanted = replace(wanted, away=f"{value}-{theirs}" if value or theirs else "")
    elif value:
        wanted = wanted.narrowed(asked.by, value)
    if asked.over and column not in ("all", *FIGURES):
        wanted = wanted.narrowed("when", column)
    if figure == "errors":
        wanted = wanted.narrowed("size", *_ERRORS)
    return wanted.narrowed("size", "blunder") if figure == "blunders" else wanted


def _decisions(wanted: DecisionFilter) -> str:
    return f"{reverse('decisions')}?{urlencode(wanted.pairs())}"


def _chips(asked: StatisticsAsked) -> list[Row]:
    """The choices, each with the address without it."""
    return [
        {
            "name": value_words(facet, value),
            "href": asked.link(wanted=asked.wanted.toggled(facet, value)),
        }
        for facet in FACETS
        if facet != "variant"
        for value in sorted(asked.wanted.chosen(facet))
    ]


def _tabs(asked: StatisticsAsked, name: str, words: Mapping[str, str]) -> list[Row]:
    changes: Row = {} if name == "figure" else {"order": "", "turned": False}
    return [
        {
            "name": text,
            "href": asked.link(**{name: key}, **changes),
            "now": getattr(asked, name) == key,
        }
        for key, text in words.items()
    ]


def by_words(by: str) -> str:
    """Return the name of what the rows are."""
    return {
        "theme": pgettext("of an exercise", "Theme"),
        "phase": _("Phase"),
        "kind": _("Kind"),
        "score": _("Score"),
        "away": _("Points needed"),
    }[by]


def _over_words() -> dict[str, str]:
    return {"": _("All time"), "year": _("Years"), "quarter": _("Quarters")}


def figure_words() -> dict[str, str]:
    """Return the figures with their names."""
    return {
        "pr": "PR",
        "errors": _("Errors a decision"),
        "blunders": _("Blunders"),
        "decisions": _("Decisions"),
    }


def _row_words(asked: StatisticsAsked, value: str) -> str:
    if not value:
        return _("All")
    return _away_words(value) if asked.by == "away" else value_words(asked.by, value)


def _away_words(value: str, *, theirs: bool = False) -> str:
    if value == "0":
        return _("unlimited")
    text = _("they need {points}") if theirs else _("you need {points}")
    return text.format(points=value)
