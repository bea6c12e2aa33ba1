"""The decisions of a stored report: as judgements, for a deeper look; their depth in words."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from analysis.models import DecisionRow, Report
from analysis.subjects import Subject, about
from backgammon.counting.chances import span
from backgammon.counting.decisions import Decision
from backgammon.counting.figures import Judged
from backgammon.counting.judging import EXACT, ROLLED, Judgement, Option, depth_text
from backgammon.engines.engine import HouseEngine

Key = tuple[int, int]


def rows_of(subject: Subject, engine: HouseEngine, depth: str) -> dict[Key, DecisionRow]:
    """The decisions of the report that this engine has made at a depth; none without one."""
    report = Report.objects.filter(
        **about(subject), engine=engine.name, version=engine.version, depth=depth
    ).first()
    rows = () if report is None else report.rows.all()
    return {(row.game, row.number): row for row in rows}


def judged_rows(
    decisions: Iterable[Decision], rows: dict[Key, DecisionRow], engine: HouseEngine
) -> dict[Key, Judged]:
    """Those of the decisions that have a row, as they were judged then."""
    keyed = (((each.place.game, each.place.number), each) for each in decisions)
    return {key: judged_row(rows[key], each, engine) for key, each in keyed if key in rows}


def judged_row(row: DecisionRow, decision: Decision, engine: HouseEngine) -> Judged:
    """One decision as its row has it; the loss and the luck are exact, the rest is rounded."""
    line = row.line
    options = tuple(
        Option(each["text"], each["equity"], each["ply"], each["chances"] and (*each["chances"],))
        for each in line["options"]
    )
    judgement = Judgement(options, line["played"], row.loss, row.counted, line["gap"], row.ply)
    return Judged(decision, judgement, span(decision.situation, engine.table), row.luck)


def depth_words(ply: int) -> str:
    """The depth of a decision in words; "2-ply" is the same in every language."""
    return {EXACT: _("exact"), ROLLED: _("rollout")}.get(ply, depth_text(ply))
