"""Boards and plays as they occur in games, for property tests of the notations."""

from hypothesis import strategies as st

from backgammon.rules.moves import Move
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL, by_key

faces = st.integers(1, 6)


@st.composite
def boards(draw: st.DrawFn, checkers: int = 15) -> Position:
    """Any board of the backgammon family, reachable or not."""
    points, bar, off = [0] * 24, [0, 0], [0, 0]
    for side in (0, 1):
        for place in draw(st.lists(st.integers(-1, 24), min_size=checkers, max_size=checkers)):
            sign = -1 if side else 1
            if place == 24 or (place >= 0 and points[place] * sign < 0):
                bar[side] += 1
            elif place == -1:
                off[side] += 1
            else:
                points[place] += sign
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def walk(plays: LegalPlays, choose: st.DataObject) -> tuple[Move, ...]:
    """One of the legal plays, chosen edge by edge."""
    moves: list[Move] = []
    node = 0
    while edges := plays.graph.nodes[node]:
        edge = choose.draw(st.sampled_from(edges))
        moves.append(Move(edge.source, edge.target, edge.die))
        node = edge.next
    return tuple(moves)


def positions_of_play(
    variant: Variant, choose: st.DataObject, turns_max: int = 60
) -> tuple[Position, tuple[int, ...]]:
    """A position some turns into a game and a roll to play there."""
    position = variant.start
    turns = choose.draw(st.integers(0, turns_max))
    rolls = st.tuples(*[faces] * variant.dice_count)
    for turn in range(turns):
        plays = variant.legal_plays(position, choose.draw(rolls), first_turn=turn < 2)
        after = plays.graph.position(len(plays.graph.nodes) - 1)
        if variant.outcome(after) is not None:
            break
        position = after.turned(variant.way)
    return position, choose.draw(rolls)


variants = st.sampled_from(ALL)
standard = by_key("backgammon")
