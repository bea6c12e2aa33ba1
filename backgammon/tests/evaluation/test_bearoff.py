"""The exact table of bear-offs against the rules, hand-counted positions and a slow recursion."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from backgammon.analysis.depths import DEPTHS, judged
from backgammon.bots import engine
from backgammon.counting.decisions import DecisionPlace, Doubling
from backgammon.counting.judging import EXACT
from backgammon.counting.positions import decision_of, roll_of, situation_of, xgid_of
from backgammon.counting.situation import Situation
from backgammon.engines.sage import house_engine
from backgammon.evaluation import bearoff, sage
from backgammon.evaluation.bearoff_table import ALL, UNIT, Arrangement
from backgammon.evaluation.sage import ROLLS
from backgammon.evaluation.stakes import CubeWorth, Owner, Stakes
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

MONEY = Stakes()
OWNERS: tuple[Owner, ...] = ("centred", "mine", "theirs")

#: an equity is kept in units, a double counts two of them, and a reply may have been doubled.
ROUNDED = 2 / UNIT


def position(mine: Arrangement, theirs: Arrangement) -> Position:
    """The position of the player on roll, each side by its points 1 to 6."""
    points = (*mine, *[0] * 12, *(-count for count in reversed(theirs)))
    return Position(points, off=(15 - sum(mine), 15 - sum(theirs)))


def known(mine: Arrangement, theirs: Arrangement, stakes: Stakes = MONEY) -> CubeWorth:
    worth = bearoff.before_roll(sage.board_of(position(mine, theirs)), stakes)
    assert worth is not None, "the table has it"
    return worth


#: own checkers, the opponent's, of 36 rolls those that bear off all, by counting them.
LAST_ROLLS = (
    ((1, 0, 0, 0, 0, 0), 36),
    ((2, 0, 0, 0, 0, 0), 36),
    ((0, 0, 0, 0, 0, 1), 27),  # all but 1-1 and the eight rolls of less than six pips
    ((0, 1, 0, 0, 1, 0), 19),
    ((0, 0, 0, 0, 0, 2), 4),  # 3-3 bears off two from the six point, and so do 4-4 to 6-6
    ((3, 0, 0, 0, 0, 0), 6),  # only doubles take off three
    ((0, 0, 0, 0, 4, 0), 2),  # 5-5 and 6-6
    ((5, 0, 0, 0, 0, 0), 0),
)


@pytest.mark.parametrize(("mine", "good"), LAST_ROLLS)
def test_a_last_roll_is_worth_its_good_rolls(mine: Arrangement, good: int) -> None:
    """The opponent bears off next, so the cube is worth double and nobody turns it again."""
    worth = known(mine, (1, 0, 0, 0, 0, 0))
    expected = 2 * good / 36 - 1
    assert worth.chances[0] == pytest.approx(good / 36, abs=ROUNDED)
    assert worth.no_double == pytest.approx(expected, abs=ROUNDED)
    assert worth.double_take == pytest.approx(2 * expected, abs=ROUNDED)


def test_a_side_that_may_miss_once_doubles_out() -> None:
    """Four on the ace, on roll, against two on the six point, which go with 4 of 36 rolls."""
    worth = known((4, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 2))
    after_a_miss = 1 - 2 * 4 / 36  # the opponent has one roll, and doubles with neither cube
    expected = 6 / 36 + 30 / 36 * after_a_miss
    assert worth.chances[0] == pytest.approx((1 + expected) / 2, abs=ROUNDED)
    assert worth.no_double == pytest.approx(expected, abs=ROUNDED)
    assert worth.double_take == pytest.approx(2 * expected, abs=ROUNDED)


@cache
def results(mine: Arrangement) -> tuple[tuple[int, tuple[Arrangement, ...]], ...]:
    """For each roll its weight and where the plays lead, by the rules of the library."""
    start = position(mine, (0, 0, 0, 0, 0, 1))
    found = []
    for high, low, weight in ROLLS:
        plays = by_key("backgammon").legal_plays(start, (high, low))
        found.append((weight, tuple(result.points[:6] for result in plays.results)))
    return tuple(found)


@dataclass(frozen=True)
class Slow:
    """The equity before the roll by plain recursion in double precision, without a table."""

    @cache  # noqa: B019 - one object lives as long as this module
    def rolled(self, mine: Arrangement, theirs: Arrangement, owner: Owner | None) -> float:
        reply: Owner | None = (
            {"centred": "centred", "mine": "theirs", "theirs": "mine"}[owner] if owner else None
        )
        total = 0.0
        for weight, afters in results(mine):
            total += weight * max(
                -self.decided(theirs, after, reply) if any(after) else 1.0 for after in afters
            )
        return total / 36

    def decided(self, mine: Arrangement, theirs: Arrangement, owner: Owner | None) -> float:
        rolled = self.rolled(mine, theirs, owner)
        if owner in (None, "theirs"):
            return rolled
        return max(rolled, min(1.0, 2 * self.rolled(mine, theirs, "theirs")))


SLOW = Slow()


def arrangements(
    count: int, seed: int, fits: Callable[[Arrangement], bool]
) -> Iterator[Arrangement]:
    chance, found = random.Random(seed), [each for each in ALL[1:] if fits(each)]
    for _ in range(count):
        yield chance.choice(found)


def few(arrangement: Arrangement) -> bool:
    return sum(arrangement) <= 3


def test_a_slow_recursion_finds_the_same_equities() -> None:
    for mine, theirs in zip(arrangements(12, 1, few), arrangements(12, 2, few), strict=True):
        for owner in OWNERS:
            worth = known(mine, theirs, Stakes(owner=owner))
            expected = SLOW.rolled(mine, theirs, owner)
            assert worth.no_double == pytest.approx(expected, abs=ROUNDED / 2), (mine, theirs)
        taken = 2 * SLOW.rolled(mine, theirs, "theirs")
        assert known(mine, theirs).double_take == pytest.approx(taken, abs=ROUNDED)
        win = (1 + SLOW.rolled(mine, theirs, None)) / 2
        assert known(mine, theirs).chances[0] == pytest.approx(win, abs=ROUNDED)


def test_every_entry_is_the_mean_of_the_best_replies() -> None:
    """One ply of the rules over the table gives the table, for positions of every size."""
    every = [
        *zip(arrangements(60, 3, any), arrangements(60, 4, any), strict=True),
        (ALL[-1], ALL[-1]),
        (ALL[-1], ALL[1]),
        (ALL[1], ALL[-1]),
    ]
    for mine, theirs in every:
        for stakes in (*(Stakes(owner=owner) for owner in OWNERS), Stakes(has_cube=False)):
            total = 0.0
            for weight, afters in results(mine):
                boards = (sage.board_of(position(after, theirs)) for after in afters)
                total += weight * max(sage.after_play(b, b, stakes, 1)[0] for b in boards)
            worth = known(mine, theirs, stakes).no_double
            assert worth == pytest.approx(total / 36, abs=ROUNDED), (mine, theirs, stakes)


def test_more_rights_to_the_cube_are_never_worth_less() -> None:
    table = bearoff.table().astype(int)
    _, centred, mine, theirs = table
    assert (theirs <= centred + 1).all()
    assert (centred <= mine + 1).all()
    assert abs(table).max() == UNIT


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize("beavers", [False, True])
def test_jacoby_and_beavers_change_nothing(jacoby: bool, beavers: bool) -> None:
    """No gammon can be lost, and nobody doubles who would be beavered."""
    for mine, theirs in zip(arrangements(5, 5, any), arrangements(5, 6, any), strict=True):
        stakes = Stakes(jacoby=jacoby, beavers=beavers)
        assert known(mine, theirs, stakes) == known(mine, theirs)


def test_a_score_is_known_only_where_no_cube_can_change_anything() -> None:
    board = sage.board_of(position((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)))
    for at in (
        Stakes(away=(1, 1)),
        Stakes(away=(1, 4), crawford=True),
        Stakes(2, "mine", away=(2, 1)),
    ):
        worth = bearoff.before_roll(board, at)
        assert worth is not None
        assert (worth.no_double, worth.chances[0]) == (0.5, 0.75)
        assert sage.after_play(board, board, at, 2)[0] == -1.0  # the other side rolls, and is off
    for at in (Stakes(away=(3, 3)), Stakes(away=(2, 1)), Stakes(2, "theirs", away=(2, 3))):
        assert bearoff.before_roll(board, at) is None


@pytest.mark.parametrize(
    "line",
    [
        "-G----------------------a-",  # seven checkers
        "-A-----A----------------a-",  # one outside home
        "-A---------------------a-A",  # on the bar
        "aA----------------------a-",
        "-aA---------------------a-",  # behind the opponent
    ],
)
def test_other_positions_are_not_in_the_table(line: str) -> None:
    situation = situation_of(xgid_of(f"XGID={line}:0:0:1:00:0:0:0:0:10"))
    assert not bearoff.covers(sage.board_of(situation.position), MONEY)


# --- through the engines --------------------------------------------------------------------------

#: a drop that every depth once called a take (1.087).
DROP = "XGID=-AAAAA----------------bba-:0:0:1:00:0:0:0:0:10"
PLACE = DecisionPlace(1, 1, 0)


@pytest.mark.parametrize("depth", DEPTHS)
def test_every_depth_finds_the_drop(depth: str) -> None:
    situation = situation_of(xgid_of(DROP))
    judgement = judged(Doubling(PLACE, situation, doubled=False), house_engine(), depth)  # type: ignore[arg-type]  # bgsage is behind it
    assert judgement.cube is not None
    assert judgement.cube.double_take == pytest.approx(1.0873, abs=0.0005)
    assert judgement.best == "double"
    assert judgement.ply == EXACT


def test_a_bot_and_a_hint_know_it_at_once() -> None:
    worth = engine.cube_worth(situation_of(xgid_of(DROP)))
    assert worth.double_take == house_engine().cube(situation_of(xgid_of(DROP)), 3).double_take


def test_the_plays_of_a_roll_are_exact_and_their_luck_is_fair() -> None:
    situation = situation_of(xgid_of(DROP))
    total = 0.0
    for high, low, weight in ROLLS:
        play = roll_of(situation, (high, low))
        values = house_engine().plays(play, 2)
        assert {value.ply for value in values} == {EXACT}
        assert values[0].equity == max(engine.plays_worth(situation, [v.result for v in values]))
        total += weight * house_engine().luck(play)
    assert total / 36 == pytest.approx(0.0, abs=ROUNDED)


def test_a_roll_into_the_table_is_exact_only_if_every_play_is() -> None:
    into = "XGID=-B--BC-----------------aa-:0:0:1:{}:0:0:0:0:10"
    both = decision_of(xgid_of(into.format("54")))
    assert {value.ply for value in house_engine().plays(both, 1)} == {EXACT}  # type: ignore[arg-type]  # bgsage is behind it
    some = decision_of(xgid_of(into.format("32")))
    assert {value.ply for value in house_engine().plays(some, 1)} == {1}  # type: ignore[arg-type]  # bgsage is behind it


def test_three_checkers_of_hypergammon_may_still_lose_a_gammon() -> None:
    three = Position((1, 1, 1, *[0] * 18, -1, -1, -1))
    situation = Situation(three, variant="hypergammon")
    assert house_engine().cube(situation, 1).ply == 1
    backgammon = Situation(position((1, 1, 1, 0, 0, 0), (1, 1, 1, 0, 0, 0)))
    assert house_engine().cube(backgammon, 1).ply == EXACT
