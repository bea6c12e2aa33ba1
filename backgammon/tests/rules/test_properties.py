"""Properties of every position and roll of every variant."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backgammon.rules.errors import InvalidPosition, RulesError
from backgammon.rules.moves import Move
from backgammon.rules.packed import pack, unpack
from backgammon.rules.position import Position, Way
from backgammon.rules.scoring import leave_level, resignation_levels
from backgammon.rules.variant import Variant
from backgammon.rules.variants import KEYS, by_key
from backgammon.tests.amounts import amount
from backgammon.tests.rules.strategies import positions, situations, variants, words

Situation = tuple[Variant, Position, tuple[int, ...], bool]
SEQUENCES = 40
claim = settings(max_examples=amount(50, long=300), deadline=None)


def checkers(position: Position, sign: int, seat: int) -> int:
    on_top = sum(sign * count for count in position.points if sign * count > 0)
    beneath = sum(1 for point in position.pinned if sign * position.points[point - 1] < 0)
    return on_top + beneath + position.bar[seat] + position.off[seat] + position.hand[seat]


@claim
@given(situations())
def test_no_play_loses_or_makes_a_checker(situation: Situation) -> None:
    variant, position, dice, first = situation
    for result in variant.legal_plays(position, dice, first_turn=first).results:
        assert checkers(result, 1, 0) == checkers(result, -1, 1) == variant.checkers
        variant.check(result)


@claim
@given(situations())
def test_every_sequence_leads_to_a_result_and_every_result_has_a_sequence(
    situation: Situation,
) -> None:
    variant, position, dice, first = situation
    plays = variant.legal_plays(position, dice, first_turn=first)
    assume(plays.count() <= 3_000)
    assert {plays.graph.follow(moves) for moves in plays} == plays.results
    assert sum(1 for _ in plays) == plays.count()


@claim
@given(situations())
def test_every_sequence_uses_the_most_dice_or_ends_the_game(situation: Situation) -> None:
    variant, position, dice, first = situation
    plays = variant.legal_plays(position, dice, first_turn=first)
    for moves in islice(plays, SEQUENCES):
        over = variant.outcome(plays.graph.follow(moves)) is not None
        assert len(moves) == plays.dice_played or (over and len(moves) < plays.dice_played)
        single = list(variant.single_dice(dice))
        for move in moves:
            single.remove(move.die)


@claim
@given(situations())
def test_every_move_of_a_play_is_legal_by_itself(situation: Situation) -> None:
    """A move inside a play is a move that its die alone allows on the board it is made on."""
    variant, position, dice, first = situation
    plays = variant.legal_plays(position, dice, first_turn=first)
    for node, edges in enumerate(plays.graph.nodes):
        here = plays.graph.position(node)
        for edge in edges:
            after = plays.graph.position(edge.next)
            assert moved(variant, here, Move(*edge[:3])) == after


def moved(variant: Variant, position: Position, move: Move) -> Position:
    """The position after one move, checker by checker, without the engine."""
    points, pinned = list(position.points), set(position.pinned)
    bar, off, hand = [list(tray) for tray in (position.bar, position.off, position.hand)]
    if move.source == 25:
        tray = bar if bar[0] else hand
        tray[0] -= 1
    else:
        points[move.source - 1] -= 1
        if not points[move.source - 1] and move.source in pinned:
            pinned.remove(move.source)
            points[move.source - 1] = -1
    if move.target == 0:
        off[0] += 1
    else:
        there = points[move.target - 1]
        assert there >= -1
        if there == -1 and variant.movement.pins:
            pinned.add(move.target)
        elif there == -1:
            bar[1] += 1
        points[move.target - 1] = 1 if there == -1 else there + 1
    trays = [(tray[0], tray[1]) for tray in (bar, off, hand)]
    return Position(tuple(points), *trays, tuple(sorted(pinned)))


@claim
@given(situations())
def test_the_order_of_the_dice_does_not_matter(situation: Situation) -> None:
    variant, position, dice, first = situation
    plays = variant.legal_plays(position, dice, first_turn=first)
    turned = variant.legal_plays(position, dice[::-1], first_turn=first)
    assert plays.results == turned.results


@claim
@given(situations())
def test_edges_lead_to_higher_numbers_and_every_node_is_reached(situation: Situation) -> None:
    variant, position, dice, first = situation
    wire = variant.legal_plays(position, dice, first_turn=first).graph.wire()
    reached = {0}
    for node, edges in enumerate(wire):
        assert node in reached
        reached |= {edge[3] for edge in edges}
        assert all(edge[3] > node for edge in edges)
    assert reached == set(range(len(wire)))


@claim
@given(variants, st.data())
def test_a_position_survives_its_text_packing_and_turning(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    assert Position.parse(position.text()) == position
    assert unpack(*pack(position), pins=variant.movement.pins) == position
    for way in Way:
        assert position.turned(way).turned(way) == position
    assert position.turned(variant.way).pips(variant.way) == position.pips(variant.way)[::-1]
    assert position.turned(variant.way).contact(variant.way) == position.contact(variant.way)


@claim
@given(variants, st.data())
def test_a_play_never_takes_more_pips_than_the_roll_shows(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    mine, his = position.pips(variant.way)
    for result in variant.legal_plays(position, (3, 2, 1)[: variant.dice_count]).results:
        mine_after, his_after = result.pips(variant.way)
        assert mine - 6 <= mine_after <= mine
        assert his_after >= his


@claim
@given(situations())
def test_leaving_never_costs_less_than_the_game_can_still_score(situation: Situation) -> None:
    variant, position, dice, first = situation
    before = leave_level(variant, position)
    assert set(resignation_levels(variant, position)) <= set(range(1, before + 1))
    for result in variant.legal_plays(position, dice, first_turn=first).results:
        assert leave_level(variant, result) <= before


@claim
@given(st.sampled_from(KEYS), words | st.text(), st.lists(st.integers(-1, 8), max_size=4))
def test_bad_input_raises_only_our_errors(key: str, text: str, dice: list[int]) -> None:
    with suppress(RulesError):
        by_key(key).legal_plays(Position.parse(text), dice)


@claim
@given(
    st.sampled_from(KEYS),
    st.lists(st.integers(-20, 20), min_size=20, max_size=28),
    st.tuples(st.integers(-5, 20), st.integers(-5, 20)),
    st.tuples(st.integers(-5, 20), st.integers(-5, 20)),
    st.lists(st.integers(-1, 30), max_size=3),
)
def test_impossible_positions_raise_only_our_error(
    key: str, points: list[int], bar: tuple[int, int], off: tuple[int, int], pinned: list[int]
) -> None:
    variant = by_key(key)
    position = Position(tuple(points), bar, off, (0, 0), tuple(pinned))
    for ask in (
        lambda: variant.legal_plays(position, (1,) * variant.dice_count),
        lambda: variant.outcome(position),
        lambda: leave_level(variant, position),
    ):
        with suppress(InvalidPosition):
            ask()


@claim
@given(situations(), st.lists(st.tuples(*[st.integers(-1, 26)] * 3), max_size=5))
def test_a_play_that_is_not_listed_is_refused(
    situation: Situation, numbers: list[tuple[int, int, int]]
) -> None:
    variant, position, dice, first = situation
    plays = variant.legal_plays(position, dice, first_turn=first)
    moves = tuple(Move(*triple) for triple in numbers)
    assume(plays.count() <= 3_000)
    assert (moves in plays) == (moves in set(plays))
