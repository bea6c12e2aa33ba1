"""A worker rests while others want its core, and works on where nobody does."""

import pytest

from analysis.models import Question
from analysis.questions import Asker, anybody_waits, position_ask
from analysis.queue import enqueue_ended, work_once
from analysis.rolling import PUSHES_MOST, REST, SLICE_S, Usage, WorkerPace, rest_s
from backgammon.rules.xgid import Xgid
from games.models import Match
from tests.analysis.test_queue import Bare

START = Usage(wall_s=100.0, cpu_s=7.0, pushes=40)
HARD = "XGID=-aaA-baAA-aAabaBBaa-aBBbC-:0:0:1:52:2:4:1:5:10"


class Machine:
    """A machine on which work takes time and others want the core so often a second."""

    def __init__(self, wanted_a_second: float, share: float = 1.0) -> None:
        self.wanted, self.share = wanted_a_second, share
        self.wall_s = self.cpu_s = self.pushes = 0.0
        self.rests: list[float] = []

    def used(self) -> Usage:
        return Usage(self.wall_s, self.cpu_s, int(self.pushes))

    def work(self, seconds: float) -> None:
        self.wall_s += seconds / self.share
        self.cpu_s += seconds
        self.pushes += seconds * self.wanted

    def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.wall_s += seconds

    def worked_through(self, seconds: float, multiple: float = REST) -> float:
        """The part of the core that the worker had while it worked for so long."""
        pace, began = WorkerPace(self.used, self.rest, multiple), self.wall_s
        for _ in range(round(seconds / 0.01)):
            self.work(0.01)
            pace.step()
        return seconds / (self.wall_s - began)


def later(wall_s: float, cpu_s: float, pushes: int) -> Usage:
    return Usage(START.wall_s + wall_s, START.cpu_s + cpu_s, START.pushes + pushes)


@pytest.mark.parametrize(
    ("after", "seconds"),
    [
        (later(1.0, 1.0, int(PUSHES_MOST)), 0.0),  # what an idle house does by itself
        (later(1.0, 1.0, int(PUSHES_MOST) + 1), REST),
        (later(1.0, 0.1, 9), REST * 0.1),  # it hardly got the core at all
        (later(1.0, 0.0, 0), 0.0),  # it waited for the database
    ],
)
def test_the_rest_is_a_multiple_of_the_work(after: Usage, seconds: float) -> None:
    assert rest_s(START, after) == pytest.approx(seconds)


def test_a_worker_has_a_fifth_of_its_core_while_others_want_it() -> None:
    assert Machine(300).worked_through(10) == pytest.approx(0.2, rel=0.05)
    assert Machine(300, share=0.5).worked_through(10) < 0.2


def test_a_worker_has_its_core_alone_in_an_idle_house() -> None:
    machine = Machine(5)
    assert machine.worked_through(10) == pytest.approx(1.0)
    assert machine.rests == []


def test_a_worker_goes_on_when_the_others_have_gone() -> None:
    machine = Machine(300)
    pace = WorkerPace(machine.used, machine.rest)
    for wanted, rested in ((300, True), (0, False), (300, True)):
        machine.wanted = wanted
        count = len(machine.rests)
        machine.work(2 * SLICE_S)
        pace.step()
        assert (len(machine.rests) > count) == rested


def test_short_steps_are_counted_together() -> None:
    machine = Machine(300)
    pace = WorkerPace(machine.used, machine.rest)
    for _ in range(4):
        machine.work(SLICE_S / 5)
        pace.step()
    assert machine.rests == []
    machine.work(SLICE_S / 4)
    pace.step()
    assert machine.rests == [pytest.approx(REST * machine.cpu_s)]


def test_an_operator_may_let_it_work_on() -> None:
    assert Machine(300).worked_through(10, multiple=0) == pytest.approx(1.0)


@pytest.mark.django_db
def test_a_match_is_worked_on_in_steps(played: Match) -> None:
    enqueue_ended()
    steps: list[int] = []
    assert work_once(Bare(), lambda: steps.append(1))
    assert len(steps) >= 3  # one play after the other


@pytest.mark.django_db
def test_a_worker_does_not_rest_while_somebody_waits_for_an_answer() -> None:
    assert not anybody_waits()
    question = position_ask(Asker(1_000_000, True, "198.51.100.8"), Xgid.parse(HARD), "deep")
    assert anybody_waits()
    Question.objects.filter(pk=question.pk).update(done_at=question.asked_at)
    assert not anybody_waits()
