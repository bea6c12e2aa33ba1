"""Questions at the board: limits, one answer for all who ask, and workers that end."""

from io import StringIO
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from analysis import questions
from analysis.answering import Taken, answer_once, question_hold, question_take
from analysis.models import PositionAnswer, Question, Report
from analysis.questions import (
    KEPT,
    TRIES_MOST,
    AskedTooMuch,
    Asker,
    AskerPlaysNow,
    FileEmpty,
    FileTooLarge,
    OnlyWithAccount,
    file_ask,
    has_worker,
    position_ask,
    questions_before,
    questions_forget,
)
from analysis.queue import enqueue_ended
from backgammon.rules.xgid import Xgid
from games.models import Match
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS, wait_until
from kit.throttle import Rate
from tests.analysis.killing import killed_at_work
from tests.analysis.test_queue import Bare

BOARD = "XGID=-b----E-C---eE---c-e----B-"
STRANGER = Asker(None, False, "198.51.100.7")
MEMBER = Asker(1_000_000, True, "198.51.100.8")


def roll(dice: str) -> Xgid:
    return Xgid.parse(f"{BOARD}:0:0:1:{dice}:0:0:0:0:10")


@pytest.mark.django_db
def test_a_question_is_answered_once_for_all_who_ask_it() -> None:
    first = position_ask(STRANGER, roll("31"), "quick")
    mirrored = Xgid.parse(f"{BOARD}:0:0:-1:13:0:0:0:0:10")
    assert position_ask(MEMBER, mirrored, "quick") == first
    assert answer_once(Bare())
    assert not answer_once(Bare())
    answer = PositionAnswer.objects.get()
    assert (answer.engine, answer.depth, answer.ply) == ("bare", "quick", 1)
    assert answer.line["options"][0]["text"] == "8/5 6/5"
    first.refresh_from_db()
    assert (first.answer, first.failure) == (answer, "")


@pytest.mark.django_db
def test_what_this_engine_has_answered_is_answered_at_once_and_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "house_engine", Bare)
    position_ask(STRANGER, roll("31"), "quick")
    answer_once(Bare())
    monkeypatch.setattr(questions, "OF_VISITORS", Rate(0, 3600))
    assert position_ask(STRANGER, roll("31"), "quick").answer is not None
    Question.objects.all().delete()  # as after a day
    assert position_ask(STRANGER, roll("31"), "quick").answer is not None
    monkeypatch.setattr(questions, "house_engine", lambda: Bare(version="2"))
    with pytest.raises(AskedTooMuch):
        position_ask(STRANGER, roll("31"), "quick")


@pytest.mark.django_db
def test_answers_are_never_changed() -> None:
    position_ask(STRANGER, roll("31"), "quick")
    answer_once(Bare())
    for change in (
        lambda: PositionAnswer.objects.update(ply=9),
        lambda: PositionAnswer.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="stay as they were written"), transaction.atomic():
            change()


@pytest.mark.django_db
def test_visitors_have_the_quick_depth_and_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "OF_VISITORS", Rate(2, 3600))
    for depth in ("full", "deep"):
        with pytest.raises(OnlyWithAccount):
            position_ask(STRANGER, roll("31"), depth)  # type: ignore[arg-type] # both are depths
    for dice in ("31", "42"):
        position_ask(STRANGER, roll(dice), "quick")
    with pytest.raises(AskedTooMuch):
        position_ask(STRANGER, roll("53"), "quick")
    assert position_ask(Asker(None, False, "203.0.113.9"), roll("53"), "quick")
    assert Question.objects.count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize("depth", ["quick", "full", "deep"])
def test_people_have_a_limit_for_each_depth(monkeypatch: pytest.MonkeyPatch, depth: Any) -> None:
    monkeypatch.setitem(questions.A_DAY, depth, Rate(1, 86_400))
    position_ask(MEMBER, roll("31"), depth)
    with pytest.raises(AskedTooMuch):
        position_ask(MEMBER, roll("42"), depth)
    other = "full" if depth == "quick" else "quick"
    assert position_ask(MEMBER, roll("42"), other)  # type: ignore[arg-type] # both are depths


@pytest.mark.django_db
def test_nobody_asks_more_than_a_worker_can_answer_in_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "A_MINUTE", Rate(1, 60))
    position_ask(MEMBER, roll("31"), "quick")
    with pytest.raises(AskedTooMuch):
        position_ask(MEMBER, roll("42"), "quick")


@pytest.mark.django_db
def test_files_have_a_size_and_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "FILES_OF_VISITORS", Rate(1, 3600))
    with pytest.raises(FileTooLarge):
        file_ask(STRANGER, b"x" * (questions.FILE_MOST_BYTES + 1))
    with pytest.raises(FileEmpty):
        file_ask(STRANGER, b" \n")
    file_ask(STRANGER, b"nothing")
    with pytest.raises(AskedTooMuch):
        file_ask(STRANGER, b"nothing")
    assert Question.objects.count() == 1


@pytest.mark.django_db
def test_nobody_asks_the_engine_while_they_play_people(sitting: Sitting, dice: Any) -> None:
    sitting.give(0, cmd.Roll())
    player = Asker(sitting.players[0].pk, True, "198.51.100.8")
    with pytest.raises(AskerPlaysNow):
        position_ask(player, roll("31"), "quick")
    with pytest.raises(AskerPlaysNow):
        file_ask(player, b"a match")
    assert position_ask(MEMBER, roll("31"), "quick")
    sitting.give(0, cmd.Leave())
    assert position_ask(player, roll("31"), "quick")


@pytest.mark.django_db
def test_people_who_wait_come_before_matches(played: Match) -> None:
    enqueue_ended()
    position_ask(MEMBER, roll("31"), "deep")
    file_ask(MEMBER, b"nothing of backgammon")
    quick = position_ask(STRANGER, roll("42"), "quick")
    assert questions_before(quick) == 0
    order = []
    while answer_once(Bare()):
        order.append(Question.objects.filter(done_at__isnull=False).count())
        done = Question.objects.filter(done_at__isnull=False).latest("done_at")
        order.append(done.urgency)
    assert order == [1, 0, 2, 1, 3, 3]
    assert not Report.objects.exists()


@pytest.mark.django_db
def test_the_worker_answers_says_that_it_is_there_and_forgets() -> None:
    assert not has_worker()
    question = position_ask(STRANGER, roll("31"), "quick")
    old = position_ask(STRANGER, roll("42"), "quick")
    Question.objects.filter(pk=old.pk).update(asked_at=timezone.now() - KEPT * 2)
    call_command("analysis_worker", "--once", "--questions", stdout=StringIO())
    assert has_worker()
    question.refresh_from_db()
    assert question.answer is not None
    assert question.answer.engine == "bgsage"
    assert not Question.objects.filter(pk=old.pk).exists()
    assert questions_forget() == 0


@pytest.mark.django_db
def test_a_file_goes_when_it_has_been_read() -> None:
    question = file_ask(STRANGER, b"nothing of backgammon")
    answer_once(Bare())
    question.refresh_from_db()
    assert question.file is None
    assert question.found is not None
    assert question.found["error"]["code"] == "broken_file"
    assert (question.failure, question.tries) == ("", 1)


def broken() -> None:
    raise ValueError("no answer")


@pytest.mark.django_db
def test_a_question_that_fails_is_left_alone_after_three_tries() -> None:
    question = position_ask(STRANGER, roll("31"), "quick")
    for _ in range(TRIES_MOST):
        assert answer_once(Bare(before=broken))
    assert not answer_once(Bare(before=broken))
    question.refresh_from_db()
    assert (question.tries, question.failure) == (TRIES_MOST, "ValueError: no answer")
    assert question.done_at is not None
    assert position_ask(STRANGER, roll("31"), "quick") != question


@pytest.mark.django_db(transaction=True)
def test_a_question_that_ends_its_workers_is_left_alone() -> None:
    question = position_ask(STRANGER, roll("31"), "quick")
    Question.objects.filter(pk=question.pk).update(tries=TRIES_MOST)  # three were killed
    assert answer_once(Bare())
    question.refresh_from_db()
    assert question.failure
    assert question.answer is None
    assert not answer_once(Bare())


@pytest.mark.django_db(transaction=True)
def test_two_workers_answer_a_question_once() -> None:
    position_ask(STRANGER, roll("31"), "quick")
    together, calls = Barrier(2), []

    def work() -> None:
        together.wait(WAIT_SECONDS)
        while answer_once(Bare(before=lambda: calls.append(1))):
            pass
        connection.close()

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    assert calls == [1]
    assert PositionAnswer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_takes_a_question_is_not_overtaken_before_it_holds_it() -> None:
    """Else two workers take it in turns, and its tries are used up without an answer."""
    question = position_ask(STRANGER, roll("31"), "quick")
    taken = question_take(Question.objects.all())
    assert isinstance(taken, Taken)
    others: list[object] = []

    def other() -> None:
        others.append(question_take(Question.objects.all()))
        connection.close()

    for _ in range(2):
        thread = Thread(target=other)
        thread.start()
        thread.join(WAIT_SECONDS)
    question.refresh_from_db()
    assert (others, question.tries) == ([None, None], 1)
    with transaction.atomic():
        assert question_hold(taken) == question
    thread = Thread(target=other)
    thread.start()
    thread.join(WAIT_SECONDS)
    assert isinstance(others[-1], Taken), "it is free again"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_a_killed_worker_had_in_hand_is_answered_by_another_once() -> None:
    question = position_ask(STRANGER, roll("31"), "quick")
    killed_at_work(lambda hold: answer_once(Bare(before=hold)))
    assert not PositionAnswer.objects.exists()
    wait_until(lambda: answer_once(Bare()))
    question.refresh_from_db()
    assert (question.answer, question.tries) == (PositionAnswer.objects.get(), 2)
    assert not answer_once(Bare())


@pytest.mark.django_db(transaction=True)
def test_the_same_question_at_once_is_one_row(settings: Any) -> None:
    together, made = Barrier(4), []

    def ask(number: int) -> None:
        together.wait(WAIT_SECONDS)
        made.append(position_ask(Asker(None, False, f"198.51.100.{number}"), roll("31"), "quick"))
        connection.close()

    threads = [Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    assert len({question.pk for question in made}) == 1 == Question.objects.count()
