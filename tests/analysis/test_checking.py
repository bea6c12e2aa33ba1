"""Rollouts of errors about which judges differ: when they come, what they change, and the page."""

import pytest

from accounts.models import User
from analysis.checking import CHECKED, MATCH_MOST_SECONDS, disputes
from analysis.models import DecisionRow, Job, MyDecision, Report
from analysis.queue import ROLLOUTS_MOST_SECONDS, engine_seconds, enqueue_ended, work_once
from analysis.reports import report_make
from analysis.second_judge import SECOND
from backgammon.counting.figures import PR_SCALE
from games.models import Match
from tests.analysis.files import golden
from tests.analysis.test_imports import brought
from tests.analysis.test_queue import ENGINE, Bare
from tests.analysis.test_report_pages import page
from tests.analysis.test_second_judge import OTHER, errors, needs_gnubg, nowhere, opinion

pytestmark = pytest.mark.django_db

#: ten blocks in which the played choice loses 0.1 against each other one.
TEN = 10


@pytest.fixture
def disputed(many: Match) -> DecisionRow:
    """The first error of a deep report, of which GNU Backgammon sees hardly anything."""
    report_make(many, ENGINE, "full")
    report_make(many, ENGINE, "deep")
    row = errors(many)[0]
    assert row.loss is not None
    assert row.loss >= 0.06
    opinion(many, row, 0.012, row.line["played"])
    return row


def name(row: DecisionRow) -> str:
    return f"{row.game}.{row.number}"


def played_out(row: DecisionRow, best: float = 0.2, played: float = 0.1) -> Job:
    """A job that has played all of its blocks but for the report."""
    job = Job.objects.create(match=row.report.match, depth=CHECKED)
    job.blocks = {name(row): [[best, played]] * TEN}
    job.save()
    return job


def test_only_what_judges_see_differently_is_rolled_out(many: Match) -> None:
    report_make(many, ENGINE, "full")
    report_make(many, ENGINE, "deep")
    assert disputes(many, ENGINE) == []
    first, second = errors(many)[:2]
    assert first.loss is not None
    assert second.loss is not None
    opinion(many, first, first.loss - 0.039, "24/18")
    opinion(many, second, second.loss + 0.041, "24/18")
    (found,) = disputes(many, ENGINE)
    assert (found.row, found.best) == (second, {"24/18", second.line["best"]})


@pytest.mark.slow
def test_one_block_is_played_at_a_time_after_all_other_work(
    disputed: DecisionRow, many: Match, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    nowhere(monkeypatch, tmp_path)
    Job.objects.create(match=many, depth=CHECKED)
    enqueue_ended()
    for depth in ("quick", "full", "deep"):
        assert work_once(ENGINE)
        assert Job.objects.filter(done_at__isnull=False).latest("done_at").depth == depth
    assert work_once(ENGINE)
    job = Job.objects.get(depth=CHECKED)
    assert (job.done_at, job.tries) == (None, 0)
    ((key, blocks),) = job.blocks.items()
    assert (key, len(blocks)) == (name(disputed), 1)
    assert work_once(ENGINE)
    job.refresh_from_db()
    assert [len(each) for each in job.blocks.values()] == [2]


@needs_gnubg
def test_a_rollout_waits_for_the_opinions_of_the_second_judge(disputed: DecisionRow) -> None:
    played_out(disputed)
    Job.objects.create(match=disputed.report.match, depth=SECOND, tries=2)
    assert work_once(ENGINE)
    assert not Report.objects.filter(depth=CHECKED).exists()
    Job.objects.filter(depth=SECOND).update(tries=3)
    assert work_once(ENGINE)
    assert Report.objects.filter(depth=CHECKED).exists()


def test_the_report_is_computed_with_the_decided_value(disputed: DecisionRow, many: Match) -> None:
    job = played_out(disputed)
    assert work_once(ENGINE)
    assert not work_once(ENGINE)
    job.refresh_from_db()
    assert job.done_at is not None
    assert job.blocks == {}
    deep, report = (Report.objects.get(depth=depth) for depth in ("deep", CHECKED))
    row = report.rows.get(game=disputed.game, number=disputed.number)
    assert row.loss == pytest.approx(0.1)
    assert row.line["rollout"] == {"trials": 360, "error": 0.0}
    figures, before = report.figures[row.seat], deep.figures[row.seat]
    assert figures["lost"] == pytest.approx(before["lost"] - (disputed.loss or 0) + 0.1, abs=1e-3)
    assert figures["pr"] == pytest.approx(PR_SCALE * figures["lost"] / figures["counted"], abs=0.01)
    assert report.figures[1 - row.seat] == deep.figures[1 - row.seat]
    others = {(each.game, each.number): each.loss for each in deep.rows.all()}
    assert all(
        each.loss == others[each.game, each.number]
        for each in report.rows.all()
        if each.pk != row.pk
    )


def test_my_decisions_have_the_decided_value(disputed: DecisionRow) -> None:
    played_out(disputed, best=0.1, played=0.11)
    listed = MyDecision.objects.get(decision=disputed)
    assert listed.size > 0
    work_once(ENGINE)
    found = MyDecision.objects.get(
        decision__game=disputed.game, decision__number=disputed.number, person=listed.person
    )
    assert (found.loss, found.size, found.agrees) == (0.0, 0, True)


def test_the_page_shows_the_rollout_in_both_languages(disputed: DecisionRow, many: Match) -> None:
    played_out(disputed)
    at = f"?d={name(disputed)}&part=decision"
    assert "data-rolled" not in page(many, ask=at)
    assert "Engines disagree" in page(many, ask=at)
    work_once(ENGINE)
    shown = page(many, ask=at)
    assert "Checked by rollout: −0.100 ± 0.000 (360 trials)" in shown
    assert "Engines disagree" not in shown
    assert f"{OTHER} sees only 0.012." in shown
    assert "the PR counts its value" in shown
    german = page(many, ask=at, language="de")
    assert "Per Rollout geprüft: −0,100 ± 0,000 (360 Versuche)" in german
    whole = page(many)
    assert "checked by rollout: −0.100 ± 0.000 (360 trials)" in whole
    assert "where judges differ a rollout decided" in whole
    assert "Engines disagree about" not in whole


def test_every_row_of_the_lists_says_how_deep_it_is(many: Match) -> None:
    report_make(many, ENGINE, "deep")
    shown = page(many)
    rows = shown.partition('class="report-lists"')[2].partition('id="jokers-title"')[0]
    assert rows.count("3-ply</small>") == len(errors(many))


def test_the_seconds_of_a_match_end(disputed: DecisionRow, many: Match) -> None:
    Job.objects.create(match=many, depth=CHECKED, seconds=MATCH_MOST_SECONDS)
    assert work_once(ENGINE)
    assert Job.objects.get(depth=CHECKED).done_at is not None
    assert not Report.objects.filter(depth=CHECKED).exists()


def test_rollouts_of_brought_matches_come_last_and_have_hours_of_their_own(
    magriel: User, hilde: User, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    nowhere(monkeypatch, tmp_path)
    brought(magriel, golden().encode())
    brought(hilde, golden("money_session").encode())
    transcript = Job.objects.filter(asked_by=magriel)[0].transcript
    Job.objects.filter(asked_by=magriel).delete()
    check = Job.objects.create(transcript=transcript, depth=CHECKED, asked_by=magriel)
    for depth in ("full", "deep"):
        assert work_once(Bare())
        assert Job.objects.get(asked_by=hilde, depth=depth).done_at is not None
        check.refresh_from_db()
        assert check.done_at is None
    check.seconds = ROLLOUTS_MOST_SECONDS
    check.save()
    assert engine_seconds(magriel.pk) == 0.0
    assert not work_once(Bare())
    Job.objects.filter(pk=check.pk).update(seconds=ROLLOUTS_MOST_SECONDS - 1)
    assert work_once(Bare())
    check.refresh_from_db()
    assert check.done_at is not None
