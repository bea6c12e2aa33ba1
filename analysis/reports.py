"""Reports of matches: a match is judged at a depth, and what was found is stored."""

from collections.abc import Callable, Mapping, Sequence

from analysis.decisions.filling import decisions_list
from analysis.models import DecisionRow, Report
from analysis.questions import progress_say
from analysis.stored import Key, judged_rows, rows_of
from analysis.subjects import Subject, about, record_of
from analysis.sums import DEPTH as SUMMED
from analysis.sums import sums_store
from backgammon.analysis.depths import Depth, analysed
from backgammon.analysis.json_lines import Line, decision_line, figures_line
from backgammon.counting.decisions import decisions
from backgammon.counting.figures import Judged, figures
from backgammon.engines.engine import HouseEngine
from backgammon.engines.house import engine_for
from backgammon.engines.sage import Sage
from backgammon.formats.record import MatchRecord


def report_make(
    subject: Subject, engine: HouseEngine, depth: Depth, step: Callable[[], None] = lambda: None
) -> Report:
    """Analyse a match and store the report; one that this engine has made is given back.

    A deep report takes over from the full one whatever it would judge alike.
    """
    record = record_of(subject)
    engine = engine_of(record, engine)
    made = report_of(subject, engine, depth)
    if made is not None:
        return made
    choices = list(decisions(record))
    full = rows_of(subject, engine, "full") if depth == "deep" else {}
    before = judged_rows(choices, full, engine)
    rows = []
    for row in analysed(choices, engine.telling(lambda percent: step()), depth, before):
        rows.append(row)
        progress_say(work_name(subject, depth), 100 * len(rows) // len(choices))
        step()
    return report_store(subject, record, engine, depth, rows, before, full)


def engine_of(record: MatchRecord, engine: HouseEngine) -> HouseEngine:
    """Return the engine of the house for this match, or one that was asked for expressly."""
    return engine_for(record.variants) if isinstance(engine, Sage) else engine


def report_of(subject: Subject, engine: HouseEngine, depth: str) -> Report | None:
    """Return the report that this engine has made at a depth."""
    return Report.objects.filter(
        **about(subject), engine=engine.name, version=engine.version, depth=depth
    ).first()


def report_store(
    subject: Subject,
    record: MatchRecord,
    engine: HouseEngine,
    depth: str,
    rows: Sequence[Judged],
    before: Mapping[Key, Judged],
    stored: Mapping[Key, DecisionRow],
) -> Report:
    """Store a report with its figures, and list its decisions.

    What is the same object in `before` keeps the line that is `stored` for it.
    """

    def line_of(row: Judged) -> Line:
        key = (row.decision.place.game, row.decision.place.number)
        if row is before.get(key):
            return {**stored[key].line, "depth": depth}
        return _nameless(decision_line(row, record.players, engine, depth, length=record.length))

    report = Report.objects.create(
        **about(subject),
        engine=engine.name,
        version=engine.version,
        depth=depth,
        figures=[_nameless(figures_line(figures(rows, seat), "")) for seat in (0, 1)],
    )
    DecisionRow.objects.bulk_create(_row(report, row, line_of(row)) for row in rows)
    if depth == SUMMED:
        sums_store(report, (row.decision for row in rows))
    decisions_list(report, (row.decision for row in rows))
    return report


def work_name(subject: Subject, depth: str) -> str:
    """The name under which a worker says how far this analysis is."""
    return f"{subject.pk}:{depth}"


def _row(report: Report, judged: Judged, line: Line) -> DecisionRow:
    decision, judgement = judged.decision, judged.judgement
    return DecisionRow(
        report=report,
        game=decision.place.game,
        number=decision.place.number,
        seat=judged.seat,
        kind=decision.kind,
        counted=judgement.counted,
        loss=judgement.loss,
        luck=judged.luck,
        ply=judgement.ply,
        line=line,
    )


def _nameless(line: Line) -> Line:
    """A line without the player's name: names change and go, these rows stay."""
    return {name: value for name, value in line.items() if name != "player"}
