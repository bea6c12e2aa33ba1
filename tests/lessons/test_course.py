"""Every step of every lesson keeps to the rules, by the engine's judgement."""

from collections.abc import Iterator

import pytest

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
