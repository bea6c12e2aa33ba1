"""The second judge: what GNU Backgammon says about the errors of a report, and when it fails."""

import os
import signal
import stat
from pathlib import Path
from time import monotonic

import pytest
from django.db import IntegrityError, transaction

from analysis.models import DecisionRow, Job, Opinion, Report
from analysis.pages.words import opinion_words
from analysis.queue import enqueue_ended, work_once
from analysis.reports import report_make
from analysis.second_judge import SECOND, is_here, opinions_make
from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import judge_play
from backgammon.engines import gnubg
from backgammon.engines.engine import EngineError
from backgammon.engines.sage import house_engine
from backgammon.formats.mat import format_mat
from backgammon.tests.analysis.records import decided, only, row
from backgammon.tests.formats.gnubg import convert
from games.models import Match
from games.services.archive import match_record
from harness.waiting import WAIT_SECONDS
from tests.analysis.test_report_pages import page, reader

ENGINE = house_engine()
OTHER = "GNU Backgammon"

needs_gnubg = pytest.mark.skipif(
    gnubg.find() is None, reason="GNU Backgammon is not installed: apt-get install gnubg"
)


def errors(match: Match) -> list[DecisionRow]:
    rows = DecisionRow.objects.filter(report__match=match, report__depth="deep")
    return [each for each in rows.order_by("game", "number") if each.line["mark"]]


def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without the program."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(gnubg, "_PLACES", ())


def instead(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """A machine where the program is broken: it does this."""
    program = tmp_path / "gnubg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


def children() -> list[int]:
    """The running children of this process that are GNU Backgammon."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue
        if "gnubg" in fields[0] and int(fields[1].split()[1]) == os.getpid():
            found.append(int(folder.name))
    return found


def opinion(match: Match, key: DecisionRow, loss: float, best: str = "24/18") -> Opinion:
    assert key.report.match_id == match.pk
    return Opinion.objects.create(
        decision=key, engine=OTHER, version="1.07", ply=2, best=best, loss=loss
    )


# --- asking ---------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_gnubg
@pytest.mark.django_db
def test_every_error_of_the_deep_report_gets_an_opinion_once(many: Match) -> None:
    enqueue_ended()
    depths = []
    while work_once(ENGINE):
        depths.append(Job.objects.filter(done_at__isnull=False).latest("done_at").depth)
    assert depths == ["quick", "full", "deep", SECOND]
    shown = errors(many)
    found = list(Opinion.objects.order_by("decision__game", "decision__number"))
    assert len(shown) > 2
    assert [each.decision for each in found] == shown
    assert {(each.engine, each.ply) for each in found} == {(OTHER, 2)}
    for each in found:  # both engines see much the same where much was lost
        assert each.decision.loss is not None
        assert each.loss == pytest.approx(each.decision.loss, abs=0.08, rel=0.2)
    assert opinions_make(many) == 0
    assert Opinion.objects.count() == len(shown)


@needs_gnubg
def test_the_play_made_is_searched_as_deeply_as_the_best() -> None:
    """21/20 21/20 21/20 21/20 or the like: the bare net ranks it far behind."""
    play = only(decided(row("31: 24/23 24/21")), DecidedPlay)[0]
    with gnubg.running() as judge:
        values = judge.plays(play)
        judgement = judge_play(play, values)
    made = next(each for each in values if play.played and each.result == play.played.result)
    assert made.ply == values[0].ply == 2
    assert judgement.loss is not None
    assert judgement.loss > 0.1


@pytest.mark.slow
@needs_gnubg
def test_a_program_that_hangs_is_killed() -> None:
    play = only(decided(row("31: 8/5 6/5")), DecidedPlay)[0]
    began = monotonic()
    with gnubg.running(answer_most_s=3.0) as judge:
        (pid,) = children()
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(EngineError, match="has ended"):
            judge.plays(play)
    assert monotonic() - began < WAIT_SECONDS
    assert children() == []


@pytest.mark.slow
@needs_gnubg
@pytest.mark.django_db
def test_the_rest_is_asked_of_a_new_process_when_one_dies(many: Match) -> None:
    report_make(many, ENGINE, "deep")
    killed: list[int] = []

    def kill_once() -> None:
        if not killed:
            killed.extend(children())
            os.kill(killed[0], signal.SIGKILL)

    assert opinions_make(many, kill_once) == len(errors(many)) - 1


@pytest.mark.django_db
@pytest.mark.parametrize("script", ["exit 1", "kill -9 $$"])
def test_a_broken_program_leaves_the_report_alone(
    many: Match, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str
) -> None:
    instead(monkeypatch, tmp_path, script)
    enqueue_ended()
    while work_once(ENGINE):
        pass
    job = Job.objects.get(depth=SECOND)
    assert (job.tries, job.done_at) == (3, None)
    assert "has ended" in job.failure
    assert not Opinion.objects.exists()
    shown = page(many, many.player_0)
    assert "deep: 2-ply" in shown
    assert "data-second" not in shown
    assert 'data-standing=""' in shown


@pytest.mark.django_db
def test_a_house_without_the_program_says_nothing(
    many: Match, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nowhere(monkeypatch, tmp_path)
    assert not is_here()
    Job.objects.create(match=many, depth=SECOND)  # another machine's worker has the program
    enqueue_ended()
    while work_once(ENGINE):
        pass
    assert Report.objects.filter(depth="deep").exists()
    assert Job.objects.get(depth=SECOND).done_at is None
    assert "data-second" not in page(many, many.player_0)


# --- rows and pages -------------------------------------------------------------------------------


@pytest.mark.django_db
def test_an_opinion_is_never_changed(many: Match) -> None:
    report_make(many, ENGINE, "deep")
    made = opinion(many, errors(many)[0], 0.1)
    rows = Opinion.objects.filter(pk=made.pk)
    for change in (lambda: rows.update(loss=0.0), lambda: rows._raw_delete("default")):
        with pytest.raises(IntegrityError, match="stay as they were written"), transaction.atomic():
            change()


@pytest.mark.django_db
def test_the_report_shows_both_judges_and_what_they_disagree_about(many: Match) -> None:
    report_make(many, ENGINE, "deep")
    first, second = errors(many)[:2]
    keys = [f"{each.game}.{each.number}" for each in (first, second)]
    before = page(many, many.player_0)
    assert all(f'data-go="{key}"' in before for key in keys)
    opinion(many, first, 0.0854, first.line["best"])
    opinion(many, second, 0.0121)

    agreed = page(many, ask=f"?d={keys[0]}&part=decision")
    assert "GNU Backgammon agrees: 0.085." in agreed
    assert f'data-mark="{first.line["mark"]}"' in agreed
    other = page(many, ask=f"?d={keys[1]}&part=decision")
    assert "GNU Backgammon sees only 0.012. Its best choice: 24/18." in other
    assert "Engines disagree" in other
    german = page(many, ask=f"?d={keys[1]}&part=decision", language="de")
    for text in ("GNU Backgammon sieht nur 0,012.", "Programme uneins"):
        assert text in german

    shown = page(many, many.player_0)
    assert "Engines disagree about 1 decision" in shown
    head, _, rest = shown.partition("Engines disagree about 1 decision")
    assert f'data-go="{keys[1]}"' not in head.partition('class="report-lists"')[2]
    assert f'data-go="{keys[1]}"' in rest
    count = len(errors(many)) - 1
    assert f"Error 1 of {count}" in page(many, ask=f"?d={keys[0]}&part=decision")


@pytest.mark.django_db
def test_the_file_has_both_opinions(many: Match) -> None:
    report_make(many, ENGINE, "deep")
    opinion(many, errors(many)[0], 0.012)
    for key in ("sgf", "mat"):
        text = reader().get(f"/match/{many.pk}/analysis.{key}").content.decode()
        assert "Engines disagree" in text
        assert "GNU Backgammon sees only 0.012." in text


@needs_gnubg
@pytest.mark.django_db
def test_gnu_backgammon_reads_the_mat_file_with_comments(many: Match, tmp_path: Path) -> None:
    report_make(many, ENGINE, "deep")
    opinion(many, errors(many)[0], 0.012)
    plain = format_mat(match_record(many))
    files = {"plain.mat": plain}
    for language in ("en", "de"):
        answer = reader(language=language).get(f"/match/{many.pk}/analysis.mat")
        files[f"{language}.mat"] = answer.content.decode()
        assert answer.content.count(b"\n; ") > plain.count("\n; ") + 10
    written = convert(files, tmp_path)
    assert written["en.mat"][0] == written["de.mat"][0] == written["plain.mat"][0]


@pytest.mark.django_db
def test_the_method_page_says_what_two_judges_mean(many: Match) -> None:
    assert 'id="second"' in reader().get("/analysis/method/").content.decode()


def test_no_loss_is_said_in_words() -> None:
    same = Opinion(engine=OTHER, best="8/5 6/5", loss=0.0)
    assert opinion_words(same, "24/23 24/21") == "GNU Backgammon sees no better choice."
