"""Plays as arrows: the way of every checker that moves, and two plays of one roll compared.

A page draws them with `{% board_drawing position arrows=... %}`. The kind "best" is a solid arrow,
"played" a dotted one, so that the colour never carries the meaning alone.
"""

from collections.abc import Sequence

from backgammon.pictures.board import Arrow
from backgammon.rules.moves import BAR, OFF, Move
from backgammon.rules.position import Position


def play_arrows(position: Position, moves: Sequence[Move], kind: str = "best") -> list[Arrow]:
    """One arrow for each checker of a play, in the mover's numbers.

    The steps of one checker are joined unless it hits on the way, where the arrow would hide what
    happened.
    """
    ways: list[list[int]] = []
    for move in moves:
        before = next((way for way in ways if way[1] == move.source), None)
        if before is not None and not _hit(position, move.source):
            before[1] = move.target
        else:
            ways.append([move.source, move.target])
    return [Arrow(source, target, kind=kind) for source, target in ways]


def compared_arrows(
    position: Position, best: Sequence[Move], played: Sequence[Move] | None
) -> list[Arrow]:
    """The best play and the one that was made, which lies below; one alone if they are the same."""
    best_arrows = play_arrows(position, best)
    if played is None:
        return best_arrows
    made = play_arrows(position, played, "played")
    if sorted(arrow[:2] for arrow in made) == sorted(arrow[:2] for arrow in best_arrows):
        return best_arrows
    return [*made, *best_arrows]


def _hit(position: Position, point: int) -> bool:
    """Whether a checker that comes to this point hits one there."""
    return point not in (BAR, OFF) and position.points[point - 1] == -1
