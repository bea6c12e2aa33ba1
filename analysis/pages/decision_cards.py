"""Decisions as cards with a small board: of a reader's own list, and of a list that is shared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.comparing import ComparedError
from analysis.decisions.search import DecisionSearch
from analysis.models import (
    DecidedMatch,
    DecisionRow,
    ListedDecision,
    MyDecision,
    Report,
    Transcript,
)
from analysis.pages.exercise_words import theme_words
from analysis.pages.numbers import signed
from analysis.pages.positions import PositionShown, position_shown
from analysis.pages.source_words import source_words
from analysis.pages.words import mark_words, option_words
from backgammon.counting.positions import situation_of
from backgammon.rules.errors import RulesError
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from games.models import Match
from games.selectors import match_terms

#: a loss of so much fills the bar.
_BAR_LOSS = 0.3


@dataclass(frozen=True, slots=True)
class DecisionTile:
    """A decision as the grid shows it; "" stands for what is not known or not told."""

    number: int
    mark: str
    mark_words: str
    loss: str
    width: float
    theme: str
    shown: PositionShown | None
    played: str
    best: str
    is_right: bool
    score: str = ""
    opponent: str = ""
    played_at: datetime | None = None
    source: str = ""
    source_key: str = ""
    note: str = ""
    href: str = ""


Rules = dict[int, tuple[str, bool]]
"""The variant of each report, and whether its match has a cube."""


def cards_of(
    rows: Sequence[MyDecision], search: DecisionSearch, notes: Mapping[int, str]
) -> list[DecisionTile]:
    """The cards of a reader's own decisions."""
    rules = _rules(row.decision.report for row in rows)
    found = []
    for row in rows:
        facts = search.matches[row.match_id]
        found.append(
            DecisionTile(
                **_told(row.decision, row.theme, rules, disputed=not row.agrees),
                number=row.pk,
                score=_score(row),
                opponent=facts.opponent,
                played_at=facts.played_at,
                source=source_words(facts.source),
                source_key=facts.source,
                note=notes.get(row.position, ""),
                href=_address(row.match, row.decision),
            )
        )
    return found


def listed_cards(entries: Iterable[ListedDecision]) -> list[DecisionTile]:
    """The cards of a list that was shared, without names, places and notes."""
    rows = list(entries)
    rules = _rules(row.decision.report for row in rows)
    return [DecisionTile(**_told(row.decision, row.theme, rules), number=row.pk) for row in rows]


def compared_cards(errors: Iterable[ComparedError]) -> list[DecisionTile]:
    """The cards of errors of a player, which lead to reports that the reader may open."""
    rows = list(errors)
    rules = _rules(row.decision.report for row in rows)
    return [
        DecisionTile(
            **_told(row.decision, row.theme, rules),
            number=row.decision.pk,
            href=_address(row.match, row.decision),
        )
        for row in rows
    ]


def _rules(reports: Iterable[Report]) -> Rules:
    known = {report.pk: report for report in reports}
    matches = {
        match.pk: match
        for match in Match.objects.select_related("table").filter(
            pk__in={each.match_id for each in known.values()}
        )
    }
    transcripts = {
        pk: (variant, bool(has_cube))
        for pk, variant, has_cube in Transcript.objects.filter(
            pk__in={each.transcript_id for each in known.values()}
        ).values_list("pk", "variant", "record__has_cube")
    }
    return {
        pk: transcripts[report.transcript_id]
        if report.transcript_id is not None
        else _rules_of(matches[report.match_id or UUID(int=0)])
        for pk, report in known.items()
    }


def _rules_of(match: Match) -> tuple[str, bool]:
    return match.variant, match_terms(match).has_cube


def _told(row: DecisionRow, theme: str, rules: Rules, *, disputed: bool = False) -> dict[str, Any]:
    """The parts of a card that come from the report."""
    line, loss = row.line, row.loss or 0.0
    best = line["options"][0]["text"]
    mark = "≠" if disputed else line["mark"] or ""
    return {
        "mark": mark,
        "mark_words": _("Engines disagree") if disputed else mark_words(mark),
        "loss": signed(-loss),
        "width": round(100 * min(1.0, loss / _BAR_LOSS), 1),
        "theme": theme_words(theme),
        "shown": _shown(row, *rules[row.report_id]),
        "played": option_words(line["played"] or ""),
        "best": option_words(best),
        "is_right": line["played"] == best,
    }


def _shown(row: DecisionRow, variant: str, has_cube: bool) -> PositionShown | None:
    """The board from the side of the player who decided."""
    text = row.line.get("xgid")
    if not text:
        return None
    try:
        xgid = Xgid.parse(text, by_key(variant).checkers)
        situation = situation_of(xgid, variant, has_cube=has_cube)
    except RulesError:
        return None
    return position_shown(situation, row.line["dice"] or (), turned=row.kind == "take")


def _score(row: MyDecision) -> str:
    if not row.own_away:
        return _("unlimited")
    said = _("{own} away, {other} away").format(own=row.own_away, other=row.opponent_away)
    return f"{said}, {_('Crawford')}" if row.crawford else said


def _address(match: DecidedMatch, decision: DecisionRow) -> str:
    """The decision in the report of its match."""
    place = f"?d={decision.game}.{decision.number}"
    if match.match_id is None:
        return reverse("imported_report", args=[match.imported_id]) + place
    return reverse("match_report", args=[match.match_id]) + place
