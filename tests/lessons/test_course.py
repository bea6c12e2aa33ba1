"""Every step of every lesson keeps to the rules, by the engine's judgement."""

import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.bots import engine
from backgammon.counting.situation import Situation
from backgammon.rules.moves import Move
from backgammon.rules.notation import parse_play
from backgammon.rules.variants import by_key as variant_by_key
from games.lessons.answer import (
    NoPlayAsked,
    NoSuchChoice,
    answer_choice,
    answer_play,
    graph,
    right_choice,
    solution,
)
from games.lessons.lesson import UNFINISHED, UNREADABLE, Lesson, Step
from games.lessons.registry import ALL, FIRST, NoSuchLesson, by_key, next_after, steps
from games.models import LearntStep
from games.services import learning
from kit import throttle

pytestmark = pytest.mark.django_db

BACKGAMMON = variant_by_key("backgammon")
EVERY = [pytest.param(step, id=f"{lesson.key}/{step.key}") for lesson, step in steps()]
PLAYS = [each for each in EVERY if not each.values[0].is_question]
QUESTIONS = [each for each in EVERY if each.values[0].is_question]


def step_at(lesson: str, key: str) -> Step:
    course = by_key(lesson)
    return course.steps[course.number(key) - 1]


def tries(step: Step) -> Iterator[tuple[Move, ...]]:
    """Every way to move that the board offers."""
    links = graph(step)

    def walk(node: int, made: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        if not links[node]:
            yield made
        for source, target, die, after in links[node]:
            yield from walk(after, (*made, Move(source, target, die)))

    return walk(0, ())


def written(moves: tuple[Move, ...]) -> str:
    return " ".join(f"{move.source}/{move.target}" for move in moves)


@pytest.mark.parametrize("step", EVERY)
def test_the_position_can_stand(step: Step) -> None:
    BACKGAMMON.check(step.position)


@pytest.mark.parametrize("step", PLAYS)
def test_accepted_plays_are_legal_and_solve_the_step(step: Step) -> None:
    assert step.accepts, "a task without an accepted play cannot be solved"
    assert step.right, "a right answer needs its sentence"
    for text in step.accepts:
        assert answer_play(step, text).verdict == "right", text
        if not step.first_only:
            parse_play(BACKGAMMON, step.position, step.dice or (), text)
    assert solution(step), "the solution can be shown"


@pytest.mark.parametrize("step", PLAYS)
def test_every_try_that_the_board_offers_gets_an_answer(step: Step) -> None:
    for moves in tries(step):
        given = answer_play(step, written(moves))
        assert given.verdict in ("right", "wrong"), written(moves)
        assert sorted(map(str, given.moves)) == sorted(map(str, moves)) or not step.first_only
        assert given.text


@pytest.mark.parametrize("step", PLAYS)
def test_every_named_mistake_can_be_made(step: Step) -> None:
    """A legal one by a try on the board, an illegal one by what is typed."""
    answers = {answer_play(step, written(moves)) for moves in tries(step)}
    found = {given.text for given in answers if given.verdict == "wrong"}
    for wrong in step.wrong:
        if wrong.illegal:
            given = answer_play(step, wrong.moves)
            assert (given.verdict, given.text) == ("illegal", wrong.text), wrong.moves
        else:
            assert wrong.text in found, wrong.moves


@pytest.mark.parametrize("step", PLAYS)
def test_the_arrows_show_a_way_to_the_solution(step: Step) -> None:
    if not step.arrows:
        return
    text = " ".join(f"{source}/{target}" for source, target in step.arrows)
    assert answer_play(step, text).verdict == "right"


@pytest.mark.parametrize("step", QUESTIONS)
def test_a_question_has_one_right_choice_and_a_reply_to_each(step: Step) -> None:
    verdicts = [answer_choice(step, choice.key).verdict for choice in step.choices]
    assert verdicts.count("right") == 1
    assert len({choice.key for choice in step.choices}) == len(step.choices) >= 2
    assert answer_choice(step, right_choice(step)).verdict == "right"
    assert all(choice.text for choice in step.choices)
    with pytest.raises(NoSuchChoice):
        answer_choice(step, "no-such-choice")
    with pytest.raises(NoPlayAsked):
        answer_play(step, "13/7")


@pytest.mark.parametrize("text", ["", "nonsense", "13/7/", "7/13", "99/1", "13/7 " * 40, "\x00"])
def test_text_that_is_no_play_gets_an_explanation(text: str) -> None:
    given = answer_play(step_at("hitting", "hit"), text)
    assert given.verdict == "illegal"
    if text:
        assert given.text == UNREADABLE


def test_one_move_is_asked_for_where_the_step_says_so() -> None:
    step = step_at("hitting", "hit")
    assert answer_play(step, "13/7*").verdict == "right"
    assert answer_play(step, "13/7* 8/7").verdict == "illegal"


def test_a_play_that_is_begun_well_is_to_be_finished() -> None:
    given = answer_play(step_at("hitting", "cover"), "13/7*")
    assert (given.verdict, given.text) == ("illegal", UNFINISHED)
    assert answer_play(step_at("doubles", "far"), "24/22 22/20").text == UNFINISHED


def test_the_course_is_in_order_and_has_no_key_twice() -> None:
    assert len({lesson.key for lesson in ALL}) == len(ALL) == 10
    for lesson in ALL:
        assert len({step.key for step in lesson.steps}) == len(lesson.steps)
        assert [lesson.number(step.key) for step in lesson.steps] == list(
            range(1, len(lesson.steps) + 1)
        )
        with pytest.raises(KeyError):
            lesson.number("no-such-step")
    assert sum(lesson.minutes for lesson in FIRST) == 5
    following: list[Lesson | None] = [*ALL[1:], None]
    assert [next_after(lesson) for lesson in ALL] == following
    with pytest.raises(NoSuchLesson):
        by_key("no-such-lesson")


# --- claims of single steps -----------------------------------------------------------------------
def test_nothing_can_be_played_against_a_closed_home() -> None:
    step = step_at("hitting", "closed")
    assert step.dice
    assert BACKGAMMON.legal_plays(step.position, step.dice).dice_played == 0


def test_a_checker_on_24_cannot_run_to_13_where_it_would_touch_down() -> None:
    step = step_at("both", "touch")
    assert step.dice
    plays = BACKGAMMON.legal_plays(step.position, step.dice)
    assert all(move.source != 24 for moves in plays for move in moves)


def test_no_roll_passes_the_wall() -> None:
    for lesson, key in (("both", "wall"), ("points", "held")):
        position = step_at(lesson, key).position
        if lesson == "points":  # the other side stands behind the learner's wall
            position = position.turned(BACKGAMMON.way)
        last = max(position.own())
        for one in range(1, 7):
            for two in range(1, 7):
                for moves in BACKGAMMON.legal_plays(position, (one, two)):
                    left = [move for move in moves if move.source > last - 3]
                    assert all(move.target > 15 for move in left), (lesson, one, two)


@pytest.mark.parametrize(("key", "level"), [("single", 1), ("gammon", 2), ("backgammon", 3)])
def test_a_finished_game_counts_what_the_rules_say(key: str, level: int) -> None:
    step = step_at("gammon", key)
    outcome = BACKGAMMON.outcome(step.position)
    assert outcome
    assert (outcome.winner, outcome.level) == ("mover", level)
    assert right_choice(step) == str(level)


def test_the_gammon_is_saved_by_the_accepted_play_alone() -> None:
    step = step_at("gammon", "save")
    assert step.dice
    off = {position.off[0] for position in BACKGAMMON.legal_plays(step.position, step.dice).results}
    assert off == {0, 1}


def test_a_double_is_right_where_the_lesson_doubles() -> None:
    step = step_at("cube", "double")
    assert step.position.pips() == (63, 70)
    worth = engine.cube_worth(Situation(step.position))
    assert min(worth.double_take, 1) > worth.no_double + 0.02


@pytest.mark.parametrize(("key", "taken"), [("take", True), ("drop", False)])
def test_a_double_is_taken_where_the_lesson_takes(key: str, taken: bool) -> None:
    """The engine, which doubles for the other side, gets less than 1 where taking is right."""
    position = step_at("cube", key).position.turned(BACKGAMMON.way)
    worth = engine.cube_worth(Situation(position))
    assert abs(worth.double_take - 1) > 0.05, "clear enough for a lesson"
    assert (worth.double_take < 1) == taken
    if taken:  # a little more than one game in four is won
        assert 0.25 < (1 - worth.outright) / 2 < 0.3
    assert min(worth.double_take, 1) > worth.no_double, "and the double is right"


# --- the pages ------------------------------------------------------------------------------------
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
