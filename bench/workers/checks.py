"""Whether each match was analysed once, and as an undisturbed process analyses it.

`python -m bench.workers.checks` prints the faults of the house in `DATABASE_URL` as JSON.
"""

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.models import Report

Json = dict[str, Any]


def main() -> None:
    """Print what was found."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    print(json.dumps(found()))


def found() -> Json:
    """The numbers of matches, reports and decisions, and the faults in words."""
    from analysis.models import DecisionRow, Report
    from analysis.queue import EVERY, analysable

    faults = []
    for match in analysable().order_by("pk"):
        for depth in EVERY:
            faults += [f"{depth} of {match.pk}: {fault}" for fault in _faults(match, depth)]
    return {
        "matches": analysable().count(),
        "reports": Report.objects.count(),
        "decisions": DecisionRow.objects.count(),
        "faults": faults,
    }


def _faults(match: Any, depth: str) -> Iterator[str]:
    from analysis.models import Job, Report

    jobs = list(Job.objects.filter(match=match, depth=depth))
    reports = list(Report.objects.filter(match=match, depth=depth))
    if len(jobs) != 1 or len(reports) != 1:
        yield f"{len(jobs)} jobs and {len(reports)} reports"
        return
    if jobs[0].done_at is None or jobs[0].failure:
        yield f"the job is not done: {jobs[0].failure!r}"
    yield from _differences(reports[0])


def _differences(report: "Report") -> Iterator[str]:
    """The differences from the lines of an analysis in this process."""
    from analysis.queue import depth_named, nameless
    from backgammon.analysis.depths import analysed
    from backgammon.analysis.json_lines import decision_line
    from backgammon.counting.decisions import decisions
    from backgammon.engines.house import engine_for
    from games.services.archive import match_record

    record, depth = match_record(report.match), depth_named(report.depth)
    engine = engine_for(record.variants)
    fresh = [
        json.loads(
            json.dumps(
                nameless(decision_line(row, record.players, engine, depth, length=record.length))
            )
        )
        for row in analysed(decisions(record), engine, depth)
    ]
    stored = [row.line for row in report.rows.order_by("game", "number")]
    if len(stored) != len(fresh):
        yield f"{len(stored)} decisions are stored, {len(fresh)} were made"
    differing = sum(line != other for line, other in zip(stored, fresh, strict=False))
    if differing:
        yield f"{differing} decisions differ"


if __name__ == "__main__":
    main()
