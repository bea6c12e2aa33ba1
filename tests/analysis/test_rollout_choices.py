"""What a person may choose about a rollout, and what it costs them of their hours."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from analysis import rollout_choices
from analysis.models import Job, PositionAnswer, Question
from analysis.pages.board_json import question_shown
from analysis.questions import A_DAY
from analysis.rolling import roll_once
from backgammon.engines.sage import house_engine
from harness.logins import logged_in
from house.parts import HousePart
from tests.analysis.files import golden
from tests.analysis.test_imports import brought
from tests.api.conftest import Program
from tests.house_settings import house_has

pytestmark = pytest.mark.django_db

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
CUBE = OPENING.replace(":31:", ":00:")
SHORT = {"trials": 36, "turns": 2, "play": "24/23 13/10"}


def asked(person: User, language: str = "en", **fields: Any) -> Any:
    client = logged_in(Client(headers={"accept-language": language}), person)
    return client.post("/analysis/ask/", {"xgid": OPENING, "depth": "rollout", **fields})


def estimated(person: User, **fields: Any) -> Any:
    client = logged_in(Client(headers={"accept-language": "en"}), person)
    return client.post("/analysis/estimate/", {"xgid": OPENING, **fields})


@pytest.mark.slow
def test_a_rollout_goes_as_it_was_chosen(magriel: User) -> None:
    assert asked(magriel, **SHORT, plies=2, cube="false").status_code == 202
    question = Question.objects.get()
    assert json.loads(question.choices) == {
        **SHORT,
        "plies": 2,
        "cube": False,
    }
    assert roll_once(house_engine())
    assert not roll_once(house_engine())
    question.refresh_from_db()
    told = question_shown(question)["answer"]
    assert (told["trials"], told["turns"], told["ply"], told["cube"]) == (36, 2, 2, False)
    assert [option["text"] for option in told["options"] if option["own"]] == ["24/23 13/10"]
    usual = asked(magriel)
    assert usual.json()["state"] == "waiting", "that is another question"
    assert usual.json()["id"] != str(question.pk)
    assert asked(magriel, **SHORT, plies=2, cube="false").json()["answer"]["trials"] == 36
    assert PositionAnswer.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"trials": 35}, "trials", "greater than or equal to 36"),
        ({"trials": 5185}, "trials", "less than or equal to 5184"),
        ({"trials": "many"}, "trials", "valid integer"),
        ({"turns": 26}, "turns", "less than or equal to 25"),
        ({"plies": 3}, "plies", "less than or equal to 2"),
        ({"cube": "perhaps"}, "cube", "boolean"),
        ({"play": "24/23"}, "play", "no play of this roll"),
        ({"play": "hello"}, "play", "no play of this roll"),
        ({"xgid": CUBE, "play": "8/5 6/5"}, "play", "choose a roll"),
        ({"xgid": CUBE, "cube": "false"}, "cube", "the cube is the question"),
    ],
)
def test_what_cannot_be_chosen_is_named_beside_its_field(
    magriel: User, fields: dict[str, Any], field: str, words: str
) -> None:
    for answer, status in ((asked(magriel, **fields), 400), (estimated(magriel, **fields), 200)):
        assert answer.status_code == status
        assert words in answer.json()["error"]["fields"][field]
    assert not Question.objects.exists()


def test_faults_are_named_in_german(magriel: User) -> None:
    fields = asked(magriel, "de", trials=1).json()["error"]["fields"]
    assert "größer oder gleich 36" in fields["trials"]
    assert asked(magriel, "de", play="x").json()["error"]["fields"]["play"].startswith("Das ist")


def test_the_estimate_says_what_it_takes_and_what_is_left(magriel: User) -> None:
    house_has(HousePart.LIMITS, engine_hours_per_week=1)
    told = estimated(magriel, trials=3600, turns=7).json()
    assert told == {"seconds": 529, "seconds_left": 1800}
    assert estimated(magriel, trials=3600, turns=7, plies=2).json()["seconds"] == 1285
    assert not Question.objects.exists()


def test_chosen_rollouts_count_towards_the_hours_of_a_week(magriel: User, hilde: User) -> None:
    house_has(HousePart.LIMITS, engine_hours_per_week=1)
    brought(magriel, golden().encode())
    Job.objects.update(done_at="2026-11-28T12:00Z", seconds=0)
    long = {"trials": 5184, "turns": 15}
    assert asked(magriel, **long).status_code == 202
    left = estimated(magriel, **long).json()["seconds_left"]
    assert asked(magriel, **long).status_code == 202, "it is there already"
    assert estimated(magriel, **long).json()["seconds_left"] == left
    assert asked(magriel, **long, plies=2).json()["error"]["code"] == "rollout_too_long"
    for number in (14, 13):
        asked(magriel, trials=5184, turns=number)
    assert Question.objects.count() == 2
    refused = asked(magriel, "de", trials=5184, turns=12).json()["error"]
    assert refused["code"] == "rollout_too_long"
    assert "Minuten Rechenzeit; du hast jetzt" in refused["message"]
    assert asked(magriel, trials=36).status_code == 202, "a short one fits in"
    assert asked(magriel).status_code == 202, "the usual one has its own limit"
    assert asked(hilde, trials=5184, turns=12).status_code == 202


def test_a_rollout_that_is_refused_as_too_long_is_not_one_of_the_ten(magriel: User) -> None:
    house_has(HousePart.LIMITS, engine_hours_per_week=1)
    long = {"trials": 5184, "turns": 15, "plies": 2}
    for _time in range(A_DAY["rollout"].count + 1):
        assert asked(magriel, **long).json()["error"]["code"] == "rollout_too_long"
    for trials in range(1, A_DAY["rollout"].count + 1):
        assert asked(magriel, **SHORT | {"trials": 36 * trials}).status_code == 202
    assert asked(magriel, **SHORT, plies=2).json()["error"]["code"] == "asked_too_much"


@pytest.mark.slow
def test_long_rollouts_come_after_the_usual_ones(magriel: User, hilde: User) -> None:
    asked(magriel, trials=5184)
    asked(hilde)
    assert roll_once(house_engine())
    assert [q.choices for q in Question.objects.filter(rollout__line__isnull=False)] == [""]


def test_programs_choose_alike(magriel: User) -> None:
    program = Program(magriel)
    body = {"position": OPENING, "rollout": SHORT}
    told = program.post("analysis/positions/estimate/", body).json()
    assert told["seconds"] == 2
    begun = program.post("analysis/positions/", {**body, "depth": "rollout"})
    assert begun.status_code == 202
    assert roll_once(house_engine())
    answer = program.get(f"analysis/positions/{begun.json()['id']}/").json()["answer"]
    assert (answer["trials"], answer["turns"], answer["cube"]) == (36, 2, True)
    assert [each["own"] for each in answer["options"]].count(True) == 1
    for wrong in ({"trials": 1}, {"play": "x"}, {"colour": "red"}):
        bad = {"position": OPENING, "depth": "rollout", "rollout": wrong}
        refused = program.post("analysis/positions/", bad)
        assert refused.status_code == 400
        assert "rollout" in json.dumps(refused.json())


def test_a_visitor_is_told_the_estimate_and_has_nothing_left() -> None:
    answer = Client().post("/analysis/estimate/", {"xgid": OPENING, "trials": 36})
    assert answer.json()["seconds_left"] == 0
    assert rollout_choices.TRIALS[0] == 36
