"""A move: one checker carried by one die. A play is a tuple of moves, one whole turn."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

BAR = 25
"""Where a move comes from when its checker enters, from the bar or from the hand."""

OFF = 0
"""Where a move goes when its checker is borne off."""


class Move(msgspec.Struct, frozen=True, gc=False):
    """One checker from `source` to `target` with one `die`, points in the mover's numbering.

    `source` is 25 for a checker on the bar or in the hand, `target` is 0 for a checker borne off;
    then `die` may be larger than the distance.
    """

    source: int
    target: int
    die: int


class Edge(NamedTuple):
    """A move inside a play graph; `next` is the number of the node it leads to."""

    source: int
    target: int
    die: int
    next: int
