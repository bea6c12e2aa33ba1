"""Writing and reading plays: one canonical form, tolerant parsing, distinct errors."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules.errors import AmbiguousPlay, IllegalPlay, NotationError, RulesError
from backgammon.rules.moves import Move
from backgammon.rules.notation import (
    Hop,
    format_play,
    match_hops,
    match_play,
    parse_hops,
    parse_play,
)
from backgammon.rules.position import Position
from backgammon.rules.variant import Options, Variant
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.tests.notation.strategies import positions_of_play, standard, variants, walk

START = standard.start


def board(own: dict[int, int], other: dict[int, int], bar: tuple[int, int] = (0, 0)) -> Position:
    """A standard position from points in the mover's numbering; the rest is borne off."""
    points = [own.get(p, 0) - other.get(p, 0) for p in range(1, 25)]
    off = (15 - sum(own.values()) - bar[0], 15 - sum(other.values()) - bar[1])
    return Position(tuple(points), bar, off)


def rewritten(position: Position, dice: tuple[int, ...], text: str) -> str:
    """The canonical form of `text`."""
    return format_play(standard, position, parse_play(standard, position, dice, text))


@pytest.mark.parametrize(
    ("dice", "text", "canonical"),
    [
        ((3, 1), "8/5 6/5", "8/5 6/5"),
        ((3, 1), "6/5 8/5", "8/5 6/5"),
        ((3, 1), "8/5, 6/5", "8/5 6/5"),
        ((6, 5), "24/13", "24/13"),
        ((6, 5), "24/18 18/13", "24/13"),
        ((6, 5), "18/13 24/18", "24/13"),
        ((6, 5), "24/18/13", "24/13"),
        ((1, 1), "8/7(2) 6/5(2)", "8/7(2) 6/5(2)"),
        ((1, 1), "8/7 6/5 8/7 6/5", "8/7(2) 6/5(2)"),
        ((6, 6), "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
        ((4, 4), "24/16 13/9(2)", "24/16 13/9(2)"),
        ((2, 2), "13/5", "13/5"),
    ],
)
def test_openings_have_one_canonical_form(dice: tuple[int, int], text: str, canonical: str) -> None:
    assert rewritten(START, dice, text) == canonical


BAR_AND_BLOTS = board({6: 5, 8: 3}, {20: 1, 21: 1, 19: 1, 14: 2}, bar=(2, 0))


@pytest.mark.parametrize(
    ("dice", "text", "canonical"),
    [
        ((5, 4), "bar/21* bar/20*", "bar/21* bar/20*"),
        ((5, 4), "25/21 25/20", "bar/21* bar/20*"),
        ((5, 5), "BAR/20(2) 8/3(2)", "bar/20* bar/20 8/3(2)"),
        ((5, 5), "bar/20*(2) 8/3(2)", "bar/20* bar/20 8/3(2)"),
    ],
)
def test_entering_and_hitting(dice: tuple[int, int], text: str, canonical: str) -> None:
    assert rewritten(BAR_AND_BLOTS, dice, text) == canonical


@pytest.mark.parametrize(
    ("dice", "text"),
    [((6, 1), "6/5/off"), ((6, 1), "6/off 3/2"), ((6, 6), "6/off 3/off(2)")],
)
def test_bearing_off_reads_all_spellings(dice: tuple[int, int], text: str) -> None:
    position = board({6: 1, 3: 2}, {24: 2})
    assert rewritten(position, dice, text) == text.replace("/5/off", "/off")
    assert rewritten(position, dice, text.replace("off", "0")) == text.replace("/5/off", "/off")


TWO_WAYS = board({24: 1, 6: 5}, {18: 1, 20: 1, 1: 2})


def test_a_hit_on_the_way_is_told_apart_by_its_star() -> None:
    by_18 = parse_play(standard, TWO_WAYS, (6, 4), "24/18*/14")
    by_20 = parse_play(standard, TWO_WAYS, (6, 4), "24/20*/14")
    assert by_18 == (Move(24, 18, 6), Move(18, 14, 4))
    assert by_20 == (Move(24, 20, 4), Move(20, 14, 6))
    assert format_play(standard, TWO_WAYS, by_18) == "24/18*/14"


def test_the_point_on_the_way_is_enough() -> None:
    assert rewritten(TWO_WAYS, (6, 4), "24/18 18/14") == "24/18*/14"


def test_two_different_hits_without_a_word_are_ambiguous() -> None:
    with pytest.raises(AmbiguousPlay, match="20 and 18"):
        parse_play(standard, TWO_WAYS, (6, 4), "24/14")


def test_no_star_means_the_way_without_a_hit_if_there_is_one() -> None:
    position = board({24: 1, 6: 5}, {18: 1, 1: 2})
    assert parse_play(standard, position, (6, 4), "24/14")[0] == Move(24, 20, 4)
    assert rewritten(position, (6, 4), "24/14") == "24/14"
    assert rewritten(position, (6, 4), "24/18*/14") == "24/18*/14"


def test_a_star_where_nothing_is_hit() -> None:
    with pytest.raises(IllegalPlay, match="no checker is hit on 5"):
        parse_play(standard, START, (3, 1), "8/5* 6/5")
    plays = standard.legal_plays(START, (3, 1))
    assert match_hops(START, plays, parse_hops("8/5* 6/5"), strict=False)


def test_a_point_on_the_way_that_no_die_leads_to() -> None:
    """GNU Backgammon itself writes 10/off with 6-5 as 10/4 4/off, though 5 is still occupied."""
    position = board({10: 1, 5: 1, 4: 1}, {1: 2})
    with pytest.raises(IllegalPlay):
        parse_play(standard, position, (6, 5), "10/4 4/off")
    plays = standard.legal_plays(position, (6, 5))
    hops = parse_hops("10/4 4/off")
    assert match_hops(position, plays, hops, strict=False) == (Move(10, 5, 5), Move(5, 0, 6))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("8/5 6", 6),
        ("8/5 6/", 7),
        ("8/5 6-5", 6),
        ("8/26", 3),
        ("8/5 5/8", 7),
        ("8/8", 3),
        ("8/5*/5", 6),
        ("8*/5", 1),
        ("8/5(0)", 4),
        ("8/5(5)", 4),
        ("8/5(2", 4),
        ("8/5(22222222222)", 4),
        ("8/5 x/3", 5),
        ("8/5 off/3", 9),
        ("²/1", 1),
    ],
)
def test_what_is_no_notation_names_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hops(text)
    assert (caught.value.column, caught.value.text) == (column, text)


def test_too_many_moves_are_cut_off_early() -> None:
    with pytest.raises(NotationError, match="more moves"):
        parse_hops("8/7 " * 1000)


def test_hops_are_read_without_asking_the_rules() -> None:
    assert parse_hops("bar/20* 9/off") == (Hop(25, 20, hit=True), Hop(9, 0))
    assert str(Hop(25, 0)) == "bar/off"


CLOSED_OUT = board({6: 2, 8: 2}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2}, bar=(1, 0))


@pytest.mark.parametrize(
    ("position", "dice", "text", "message"),
    [
        (START, (3, 1), "7/4 6/5", "7/4: no checker on 7"),
        (START, (3, 1), "8/4 6/5", "together no legal play"),
        (START, (3, 1), "8/3 6/5", "8/3: that point cannot be reached"),
        (START, (5, 5), "24/19 13/8(3)", "24/19: that checker cannot be moved"),
        (START, (3, 1), "8/5", "as many dice as possible"),
        (START, (3, 1), "", "cannot be passed"),
        (BAR_AND_BLOTS, (5, 4), "8/3 8/4", "on the bar has to enter first"),
        (CLOSED_OUT, (3, 1), "8/5", "8/5: nothing can be moved"),
    ],
)
def test_illegal_plays_name_the_move(
    position: Position, dice: tuple[int, int], text: str, message: str
) -> None:
    with pytest.raises(IllegalPlay, match=message):
        parse_play(standard, position, dice, text)


def test_a_roll_without_a_move_is_the_empty_text() -> None:
    assert parse_play(standard, CLOSED_OUT, (3, 1), "  ") == ()
    assert format_play(standard, CLOSED_OUT, ()) == ""


def test_two_checkers_may_share_a_hop_at_a_head() -> None:
    """In Fevga the runner has to pass the other head before a second checker leaves its own."""
    points = [0] * 24
    points[23], points[13], points[11], points[22] = 14, 1, -14, -1
    position = Position(tuple(points))
    fevga = by_key("fevga")
    moves = parse_play(fevga, position, (5, 5), "24/4")
    assert {(move.source, move.target) for move in moves} == {(24, 19), (19, 14), (14, 9), (9, 4)}
    assert moves[0] == Move(14, 9, 5)
    assert format_play(fevga, position, moves) == "24/4"


def test_a_shared_hop_goes_before_one_that_hits_otherwise() -> None:
    """A full point lets no checker pass, so 6/off without a star is 1/off and then 6/1."""
    position = board({1: 5, 2: 5, 3: 2, 4: 1, 6: 2}, {5: 1, 11: 1, 15: 2, 17: 1, 22: 5, 23: 4})
    full = Options(max_stack=5)
    moves = parse_play(standard, position, (1, 5), "6/off", options=full)
    assert moves == (Move(1, 0, 1), Move(6, 1, 5))
    assert format_play(standard, position, moves) == "6/off"
    hit = parse_play(standard, position, (1, 5), "6/5*/off", options=full)
    assert hit == (Move(6, 5, 1), Move(5, 0, 5))


def test_hand_and_bar_have_their_own_words() -> None:
    tabula = by_key("tabula")
    entered = parse_play(tabula, tabula.start, (6, 5, 4), "hand/19 in/20 25/21")
    assert format_play(tabula, tabula.start, entered) == "hand/21 hand/20 hand/19"


@pytest.mark.slow
@settings(max_examples=amount(30, long=60), deadline=None)
@given(variants, st.data())
def test_what_is_written_reads_back_to_the_same_result(
    variant: Variant, choose: st.DataObject
) -> None:
    position, dice = positions_of_play(variant, choose)
    plays = variant.legal_plays(position, dice)
    moves = walk(plays, choose)
    read = match_play(position, plays, format_play(variant, position, moves))
    assert plays.graph.follow(read) == plays.graph.follow(moves)


@given(st.text(alphabet="0123456789/*() barofhnd,", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(RulesError):
        parse_play(standard, START, (2, 1), text)
