"""Matches as files contain them, and decisions out of them."""

from typing import TypeVar

from backgammon.counting.decisions import Decision, decisions
from backgammon.formats.mat_reader import parse_mat

T = TypeVar("T", bound=Decision)

HEAD = " {length} point match\n\n Game 1\n anna : {score[0]}        ben : {score[1]}\n"


def mat(*rows: str, length: int = 5, score: tuple[int, int] = (0, 0)) -> str:
    """A .mat file of one game; each row is the left cell and the right one."""
    lines = [f" {number:2}) {row}" for number, row in enumerate(rows, start=1)]
    return HEAD.format(length=length, score=score) + "\n".join(lines) + "\n"


def row(left: str, right: str = "") -> str:
    """The cells of a row in their columns."""
    return f"{left:30} {right}".rstrip()


def decided(*rows: str, length: int = 5, score: tuple[int, int] = (0, 0)) -> list[Decision]:
    """The decisions of a game."""
    return list(decisions(parse_mat(mat(*rows, length=length, score=score))))


def only(found: list[Decision], kind: type[T]) -> list[T]:
    """The decisions of one kind."""
    return [decision for decision in found if isinstance(decision, kind)]
