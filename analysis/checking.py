"""Errors about which judges differ: after all other work a rollout decides, block by block.

The judges are the full report, the deep one, and GNU Backgammon where it is installed. The values
of the rollouts make a report of their own, so its error rates are computed with them.
"""

from dataclasses import dataclass, replace
from typing import Final

from analysis.models import DecisionRow, Job
from analysis.reports import engine_of, report_of, report_store
from analysis.second_judge import opinions_of
from analysis.stored import Key, judged_rows, rows_of
from analysis.subjects import Subject, about, record_of, subject_of
from backgammon.analysis.checks import check_of, checked, judges_differ
from backgammon.analysis.rollouts import Course, is_over
from backgammon.counting.decisions import Decision, decisions
from backgammon.counting.figures import Judged
from backgammon.engines.engine import HouseEngine
from backgammon.engines.sage import Sage

#: the depth of the jobs for it, and of its reports.
CHECKED: Final = "checked"

#: the rollouts of one match begin within so much processor time.
MATCH_MOST_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision about which judges differ: its deep row, and the best choice of each."""

    row: DecisionRow
    best: frozenset[str]
    apart: float

    @property
    def key(self) -> Key:
        """Its place in the match."""
        return self.row.game, self.row.number

    @property
    def name(self) -> str:
        """Its place as the job keeps its blocks."""
        return f"{self.row.game}.{self.row.number}"


def check_queue(job: Job, engine: HouseEngine) -> None:
    """Queue the rollouts of a match whose deep report is there if judges differ about an error."""
    subject = subject_of(job)
    asked_by = None if job.match else job.asked_by
    if disputes(subject, engine_of(record_of(subject), engine)):
        Job.objects.get_or_create(**about(subject), depth=CHECKED, defaults={"asked_by": asked_by})


def disputes(subject: Subject, engine: HouseEngine) -> list[Dispute]:
    """The errors about which the judges differ, those where they are farthest apart first."""
    if not isinstance(engine, Sage):
        return []  # trials are played by its net
    full, opinions = (
        rows_of(subject, engine, "full"),
        opinions_of(subject, engine.name, engine.version),
    )
    found = []
    for key, row in rows_of(subject, engine, "deep").items():
        said = [(row.line["best"], row.loss)]
        if key in full:
            said.append((full[key].line["best"], full[key].loss))
        if key in opinions:
            said.append((opinions[key].best, opinions[key].loss))
        losses = [loss for _best, loss in said if loss is not None]
        if judges_differ(losses):
            best = frozenset(best for best, _loss in said)
            found.append(Dispute(row, best, max(losses) - min(losses)))
    return sorted(found, key=lambda each: (-each.apart, each.key))


def check_slice(job: Job, engine: HouseEngine) -> bool:
    """Play one block of the rollouts of a match, or store their report; True if that is done.

    What has been played is kept in the job, so a worker goes on where another one was stopped.
    """
    subject = subject_of(job)
    record = record_of(subject)
    engine = engine_of(record, engine)
    found = disputes(subject, engine)
    if not found or report_of(subject, engine, CHECKED) is not None:
        return True
    choices = list(decisions(record))
    deep = rows_of(subject, engine, "deep")
    before = judged_rows(choices, deep, engine)
    by_key = {(each.place.game, each.place.number): each for each in choices}
    rolled: dict[Key, Judged] = {}
    for each in found:
        blocks = job.blocks.get(each.name, [])
        if not blocks and job.seconds >= MATCH_MOST_SECONDS:
            continue
        course = _course(each, by_key[each.key], before[each.key], engine)
        if course is None:
            continue
        if not is_over(blocks, 0.0):
            job.blocks[each.name] = [*blocks, course.block(len(blocks))]
            return False
        judgement = checked(by_key[each.key], before[each.key].judgement, course, blocks)
        rolled[each.key] = replace(before[each.key], judgement=judgement)
    if rolled:
        rows = [rolled.get(key, row) for key, row in before.items()]
        report_store(subject, record, engine, CHECKED, rows, before, deep)
    job.blocks = {}
    return True


def _course(
    dispute: Dispute, decision: Decision, judged: Judged, engine: HouseEngine
) -> Course | None:
    seed = dispute.row.line["xgid"] or dispute.name
    return check_of(decision, judged.judgement, engine, dispute.best, seed)
