"""The course: all lessons in their order, in two groups."""

from collections.abc import Iterator
from typing import Final

from games.lessons.course import (
    bearing_off,
    both,
    cube,
    doubles,
    gammon,
    hitting,
    match,
    points,
    two_dice,
    way,
)
from games.lessons.lesson import Lesson, Step

#: enough to play a first game, in about five minutes.
FIRST: Final = (way.LESSON, two_dice.LESSON, doubles.LESSON, hitting.LESSON)

WHOLE: Final = (
    both.LESSON,
    points.LESSON,
    bearing_off.LESSON,
    gammon.LESSON,
    cube.LESSON,
    match.LESSON,
)

ALL: Final = (*FIRST, *WHOLE)

_BY_KEY: Final = {lesson.key: lesson for lesson in ALL}


class NoSuchLesson(KeyError):
    """There is no lesson of this key, or it has no such step."""

    code = "no_such_lesson"


def by_key(key: str) -> Lesson:
    """The lesson of this key. Raises `NoSuchLesson`."""
    try:
        return _BY_KEY[key]
    except KeyError:
        raise NoSuchLesson(key) from None


def number_of(lesson: Lesson) -> int:
    """The number of a lesson in the course, from 1."""
    return ALL.index(lesson) + 1


def next_after(lesson: Lesson) -> Lesson | None:
    """The lesson that follows, or None after the last one."""
    place = number_of(lesson)
    return ALL[place] if place < len(ALL) else None


def steps() -> Iterator[tuple[Lesson, Step]]:
    """Every step of the course, with its lesson."""
    for lesson in ALL:
        for step in lesson.steps:
            yield lesson, step
