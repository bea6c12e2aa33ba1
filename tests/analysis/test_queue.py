"""The queue: every match between people once, whatever happens to a worker."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from analysis.models import DecisionRow, Job, Report
from analysis.questions import progress_of
from analysis.queue import (
    LOOKS_BACK,
    TRIES_MOST,
    enqueue_ended,
    waiting,
    work_once,
)
from analysis.reports import report_make, work_name
from analysis.tasks import enqueue_matches, enqueue_missed_matches
from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import CubeValue, PlayValue
from backgammon.counting.situation import Away, Situation
from backgammon.engines.sage import house_engine
from games.models import Match
from games.table import commands as cmd
from harness.sitting import Sitting
from tests.analysis.killing import killed_at_work

ENGINE = house_engine()


@dataclass
class Bare:
    """The engine of the house at one ply, so that tests are quick; `before` runs before a play."""

    version: str = "1"
    name: str = "bare"
    before: Callable[[], object] = field(default=lambda: None)

    def supports(self, situation: Situation) -> bool:
        return ENGINE.supports(situation)

    def telling(self, told: Callable[[int], None]) -> "Bare":
        return self

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        self.before()
        return ENGINE.plays(play, 1)

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        return ENGINE.cube(situation, 1)

    def luck(self, play: DecidedPlay) -> float:
        return ENGINE.luck(play)

    def table(self, away: Away, crawford_over: bool) -> float:
        return ENGINE.table(away, crawford_over)


def broken() -> None:
    raise ValueError("no answer")


@pytest.mark.django_db
def test_a_finished_match_is_queued_once(played: Match) -> None:
    assert enqueue_ended() == 1
    assert enqueue_ended() == 0
    jobs = Job.objects.order_by("pk")
    assert [(job.match, job.depth) for job in jobs] == [
        (played, depth) for depth in ("quick", "full", "deep")
    ]


@pytest.mark.django_db
def test_a_match_that_ended_while_nobody_looked_is_queued_by_the_hourly_look(
    played: Match,
) -> None:
    Match.objects.filter(pk=played.pk).update(ended_at=timezone.now() - timedelta(days=29))
    assert enqueue_matches() == 0
    assert enqueue_missed_matches() == 1
    assert (enqueue_matches(), enqueue_missed_matches()) == (0, 0)


@pytest.mark.django_db
def test_a_frequent_look_reads_no_match_of_yesterday(played: Match) -> None:
    """It runs every five seconds; with nothing to do it costs the same however old the house is."""
    assert enqueue_matches() == 1
    Match.objects.filter(pk=played.pk).update(ended_at=timezone.now() - timedelta(days=1))
    with CaptureQueriesContext(connection) as asked:
        assert enqueue_matches() == 0
    looks = [each["sql"] for each in asked.captured_queries if "games_match" in each["sql"]]
    (look,) = looks
    (since,) = re.findall(r'"ended_at" >= \'([^\']+)\'', look)
    assert timezone.now() - datetime.fromisoformat(since) < timedelta(hours=2, minutes=1)


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["bots", "variant", "old"])
def test_other_matches_are_not_queued(played: Match, change: str) -> None:
    assert played.ended_at is not None
    changed = {
        "variant": {"variant": "misere"},
        "old": {"ended_at": played.ended_at - LOOKS_BACK - timedelta(days=1)},
    }
    if change == "bots":
        User.objects.filter(pk__in=played.players).update(is_bot=True)
    else:
        Match.objects.filter(pk=played.pk).update(**changed[change])
    assert enqueue_ended() == 0


@pytest.mark.django_db
def test_a_match_that_runs_or_was_never_begun_is_not_queued(sitting: Sitting, dice: object) -> None:
    assert enqueue_ended() == 0
    sitting.give(1, cmd.StandUp())
    assert Match.objects.get(table=sitting.pk).ended_at is not None
    assert enqueue_ended() == 0


@pytest.mark.slow
@pytest.mark.django_db
def test_the_worker_stores_a_row_for_each_decision(played: Match) -> None:
    call_command("analysis_worker", "--once", stdout=StringIO())
    quick, report, deep = Report.objects.order_by("pk")
    assert [deep.depth, deep.rows.count()] == ["deep", report.rows.count()]
    assert (quick.match, quick.depth) == (played, "quick")
    assert (report.match, report.engine, report.depth) == (played, "bgsage", "full")
    assert report.version == ENGINE.version
    rows = list(report.rows.order_by("game", "number"))
    plays = [row for row in rows if row.kind == "play"]
    assert [row.seat for row in plays] == [0, 1, 0]
    assert all(row.luck is not None and row.ply > 1 for row in plays)
    assert [line["decisions"] for line in report.figures] == [
        sum(row.seat == seat for row in rows) for seat in (0, 1)
    ]
    assert not Job.objects.filter(done_at=None).exists()
    assert not work_once(ENGINE)
    names = {played.player_0.username, played.player_1.username}
    assert not any(name in str(row.line) + str(report.figures) for row in rows for name in names)


@pytest.mark.django_db
def test_the_worker_says_how_far_it_is(played: Match) -> None:
    said: list[int | None] = []
    report_make(played, Bare(), "full", lambda: said.append(progress_of(work_name(played, "full"))))
    known = [percent for percent in said if percent is not None]
    assert known == sorted(known)
    assert (known[0] < 100, known[-1]) == (True, 100)


@pytest.mark.django_db
def test_a_report_is_never_changed_and_a_new_version_makes_another(played: Match) -> None:
    report = report_make(played, Bare(), "full")
    assert report_make(played, Bare(), "full") == report
    rows = DecisionRow.objects.filter(report=report)
    for change in (
        lambda: rows.update(loss=0.0),
        lambda: rows._raw_delete("default"),
        lambda: Report.objects.filter(pk=report.pk).update(figures=[]),
        lambda: Report.objects.filter(pk=report.pk)._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="stay as they were written"), transaction.atomic():
            change()
    assert report_make(played, Bare(version="2"), "full") != report
    assert Report.objects.filter(match=played).count() == 2


@pytest.mark.django_db
def test_a_match_that_fails_is_tried_three_times_and_stops_nobody(played: Match) -> None:
    enqueue_ended()
    for _ in range(3 * TRIES_MOST):
        assert work_once(Bare(before=broken))
    assert not work_once(Bare(before=broken))
    for job in Job.objects.all():
        assert (job.tries, job.failure, job.done_at) == (TRIES_MOST, "ValueError: no answer", None)
    assert not Report.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_worker_had_in_hand_is_done_by_another_once(played: Match) -> None:
    Job.objects.create(match=played, depth="full")
    killed_at_work(lambda hold: work_once(Bare(before=hold)))
    assert not Report.objects.exists()
    assert work_once(Bare())
    assert not work_once(Bare())
    assert Report.objects.count() == 1


@pytest.mark.django_db
def test_quick_looks_come_before_whatever_has_waited_longer(played: Match) -> None:
    Job.objects.create(match=played, depth="full")
    Job.objects.create(match=played, depth="quick")
    assert work_once(ENGINE)
    assert Report.objects.get().depth == "quick"


@pytest.mark.django_db
def test_the_lines_have_the_position_and_what_the_cube_rests_on(played: Match) -> None:
    report_make(played, ENGINE, "quick")
    for row in DecisionRow.objects.all():
        assert row.line["xgid"].startswith("XGID=")
        assert row.line["on_roll"] == row.seat
        lost, won = row.line["span"]
        assert 0 <= lost < won <= 1
        assert (row.line["cube"] is None) == (row.kind == "play")
        if row.line["cube"]:
            assert 0 < row.line["cube"]["take_point"] < row.line["cube"]["double_point"] < 1


@pytest.mark.django_db
def test_deep_looks_come_last_and_one_that_was_asked_for_in_its_turn(played: Match) -> None:
    enqueue_ended()
    depths = [job.depth for job in waiting()]
    assert depths == ["quick", "full", "deep"]
    long_ago = timezone.now() - timedelta(hours=1)
    Job.objects.filter(depth="deep").update(queued_at=long_ago)
    assert [job.depth for job in waiting()] == depths
    Job.objects.filter(depth="deep").update(asked_by=played.player_0)
    assert [job.depth for job in waiting()] == ["quick", "deep", "full"]


@pytest.mark.django_db
def test_a_deep_look_waits_for_the_full_one_and_is_made_if_that_has_failed(played: Match) -> None:
    Job.objects.create(match=played, depth="deep", asked_by=played.player_0)
    full = Job.objects.create(match=played, depth="full")
    for _ in range(TRIES_MOST):
        assert work_once(Bare(before=broken))
    full.refresh_from_db()
    assert full.tries == TRIES_MOST
    assert work_once(Bare())
    assert Report.objects.get().depth == "deep"


@pytest.mark.django_db
def test_a_match_that_was_queued_before_deep_looks_gets_one(played: Match) -> None:
    for depth in ("quick", "full"):
        Job.objects.create(match=played, depth=depth, done_at=timezone.now())
    assert enqueue_ended() == 1
    assert [job.depth for job in waiting()] == ["deep"]
    assert enqueue_ended() == 0


@dataclass
class Counting:
    """The engine of the house, which notes what it is asked."""

    name: str = ENGINE.name
    version: str = ENGINE.version
    asked: list[object] = field(default_factory=list)

    def supports(self, situation: Situation) -> bool:
        return ENGINE.supports(situation)

    def telling(self, told: Callable[[int], None]) -> "Counting":
        return self

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        self.asked.append((play.place.number, ply))
        return ENGINE.plays(play, ply)

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        self.asked.append(("cube", ply))
        return ENGINE.cube(situation, ply)

    def luck(self, play: DecidedPlay) -> float:
        self.asked.append("luck")
        return ENGINE.luck(play)

    def table(self, away: Away, crawford_over: bool) -> float:
        return ENGINE.table(away, crawford_over)


def told_rows(report: Report) -> list[tuple[object, ...]]:
    rows = report.rows.order_by("game", "number")
    return [(row.number, row.counted, row.loss, row.luck, row.ply, row.line) for row in rows]


@pytest.mark.django_db
def test_a_deep_report_over_a_full_one_is_the_one_made_alone(
    sitting: Sitting, dice: Callable[..., None]
) -> None:
    dice((4, 1), (4, 1), (5, 4))
    while sitting.state.phase != "play":
        sitting.give(sitting.state.game.on_roll, cmd.Roll())
    small = ((24, 23, 1), (24, 20, 4))  # it loses 0.033
    sitting.give(sitting.state.game.on_roll, cmd.Play(moves=small))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    ended = Match.objects.get(table=sitting.pk)
    with transaction.atomic():
        report = report_make(ended, ENGINE, "deep")
        alone, figures = told_rows(report), report.figures
        transaction.set_rollback(True)
    full = report_make(ended, ENGINE, "full")
    engine = Counting()
    deep = report_make(ended, engine, "deep")
    assert (told_rows(deep), deep.figures) == (alone, figures)
    plies = {row.number: row.ply for row in full.rows.all()}
    deeper = [row for row in deep.rows.order_by("number") if row.ply > plies[row.number]]
    assert deeper, "the match has an error that is no blunder"
    assert engine.asked == [(row.number, 3) for row in deeper]
