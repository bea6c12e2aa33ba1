"""Rollouts in the queue: block by block, after everything else, as long as somebody wants them."""

from typing import Any

import pytest
from django.core.cache import cache

from analysis import questions
from analysis.answering import answer_once
from analysis.models import PositionAnswer, Question, Rollout
from analysis.pages.board_json import question_shown
from analysis.questions import (
    STOPPED,
    TRIES_MOST,
    AskedTooMuch,
    Asker,
    OnlyWithAccount,
    position_ask,
    rollout_stop,
)
from analysis.rolling import roll_once
from backgammon.analysis.rollouts import course_of
from backgammon.counting.positions import key_of
from backgammon.engines.sage import house_engine
from backgammon.rules.xgid import Xgid
from harness.waiting import wait_until
from kit.throttle import Rate
from tests.analysis.killing import killed_at_work
from tests.analysis.test_queue import Bare

STRANGER = Asker(None, False, "198.51.100.7")
MEMBER = Asker(1_000_000, True, "198.51.100.8")
OTHER = Asker(1_000_001, True, "198.51.100.8")
ENGINE = house_engine()


def race(dice: str = "42") -> Xgid:
    return Xgid.parse(f"XGID=--AAAA--------------aba---:0:0:1:{dice}:0:0:0:0:10")


@pytest.mark.django_db
def test_a_rollout_is_played_block_by_block_and_answered_once() -> None:
    question = position_ask(MEMBER, race(), "rollout")
    assert question_shown(question)["state"] == "waiting"
    assert not answer_once(ENGINE)
    assert roll_once(ENGINE)
    told = question_shown(Question.objects.get())
    assert (told["state"], told["so_far"]["trials"]) == ("working", 36)
    assert told["percent"] >= 3
    blocks = 1
    while roll_once(ENGINE):
        blocks += 1
    question.refresh_from_db()
    answer = PositionAnswer.objects.get()
    assert question.answer == answer
    assert (answer.depth, answer.ply) == ("rollout", 1)
    assert answer.line["trials"] == 36 * blocks
    assert blocks >= 10
    assert question_shown(question)["so_far"] is None
    again = position_ask(OTHER, race(), "rollout")
    assert again == question


@pytest.mark.django_db
def test_other_questions_come_between_two_blocks() -> None:
    rollout = position_ask(MEMBER, race(), "rollout")
    roll_once(ENGINE)
    quick = position_ask(STRANGER, race("31"), "quick")
    assert questions.questions_before(rollout) == 1
    assert answer_once(ENGINE)
    quick.refresh_from_db()
    assert quick.answer is not None
    assert roll_once(ENGINE)
    assert len(Rollout.objects.get().blocks) == 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_trial_and_doubles_none() -> None:
    question = position_ask(MEMBER, race(), "rollout")
    roll_once(ENGINE)
    killed_at_work(lambda hold: roll_once(Bare(before=hold)))
    assert len(Rollout.objects.get().blocks) == 1
    wait_until(lambda: roll_once(ENGINE))  # it is the dead worker's for a moment
    while roll_once(ENGINE):
        pass
    course = course_of(key_of(race()), ENGINE)
    rollout = Rollout.objects.get()
    assert rollout.blocks == [course.block(number) for number in range(len(rollout.blocks))]
    question.refresh_from_db()
    assert question.tries == 0


@pytest.mark.django_db
def test_only_accounts_ask_for_rollouts_and_ten_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OnlyWithAccount):
        position_ask(STRANGER, race(), "rollout")
    assert questions.A_DAY["rollout"] == Rate(10, 86_400)
    monkeypatch.setitem(questions.A_DAY, "rollout", Rate(1, 86_400))
    first = position_ask(MEMBER, race(), "rollout")
    assert position_ask(MEMBER, race(), "rollout") == first
    with pytest.raises(AskedTooMuch):
        position_ask(MEMBER, race("31"), "rollout")
    assert Question.objects.count() == 1


@pytest.mark.django_db
def test_a_rollout_ends_when_nobody_wants_it_any_more() -> None:
    question = position_ask(MEMBER, race(), "rollout")
    position_ask(MEMBER, race(), "rollout")  # the same person counts once
    position_ask(OTHER, race(), "rollout")
    roll_once(ENGINE)
    assert not rollout_stop(STRANGER, question)
    assert rollout_stop(MEMBER, question)
    assert not rollout_stop(MEMBER, question)
    assert question_shown(question)["state"] == "working"
    assert roll_once(ENGINE)
    assert rollout_stop(OTHER, question)
    told = question_shown(Question.objects.get())
    assert (told["state"], told["so_far"]["trials"]) == ("stopped", 72)
    assert roll_once(ENGINE)
    assert not roll_once(ENGINE)
    question.refresh_from_db()
    assert (question.failure, question.answer) == (STOPPED, None)
    assert question_shown(question)["state"] == "stopped"


@pytest.mark.django_db
def test_a_stopped_rollout_goes_on_if_it_is_wanted_again() -> None:
    question = position_ask(MEMBER, race(), "rollout")
    roll_once(ENGINE)
    rollout_stop(MEMBER, question)
    assert position_ask(MEMBER, race(), "rollout") == question
    roll_once(ENGINE)
    assert len(Rollout.objects.get().blocks) == 2


@pytest.mark.django_db
def test_an_emptied_valkey_ends_no_rollout() -> None:
    question = position_ask(MEMBER, race(), "rollout")
    cache.clear()
    assert not rollout_stop(MEMBER, question)
    assert roll_once(ENGINE)
    assert len(Rollout.objects.get().blocks) == 1


@pytest.mark.django_db
def test_a_rollout_that_fails_is_left_alone_after_three_tries() -> None:
    def broken() -> Any:
        raise ValueError("no answer")

    question = position_ask(MEMBER, race(), "rollout")
    for _ in range(TRIES_MOST):
        assert roll_once(Bare(before=broken))
    assert not roll_once(ENGINE)
    question.refresh_from_db()
    assert question.failure == "ValueError: no answer"
    assert question_shown(question)["state"] == "failed"
