"""The answer to a try: whether it solves the step, and the sentence that says why.

Legal plays are those of the engine; a step has no rules of its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from backgammon.rules.errors import AmbiguousPlay, IllegalPlay, NotationError
from backgammon.rules.moves import Move
from backgammon.rules.notation import Hop, match_hops, parse_hops
from backgammon.rules.plays import LegalPlays, Wire
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from games.lessons.lesson import ILLEGAL, UNFINISHED, UNREADABLE, Step, Wrong

Verdict = Literal["right", "wrong", "illegal"]


class NoSuchChoice(Exception):
    """The step is no question, or has no such choice."""

    code = "no_such_choice"


class NoPlayAsked(Exception):
    """The step is a question, not a task with dice."""

    code = "no_play_asked"


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The result of a try. `moves` were tried; none if the try was illegal or a choice."""

    verdict: Verdict
    text: str
    moves: tuple[Move, ...] = ()


def graph(step: Step) -> Wire:
    """The plays that the learner may try, as a client gets them: `[[[from, to, die, next]]]`."""
    links = _plays(step).graph.wire()
    if not step.first_only:
        return links
    first = links[0]
    ends: list[list[tuple[int, int, int, int]]] = [[] for _ in first]
    return [
        [(source, target, die, at) for at, (source, target, die, _) in enumerate(first, 1)],
        *ends,
    ]


def answer_play(step: Step, text: str) -> LessonAnswer:
    """The answer to a play in notation. Raises `NoPlayAsked`."""
    if step.dice is None or step.is_question:
        raise NoPlayAsked(f"{step.key}: a question")
    try:
        hops = parse_hops(text)
    except NotationError:
        return LessonAnswer("illegal", UNREADABLE)
    try:
        moves, result = _tried(step, hops)
    except (IllegalPlay, AmbiguousPlay):
        made = [(hop.source, hop.target) for hop in hops]
        if made and _begins(graph(step), 0, made):
            return LessonAnswer("illegal", UNFINISHED)
        named = _named(step, made, illegal=True)
        return LessonAnswer("illegal", named.text if named else ILLEGAL)
    if result in _accepted(step):
        return LessonAnswer("right", step.right, moves)
    named = _named(step, {(move.source, move.target) for move in moves}, illegal=False)
    return LessonAnswer("wrong", named.text if named else step.otherwise, moves)


def answer_choice(step: Step, key: str) -> LessonAnswer:
    """The answer to a choice of a question. Raises `NoSuchChoice`."""
    for choice in step.choices:
        if choice.key == key:
            return LessonAnswer("right" if choice.right else "wrong", choice.text)
    raise NoSuchChoice(f"{step.key}: no choice {key!r}")


def solution(step: Step) -> tuple[Move, ...]:
    """The moves of the accepted play that is shown on request; () for a question."""
    return _tried(step, parse_hops(step.accepts[0]))[0] if step.accepts else ()


def right_choice(step: Step) -> str:
    """The key of the right choice; "" for a task with dice."""
    return next((choice.key for choice in step.choices if choice.right), "")


@lru_cache(maxsize=256)
def _plays(step: Step) -> LegalPlays:
    if step.dice is None:
        raise NoPlayAsked(f"{step.key}: no dice")
    return by_key("backgammon").legal_plays(step.position, step.dice)


@lru_cache(maxsize=256)
def _accepted(step: Step) -> frozenset[Position]:
    return frozenset(_tried(step, parse_hops(text))[1] for text in step.accepts)


def _tried(step: Step, hops: tuple[Hop, ...]) -> tuple[tuple[Move, ...], Position]:
    """The moves that hops mean, and the position they lead to. Raises `IllegalPlay`."""
    plays = _plays(step)
    if not step.first_only:
        moves = match_hops(step.position, plays, hops)
        return moves, plays.graph.follow(moves)
    for edge in plays.graph.nodes[0]:
        if [(hop.source, hop.target) for hop in hops] == [(edge.source, edge.target)]:
            return (Move(edge.source, edge.target, edge.die),), plays.graph.position(edge.next)
    raise IllegalPlay("one legal move is asked for")


def _begins(links: Wire, node: int, moves: list[tuple[int, int]]) -> bool:
    """Whether some legal play begins with exactly these moves, in any order."""
    if not moves:
        return True
    for source, target, _, after in links[node]:
        if (source, target) in moves:
            left = list(moves)
            left.remove((source, target))
            if _begins(links, after, left):
                return True
    return False


def _named(step: Step, moves: Iterable[tuple[int, int]], *, illegal: bool) -> Wrong | None:
    """The first mistake of the step that these moves contain."""
    made = set(moves)
    for wrong in step.wrong:
        parts = {(hop.source, hop.target) for hop in parse_hops(wrong.moves)}
        if wrong.illegal == illegal and parts <= made:
            return wrong
    return None
