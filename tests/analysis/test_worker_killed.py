"""A worker as a real process that is killed while it searches."""

import os
import sys
from pathlib import Path

import pytest

from analysis.models import PositionAnswer, Question
from analysis.questions import Asker, position_ask, progress_of
from backgammon.rules.xgid import Xgid
from harness.processes import Processes
from harness.waiting import wait_until

#: a play of many choices, which takes seconds to search deeply.
HARD = "XGID=-aaA-baAA-aAabaBBaa-aBBbC-:0:0:1:52:2:4:1:5:10"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_question_outlives_its_worker(tmp_path: Path) -> None:
    question = position_ask(Asker(1_000_000, True, "198.51.100.8"), Xgid.parse(HARD), "deep")
    with Processes(tmp_path, [(3, 1)]) as house:
        house.start("analysis")
        wait_until(lambda: (progress_of(question) or 0) > 10)  # it searches
        if sys.platform == "linux":
            policy = os.sched_getscheduler(house.running["analysis"].pid)
            assert policy == os.SCHED_IDLE, "players wait for a worker"
        house.kill("analysis")
        question.refresh_from_db()
        assert (question.tries, question.done_at) == (1, None)
        house.start("analysis")
        wait_until(lambda: Question.objects.get(pk=question.pk).done_at is not None)
    question.refresh_from_db()
    assert (question.tries, question.failure) == (2, "")
    assert question.answer == PositionAnswer.objects.get()
    assert question.answer.ply == 3
