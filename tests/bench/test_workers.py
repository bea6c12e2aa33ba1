"""What the check after killed workers reports: a job or a report too few, and other decisions."""

import pytest

from analysis.models import Job
from analysis.queue import enqueue_ended, report_make, work_once
from backgammon.engines.sage import house_engine
from bench.workers.checks import found
from games.models import Match
from tests.analysis.test_queue import Bare
from tests.archive.conftest import dice, hilde, magriel, played, sitting

__all__ = ["dice", "hilde", "magriel", "played", "sitting"]

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_an_undisturbed_analysis_has_no_fault(played: Match) -> None:
    enqueue_ended()
    while work_once(house_engine()):
        pass
    told = found()
    assert (told["matches"], told["reports"], told["faults"]) == (1, 3, [])
    assert told["decisions"] > 0


def test_a_match_that_was_lost_is_a_fault(played: Match) -> None:
    enqueue_ended()
    work_once(house_engine())
    Job.objects.filter(depth="full").delete()
    faults = found()["faults"]
    assert faults == [
        f"full of {played.pk}: 0 jobs and 0 reports",
        f"deep of {played.pk}: 1 jobs and 0 reports",
    ]


def test_other_decisions_are_a_fault(played: Match) -> None:
    enqueue_ended()
    work_once(house_engine())
    engine = house_engine()
    report_make(played, Bare(name=engine.name, version=engine.version), "full")
    (fault, *_others) = [each for each in found()["faults"] if "differ" in each]
    assert fault.startswith(f"full of {played.pk}: ")
