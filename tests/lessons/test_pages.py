"""The pages of the lessons, with and without scripts, and the progress of strangers and people."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lessons.answer import right_choice
from games.lessons.registry import ALL, by_key
from games.models import LearntStep
from games.services import learning
from kit import throttle

pytestmark = pytest.mark.django_db

JSON = {"accept": "application/json"}


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def hilde() -> User:
    return User.objects.create_user("hilde", password="quite-a-long-secret")


def address(lesson: str, step: str) -> str:
    return reverse("lesson_step", args=[lesson, by_key(lesson).number(step)])


def attempt(client: Client, lesson: str, step: str, **fields: str) -> dict[str, object]:
    response = client.post(address(lesson, step), fields, headers=JSON)
    assert response.status_code == 200, response.content
    return response.json()


def stored(person: User) -> dict[tuple[str, str], bool]:
    rows = LearntStep.objects.filter(person=person)
    return {(row.lesson, row.step): row.solved for row in rows}


def page_data(page: str) -> dict[str, object]:
    found = re.search(r'<script id="lesson-data"[^>]*>(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_every_lesson_and_step_has_its_page(visitor: Client) -> None:
    assert visitor.get(reverse("learn")).status_code == 200
    for lesson in ALL:
        for number in range(1, len(lesson.steps) + 1):
            assert visitor.get(reverse("lesson_step", args=[lesson.key, number])).status_code == 200
        missing = reverse("lesson_step", args=[lesson.key, len(lesson.steps) + 1])
        assert visitor.get(missing).status_code == 404
    assert visitor.get(reverse("lesson", args=["no-such-lesson"])).status_code == 404
    assert visitor.get(reverse("lesson_step", args=["way", 0])).status_code == 404


def test_a_page_contains_no_accepted_play_and_no_reply(visitor: Client) -> None:
    """Neither as an attribute nor in the data of the script."""
    page = visitor.get(address("hitting", "cover")).content.decode()
    step = by_key("hitting").steps[by_key("hitting").number("cover") - 1]
    assert step.right not in page
    assert all(wrong.text not in page for wrong in step.wrong)
    steps = page_data(page)["steps"]
    assert isinstance(steps, list)
    assert {"right", "accepts", "wrong"}.isdisjoint(steps[0])
    assert all(set(choice) == {"key", "label"} for choice in steps[0]["choices"])


def test_tries_are_answered(visitor: Client) -> None:
    given = attempt(visitor, "hitting", "hit", play="24/18")
    assert given["verdict"] == "wrong"
    assert given["moves"] == [[24, 18, 6]]
    assert "24/18 hits nothing" in str(given["text"])
    assert attempt(visitor, "hitting", "hit", play="19/13")["verdict"] == "illegal"
    assert attempt(visitor, "hitting", "hit", play="13/7*")["verdict"] == "right"
    assert attempt(visitor, "hitting", "blots", choice="one")["verdict"] == "wrong"
    assert attempt(visitor, "hitting", "blots", choice="three")["verdict"] == "right"


def test_what_is_no_try_is_refused_and_stores_nothing(visitor: Client, hilde: User) -> None:
    visitor.force_login(hilde)
    for lesson, step, fields in (
        ("hitting", "blots", {"play": "13/7"}),
        ("hitting", "blots", {"choice": "four"}),
        ("hitting", "blots", {}),
        ("hitting", "hit", {"choice": "three"}),
    ):
        assert visitor.post(address(lesson, step), fields).status_code == 400
    assert attempt(visitor, "hitting", "hit", play="9" * 10_000)["verdict"] == "illegal"
    assert stored(hilde) == {}


def test_a_try_needs_the_token_of_the_page() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(address("hitting", "hit"), {"play": "13/7"}).status_code == 403


def test_without_scripts_the_answer_is_on_the_page(visitor: Client) -> None:
    page = visitor.post(address("hitting", "hit"), {"play": "13/7"}).content.decode()
    assert 'data-verdict="right"' in page
    assert by_key("hitting").steps[1].right in page
    assert "<noscript>" in page
    assert 'class="bg bg-drawing"' in page


def test_german_pages_are_german(visitor: Client) -> None:
    german = Client(headers={"accept-language": "de"})
    assert "Schlagen und die Bar" in german.get(reverse("learn")).content.decode()
    given = attempt(german, "hitting", "hit", play="24/18")
    assert given["title"] == "Nicht ganz"


def test_a_solved_step_is_stored_and_a_shown_one_is_seen(visitor: Client, hilde: User) -> None:
    visitor.force_login(hilde)
    assert attempt(visitor, "hitting", "hit", show="1")["verdict"] == "shown"
    assert stored(hilde) == {("hitting", "hit"): False}
    attempt(visitor, "hitting", "hit", play="24/18")
    assert stored(hilde) == {("hitting", "hit"): False}
    attempt(visitor, "hitting", "hit", play="13/7")
    attempt(visitor, "hitting", "hit", show="1")
    assert stored(hilde) == {("hitting", "hit"): True}, "what is solved stays so"


def test_a_stranger_goes_on_where_they_stopped(visitor: Client) -> None:
    attempt(visitor, "way", "run", play="24/13")
    attempt(visitor, "way", "home", show="1")
    page = visitor.get(reverse("lesson", args=["way"]))
    assert page.context["shown"]["number"] == 2, "the first step that is not solved"
    overview = visitor.get(reverse("learn"))
    assert (overview.context["steps_done"], overview.context["lessons_done"]) == (1, 0)
    assert overview.context["upcoming"]["states"] == ["solved", "shown", ""]
    assert not LearntStep.objects.exists()


def test_progress_moves_to_the_account_of_a_login(visitor: Client, hilde: User) -> None:
    LearntStep.objects.create(person=hilde, lesson="way", step="home", solved=True)
    LearntStep.objects.create(person=hilde, lesson="way", step="run", solved=False)
    attempt(visitor, "way", "run", play="24/13")
    attempt(visitor, "way", "home", show="1")
    login = {"login": "hilde", "password": "quite-a-long-secret"}
    assert visitor.post(reverse("account_login"), login).status_code == 302
    assert stored(hilde) == {("way", "run"): True, ("way", "home"): True}
    assert learning.SESSION_KEY not in visitor.session


def test_progress_moves_to_a_new_account(visitor: Client) -> None:
    """Also that of a guest, who has played against the bot meanwhile."""
    attempt(visitor, "way", "run", play="24/13")
    visitor.post(reverse("practice_open"), {"strength": "beginner", "variant": "backgammon"})
    secret = "quite-a-long-secret"
    form = {"username": "marlene", "password1": secret, "email": ""}
    visitor.post(reverse("account_signup"), form)
    assert stored(User.objects.get(username="marlene")) == {("way", "run"): True}


def test_steps_that_have_left_the_course_count_for_nothing(visitor: Client, hilde: User) -> None:
    LearntStep.objects.create(person=hilde, lesson="way", step="gone", solved=True)
    visitor.force_login(hilde)
    assert visitor.get(reverse("learn")).context["steps_done"] == 0


def test_a_network_begins_a_limited_number_of_sessions(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "SESSIONS", throttle.Rate(1, 3600))
    assert attempt(visitor, "way", "run", play="24/13")["verdict"] == "right"
    assert attempt(visitor, "way", "home", play="13/5")["verdict"] == "right"
    second = Client()
    assert attempt(second, "way", "run", play="24/13")["verdict"] == "right"
    assert len(visitor.session[learning.SESSION_KEY]) == 2, "a session that exists goes on"
    assert not second.cookies.get("session"), "answered, but not stored"


def test_all_lessons_can_be_finished(visitor: Client, hilde: User) -> None:
    visitor.force_login(hilde)
    for lesson in ALL:
        for step in lesson.steps:
            fields = {"choice": right_choice(step)} if step.choices else {"play": step.accepts[0]}
            assert attempt(visitor, lesson.key, step.key, **fields)["verdict"] == "right"
    overview = visitor.get(reverse("learn")).context
    assert overview["upcoming"] is None
    assert overview["lessons_done"] == overview["lessons"] == len(ALL)
