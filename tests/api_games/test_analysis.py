"""The analysis for programs: positions, and the reports of one's own matches."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from accounts.scopes import Scope
from accounts.tokens import token_make
from analysis import questions
from analysis.answering import answer_once
from analysis.models import Question
from analysis.reports import report_make
from analysis.rolling import roll_once
from backgammon.engines.sage import house_engine
from games.models import Match
from kit.throttle import Rate
from tests.analysis.conftest import played
from tests.analysis.test_queue import Bare
from tests.api.conftest import Program

__all__ = ["played"]

pytestmark = pytest.mark.django_db

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def test_a_position_is_asked_about_and_answered(hilde: User) -> None:
    program = Program(hilde)
    asked = program.post("analysis/positions/", {"position": OPENING, "depth": "deep"})
    assert asked.status_code == 202
    assert (asked.json()["state"], asked.json()["before"]) == ("waiting", 0)
    answer_once(Bare())
    told = program.get(f"analysis/positions/{asked.json()['id']}/").json()
    assert told["state"] == "done"
    assert told["answer"]["options"][0]["text"] == "8/5 6/5"
    assert told["answer"]["kind"] == "play"
    assert told["error"] is None


def test_the_cube_is_answered_with_a_verdict(hilde: User) -> None:
    program = Program(hilde)
    asked = program.post("analysis/positions/", {"position": "4HPwATDgc/ABMA", "depth": "quick"})
    answer_once(Bare())
    answer = program.get(f"analysis/positions/{asked.json()['id']}/").json()["answer"]
    assert (answer["kind"], answer["verdict"]) == ("cube", "no_double")
    assert answer["double_drop"] == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"position": "nothing at all"}, "notation_error"),
        ({"position": OPENING, "depth": "deepest"}, "invalid"),
        ({"position": OPENING, "person": 7}, "invalid"),
        ({"depth": "quick"}, "invalid"),
        ({"position": "XGID=" + "-" * 26 + ":0:0:1:00:0:0:0:0:10"}, "invalid_position"),
    ],
)
def test_what_cannot_be_asked_is_named(hilde: User, body: dict[str, Any], code: str) -> None:
    refused = Program(hilde).post("analysis/positions/", body)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert not Question.objects.exists()


def test_the_limit_of_the_board_holds(hilde: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(questions.A_DAY, "full", Rate(0, 86_400))
    refused = Program(hilde).post("analysis/positions/", {"position": OPENING})
    assert (refused.status_code, refused.json()["code"]) == (429, "asked_too_much")


def test_files_and_unknown_questions_are_not_found(hilde: User) -> None:
    file = Question.objects.create(file=b"x", urgency=1)
    for question in (file.pk, uuid4()):
        assert Program(hilde).get(f"analysis/positions/{question}/").status_code == 404


def test_the_reports_of_ones_own_matches_are_listed(played: Match, magriel: User) -> None:
    report = report_make(played, Bare(), "full")
    told = Program(magriel).get("analysis/reports/").json()
    assert told["next_page"] is None
    (row,) = told["results"]
    assert (row["match"], row["engine"], row["depth"]) == (str(played.pk), "bare", "full")
    assert row["seat"] == played.players.index(magriel.pk)
    assert len(row["figures"]) == 2
    found = Program(magriel).get(f"analysis/reports/{report.pk}/decisions/").json()
    assert [each["number"] for each in found["results"]] == list(
        report.rows.order_by("game", "number").values_list("number", flat=True)
    )
    assert found["results"][0]["options"][0]["text"]
    assert found["next_page"] is None


def test_the_reports_of_others_do_not_exist(played: Match) -> None:
    report = report_make(played, Bare(), "full")
    other = Program(User.objects.create_user("tilo"))
    assert other.get("analysis/reports/").json()["results"] == []
    assert other.get(f"analysis/reports/{report.pk}/decisions/").status_code == 404
    stranger = Program(None)
    assert stranger.get("analysis/reports/").status_code == 401


def test_a_token_that_reads_may_ask() -> None:
    bot = User.objects.create_user("deep", is_bot=True)
    for scope, status in ((Scope.READ, 200), (Scope.PLAY, 403)):
        text = token_make(bot, name=scope.value, scopes=(scope,))
        client = Client(headers={"authorization": f"Bearer {text}"})
        assert client.get("/api/v1/analysis/reports/").status_code == status


def test_a_rollout_is_asked_for_followed_and_stopped(hilde: User, magriel: User) -> None:
    program = Program(hilde)
    position = "XGID=--AAAA--------------aba---:0:0:1:42:0:0:0:0:10"
    asked = program.post("analysis/positions/", {"position": position, "depth": "rollout"})
    assert asked.status_code == 202
    roll_once(house_engine())
    place = f"analysis/positions/{asked.json()['id']}/"
    told = program.get(place).json()
    assert (told["state"], told["so_far"]["trials"]) == ("working", 36)
    assert told["so_far"]["options"][0]["error"] is None
    assert Program(magriel).delete(place).status_code == 404
    assert program.delete(place).json()["state"] == "stopped"
    assert program.delete(place).status_code == 404
