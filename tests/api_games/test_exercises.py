"""Exercises and progress for programs: the same rules as on the pages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.scopes import Scope
from accounts.tokens import token_make
from analysis.models import Exercise, ExerciseTry
from analysis.training import tries
from games.models import Match
from games.services.figures import figures_make
from harness.history import Past, history_make
from kit.throttle import Rate
from tests.analysis.conftest import hilde, magriel, played
from tests.analysis.errors import error_of
from tests.api.conftest import Program

__all__ = ["hilde", "magriel", "played"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def gerda() -> User:
    return User.objects.create_user("gerda")


def first(kind: str) -> Exercise:
    return Exercise.objects.filter(kind=kind).order_by("number")[0]


def test_the_list_has_what_is_due_first_and_themes(gerda: User) -> None:
    row = first("take")
    ExerciseTry.objects.create(
        person=gerda, exercise=row, answer="x", loss=0.5, at=timezone.now() - timedelta(days=2)
    )
    told = Program(gerda).get("exercises/", limit=3).json()
    assert told["due"] == 1
    assert [each["is_due"] for each in told["results"]] == [True, False, False]
    assert told["results"][0]["key"] == str(row.pk)
    assert told["results"][0]["standing"]["last"] == "blunder"
    themed = Program(gerda).get("exercises/", theme="race").json()["results"]
    assert {each["theme"] for each in themed} == {"race"}
    assert Program(gerda).get("exercises/", theme="poker").status_code == 400
    assert Program(gerda).get("exercises/", limit=101).status_code == 400


@pytest.mark.parametrize("kind", ["play", "double", "take"])
def test_a_question_has_no_answer_and_an_answer_is_graded(gerda: User, kind: str) -> None:
    row, program = first(kind), Program(gerda)
    asked = program.get(f"exercises/{row.pk}/")
    assert "equity" not in asked.content.decode()
    assert asked.json()["xgid"] == row.xgid
    assert (asked.json()["choices"] is None) == (kind == "play")
    best, worst = (row.line["options"][place]["text"] for place in (0, -1))
    wrong = program.post(f"exercises/{row.pk}/answer/", {"answer": worst}).json()
    assert wrong["grade"] in ("error", "blunder", "close")
    assert wrong["standing"]["box"] == 1
    found = program.post(f"exercises/{row.pk}/answer/", {"answer": best}).json()
    assert (found["grade"], found["loss"], found["stored"]) == ("found", 0, True)
    assert found["options"][0]["text"] == best
    assert ExerciseTry.objects.filter(person=gerda, exercise=row).count() == 2


@pytest.mark.parametrize("body", [{"answer": "1/24"}, {"answer": ""}, {}, {"answer": 5}])
def test_what_answers_nothing_is_refused_and_changes_nothing(gerda: User, body: object) -> None:
    row = first("play")
    refused = Program(gerda).post(f"exercises/{row.pk}/answer/", body)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert "answer" in refused.json()["fields"]
    assert not ExerciseTry.objects.exists()


def test_the_next_one_leaves_out_what_was_just_seen(gerda: User) -> None:
    program = Program(gerda)
    one = program.get("exercises/next/").json()
    other = program.get("exercises/next/", besides=one["key"]).json()
    assert other["key"] != one["key"]
    assert program.get("exercises/next/", theme="own").status_code == 404


def test_own_errors_are_for_their_player_and_others_for_everybody_else(
    played: Match, gerda: User
) -> None:
    figures_make()
    row = error_of(played)
    best = row.line["options"][0]["text"]
    owner, stranger = Program(played.player_0), Program(gerda)
    assert owner.get(f"exercises/own-{row.pk}/").json()["origin"] == "own"
    assert owner.get(f"exercises/other-{row.pk}/").status_code == 404
    assert stranger.get(f"exercises/own-{row.pk}/").status_code == 404
    told = stranger.get(f"exercises/other-{row.pk}/")
    assert told.json()["origin"] == "others"
    assert played.player_0.username not in told.content.decode()
    assert stranger.get("exercises/next/", theme="others").json()["key"] == f"other-{row.pk}"
    played.player_0.preferences = {"reports": "players"}
    played.player_0.save(update_fields=["preferences"])
    for address in (f"exercises/other-{row.pk}/", "exercises/nothing/", "exercises/999999/"):
        assert stranger.get(address).status_code == 404
    closed = stranger.post(f"exercises/other-{row.pk}/answer/", {"answer": best})
    assert closed.status_code == 404


def test_the_first_answer_to_the_position_of_the_day_counts(gerda: User) -> None:
    program = Program(gerda)
    told = program.get("exercises/today/").json()
    assert (told["given"], told["votes"]) == (None, None)
    row = Exercise.objects.get(pk=told["exercise"]["key"])
    best, worst = (row.line["options"][place]["text"] for place in (0, -1))
    given = program.post("exercises/today/", {"answer": best}).json()
    assert given["given"]["grade"] == "found"
    again = program.post("exercises/today/", {"answer": worst}).json()
    assert again["given"]["answer"] == best
    assert again["votes"] == {"answers": 1, "found": 1}
    assert ExerciseTry.objects.count() == 1
    other = Program(User.objects.create_user("tilo"))
    assert other.get("exercises/today/").json()["votes"] is None


def test_progress_counts_today_boxes_and_themes(gerda: User) -> None:
    row, program = first("take"), Program(gerda)
    best = row.line["options"][0]["text"]
    program.post(f"exercises/{row.pk}/answer/", {"answer": best})
    told = program.get("exercises/progress/").json()
    assert (told["today"], told["today_found"], told["a_day"]) == (1, 1, 8)
    assert [box["exercises"] for box in told["boxes"]] == [0, 1, 0, 0, 0]
    take = next(each for each in told["themes"] if each["theme"] == "take")
    assert (take["total"], take["tried"], take["found"], take["due"]) == (6, 1, 1, 0)


def test_too_many_answers_are_graded_and_not_stored(
    gerda: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tries, "OF_PERSON", Rate(1, 3600))
    row, program = first("take"), Program(gerda)
    best = row.line["options"][0]["text"]
    answers = [program.post(f"exercises/{row.pk}/answer/", {"answer": best}) for _ in range(2)]
    assert [each.json()["stored"] for each in answers] == [True, False]
    assert ExerciseTry.objects.count() == 1


def test_the_figures_of_a_player_follow_the_setting(gerda: User) -> None:
    now = timezone.now()
    history_make(
        gerda,
        User.objects.create_user("anna"),
        [Past(now - timedelta(days=1), {"race": (30, 0.3), "take": (10, 0.5)}, gift=0.25)],
    )
    other = Program(User.objects.create_user("tilo"))
    told = other.get("players/gerda/progress/").json()
    assert told["variants"] == [{"variant": "backgammon", "matches": 1}]
    assert told["all"]["pr"] == 10
    assert told["cube"] == {"counted": 10, "pr": 25, "band": None}
    assert told["months"][0]["luck"] == 0.25
    assert told["form"]["costly"] == "take"
    assert told["form"]["trend"] is None
    assert other.get("players/gerda/progress/", variant="nackgammon").json()["months"] == []
    assert other.get("players/gerda/progress/", variant="chess").status_code == 400
    gerda.preferences = {"reports": "players"}
    gerda.save(update_fields=["preferences"])
    hidden = other.get("players/gerda/progress/").json()
    assert (hidden["variants"], hidden["variant"], hidden["form"]) == ([], None, None)
    assert Program(gerda).get("players/gerda/progress/").json()["all"]["pr"] == 10
    assert other.get("players/nobody/progress/").status_code == 404


def test_a_token_reads_and_never_answers() -> None:
    """The shares of the position of the day are those of people."""
    robo = User.objects.create_user("robo", is_bot=True)
    token = {"headers": {"authorization": f"Bearer {token_make(robo, scopes=[Scope.READ])}"}}
    client, row = Client(), first("take")
    for address in ("", "next/", "today/", "progress/", f"{row.pk}/"):
        assert client.get(f"/api/v1/exercises/{address}", **token).status_code == 200
    for address in ("today/", f"{row.pk}/answer/"):
        refused = client.post(
            f"/api/v1/exercises/{address}",
            {"answer": "take"},
            content_type="application/json",
            **token,
        )
        assert (refused.status_code, refused.json()["code"]) == (403, "not_for_tokens")
