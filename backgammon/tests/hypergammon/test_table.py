"""The worth of positions: counted by hand, by the rules, and out of a file."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from backgammon.evaluation.hypergammon import table as kept
from backgammon.evaluation.hypergammon.arrangements import COUNT, GONE, NUMBER, position_of
from backgammon.evaluation.hypergammon.table import (
    COLUMNS,
    HEADER_BYTES,
    HypergammonTable,
    HypergammonTableError,
    header,
    opened,
)
from backgammon.evaluation.stakes import Stakes
from backgammon.rules.position import Position
from backgammon.tests.hypergammon.conftest import HOME
from backgammon.train.hypergammon.checking import BY_HAND as CASES
from backgammon.train.hypergammon.checking import (
    CUBES,
    hand_position,
    random_positions,
    residuals,
    wrong_by_hand,
    wrong_order,
)

BYTES = HEADER_BYTES + 4 * len(COLUMNS) * COUNT * COUNT


def last_positions(count: int) -> list[Position]:
    chance, places = Random(4), [number for number in HOME if number != GONE]
    return [position_of(chance.choice(places), chance.choice(places)) for _ in range(count)]


def empty_file(path: Path, head: bytes, size: int = BYTES) -> Path:
    """A file of that size which takes no room: the system keeps no zeros."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


def test_last_positions_are_worth_what_the_pencil_says(ending: HypergammonTable) -> None:
    assert wrong_by_hand(ending) == []
    assert len(CASES) == 5


def test_a_position_is_worth_the_mean_of_its_best_plays(ending: HypergammonTable) -> None:
    assert max(residuals(ending, last_positions(60))) < 1e-5


def test_the_checks_find_a_wrong_entry(ending: HypergammonTable) -> None:
    wrong = HypergammonTable(ending.entries.copy(), "")
    six, one = NUMBER[0, 0, 6], NUMBER[0, 0, 1]
    wrong.entries[six, one, COLUMNS.index("win")] += 0.01
    assert len(wrong_by_hand(wrong)) == 1
    assert max(residuals(wrong, [position_of(six, one)])) > 1e-3
    wrong.entries[six, one, COLUMNS.index("gammon")] = 0.9
    wrong.entries[six, one, COLUMNS.index("theirs")] = 0.9
    assert len(wrong_order(wrong)) == 3
    assert wrong_order(ending) == []


def test_a_game_that_has_ended_counts_what_the_cube_lets_it(ending: HypergammonTable) -> None:
    position = position_of(GONE, NUMBER[4, 5, 6])
    worth = [ending.after_play(position, cube)[0] for cube in CUBES]
    assert worth == [2, 2, 2, 2, 1, 1]  # Jacoby's rule, and nobody has doubled
    assert ending.after_play(position, CUBES[0])[1] == (1, 1, 0, 0, 0)


def test_the_cube_is_offered_taken_and_dropped(ending: HypergammonTable) -> None:
    drop = ending.before_roll(hand_position(CASES[1]), Stakes())  # wins 27 of 36
    assert (drop.no_double, drop.double_take) == (pytest.approx(0.5), pytest.approx(1.0))
    lost = ending.before_roll(hand_position(CASES[4]), Stakes())
    assert lost.double_take == pytest.approx(2 * lost.no_double)
    assert lost.no_double == pytest.approx(-1 / 6, abs=1e-5)


def test_random_positions_can_stand_in_the_game() -> None:
    assert len(set(random_positions(40, 7))) == 40


def test_a_file_is_mapped(tmp_path: Path) -> None:
    table = opened(empty_file(tmp_path / "table", header("a" * 128)))
    assert table.digest == "a" * 128
    assert isinstance(table.entries, np.memmap)
    assert table.entry(position_of(5, 6)) == (0.0,) * len(COLUMNS)


@pytest.mark.parametrize(
    ("head", "size", "reason"),
    [
        (b"something else", BYTES, "no table"),
        (b"[]".ljust(HEADER_BYTES), BYTES, "no table"),
        (header("a").replace(b'"version": 1', b'"version": 9'), BYTES, "version 9"),
        (header("a"), BYTES - 4, "not whole"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, head: bytes, size: int, reason: str) -> None:
    path = empty_file(tmp_path / "table", head, size)
    with pytest.raises(HypergammonTableError, match=reason):
        opened(path)
    try:
        kept.keep_at(path)
        assert kept.kept_table() is None
    finally:
        kept.keep_at(None)


def test_a_table_is_found_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "table"
    try:
        kept.keep_at(path)
        assert kept.kept_table() is None
        empty_file(path, header("b"))
        found = kept.kept_table()
        assert found is not None
        assert kept.kept_table() is found
    finally:
        kept.keep_at(None)
    assert kept.kept_table() is None
