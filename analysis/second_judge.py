"""The second judge: what GNU Backgammon says about the errors of a deep report.

It is asked where it is installed. It runs as a process of its own, which is killed if it takes too
long; the report is stored before and does not depend on it.
"""

from collections.abc import Callable, Iterator
from typing import Final

from analysis.models import DecisionRow, Opinion, Report
from analysis.stored import Key
from analysis.subjects import Subject, about, record_of
from backgammon.analysis.depths import judged_at
from backgammon.counting.decisions import Decision, decisions
from backgammon.engines import gnubg
from backgammon.engines.engine import EngineError

#: the depth of the jobs for it.
SECOND: Final = "second"

#: so often it may fail at one match before the rest of the match is left alone.
FAILURES_MOST: Final = 2


def is_here() -> bool:
    """Whether this machine has a second judge."""
    return gnubg.find() is not None


def opinions_make(subject: Subject, step: Callable[[], None] = lambda: None) -> int:
    """Ask about every error of the deep report that has no opinion yet; how many were stored.

    :raises EngineError: if the program failed and nothing could be stored.
    """
    left = list(_unjudged(subject))
    made, failures = 0, 0
    while left and failures < FAILURES_MOST:
        try:
            with gnubg.running() as judge:
                while left:
                    row, decision = left.pop(0)
                    if judge.supports(decision.situation):
                        opinion_make(row, decision, judge)
                        made += 1
                    step()
        except EngineError:
            failures += 1
            if not made and (not left or failures == FAILURES_MOST):
                raise
    return made


def _unjudged(subject: Subject) -> Iterator[tuple[DecisionRow, Decision]]:
    """The errors of the newest deep report that have no opinion, with their decisions."""
    report = Report.objects.filter(**about(subject), depth="deep").order_by("made_at").last()
    if report is None:
        return
    rows = {
        (row.game, row.number): row
        for row in report.rows.filter(opinions=None).order_by("game", "number")
        if row.line["mark"]
    }
    if rows:
        for decision in decisions(record_of(subject)):
            row = rows.get((decision.place.game, decision.place.number))
            if row is not None:
                yield row, decision


def opinions_of(subject: Subject, engine: str, version: str) -> dict[Key, Opinion]:
    """Return the newest opinion about each error of an engine, by game and number."""
    reports = Report.objects.filter(**about(subject), engine=engine, version=version)
    asked = Opinion.objects.filter(decision__report__in=reports).order_by("made_at")
    told = asked.select_related("decision").defer("decision__line")
    return {(each.decision.game, each.decision.number): each for each in told}


def opinion_make(row: DecisionRow, decision: Decision, judge: gnubg.GnuBackgammon) -> Opinion:
    """Ask about one decision and store the answer.

    :raises EngineError: if there is no answer.
    """
    judgement = judged_at(decision, judge, gnubg.PLIES)
    if judgement.loss is None:
        raise EngineError("nothing was decided")
    return Opinion.objects.create(
        decision=row,
        engine=judge.name,
        version=judge.version,
        ply=judgement.ply,
        best=judgement.best,
        loss=judgement.loss,
    )
