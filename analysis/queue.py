"""The queue of matches to be analysed, and the work on one of them.

Matches are found by their rows and not announced, so no match can be missed, and a house without
workers does nothing for them.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from analysis.counting.decisions import decisions
from analysis.counting.figures import figures
from analysis.engines.engine import HouseEngine
from analysis.engines.sage import Sage
from analysis.lines import Line, decision_line, figures_line
from analysis.models import DecisionRow, Job, Report
from analysis.passes import Depth, analysed
from games.models import Match
from games.services.archive import VOIDED, match_record

#: what every match between people is analysed at.
DEPTH: Final[Depth] = "full"

#: matches that ended earlier are analysed on request alone.
LOOKS_BACK: Final = timedelta(days=30)

TRIES_MOST: Final = 3

_AT_ONCE: Final = 500


def analysable() -> QuerySet[Match]:
    """Finished matches between people in a variant that the engine plays."""
    return Match.objects.filter(
        ended_at__isnull=False,
        variant__in=Sage.variants,
        player_0__is_bot=False,
        player_1__is_bot=False,
    ).exclude(ending__in=VOIDED)


def enqueue_ended() -> int:
    """Queue matches that have ended and are not in the queue yet; how many there were."""
    queued = Job.objects.filter(match=OuterRef("pk"))
    since = timezone.now() - LOOKS_BACK
    ended = analysable().filter(~Exists(queued), ended_at__gte=since).order_by("ended_at")
    found = list(ended.values_list("pk", flat=True)[:_AT_ONCE])
    Job.objects.bulk_create([Job(match_id=match) for match in found], ignore_conflicts=True)
    return len(found)


def work_once(engine: HouseEngine) -> bool:
    """Analyse the match that has waited longest; False if none waits.

    The row's lock is held until the report is stored, so no two workers have the same match.
    """
    with transaction.atomic():
        waiting = Job.objects.filter(done_at__isnull=True, tries__lt=TRIES_MOST)
        job = (
            waiting.select_for_update(no_key=True, skip_locked=True)
            .order_by("queued_at", "pk")
            .first()
        )
        if job is None:
            return False
        try:
            with transaction.atomic():
                report_make(job.match, engine, DEPTH)
        except Exception as error:  # whatever it is: the next match must not wait for this one
            job.tries += 1
            job.failure = f"{type(error).__name__}: {error}"[:200]
        else:
            job.failure, job.done_at = "", timezone.now()
        job.save(update_fields=["tries", "failure", "done_at"])
    return True


def report_make(match: Match, engine: HouseEngine, depth: Depth) -> Report:
    """Analyse a match and store the report; one that this engine has made is given back."""
    made = Report.objects.filter(
        match=match, engine=engine.name, version=engine.version, depth=depth
    ).first()
    if made is not None:
        return made
    record = match_record(match)
    rows = list(analysed(decisions(record), engine, depth))
    report = Report.objects.create(
        match=match,
        engine=engine.name,
        version=engine.version,
        depth=depth,
        figures=[nameless(figures_line(figures(rows, seat), "")) for seat in (0, 1)],
    )
    DecisionRow.objects.bulk_create(
        DecisionRow(
            report=report,
            game=row.decision.place.game,
            number=row.decision.place.number,
            seat=row.seat,
            kind=row.decision.kind,
            counted=row.judgement.counted,
            loss=row.judgement.loss,
            luck=row.luck,
            ply=row.judgement.ply,
            line=nameless(decision_line(row, record.players, engine, depth)),
        )
        for row in rows
    )
    return report


def nameless(line: Line) -> Line:
    """A line without the player's name: names change and go, these rows stay."""
    return {name: value for name, value in line.items() if name != "player"}
