"""bgsage, the engine, by its compiled functions: boards with cube and score in, equities out.

The package's own `BgBotAnalyzer` builds its nets anew from 9 MB of files for every cube decision
and holds the GIL meanwhile. Here the nets are loaded once in each process, on first use, and every
call works on them. `backgammon/tests/evaluation/test_sage.py` compares the answers of both.

Bear-offs that the exact table has are looked up, however deep the question is.

The engine writes a board as 26 numbers: the opponent's bar, the points 1 to 24 with the mover's
checkers positive, the mover's bar. All equities are in points of the present cube.
"""

from functools import cache, lru_cache
from typing import Any, Final

from backgammon.evaluation import bearoff
from backgammon.evaluation.stakes import Chances, CubeWorth, Owner, Stakes, cubeless, turned
from backgammon.rules.position import Position

Board = tuple[int, ...]

#: the variants whose plays and cube it judges.
VARIANTS: Final = frozenset({"backgammon", "nackgammon", "hypergammon", "short_nardi"})

_NAMES: Final[dict[Owner, str]] = {
    "centred": "CENTERED",
    "mine": "PLAYER",
    "theirs": "OPPONENT",
}

#: the search of a doubled cube may choose other plays than the one that weighs the double.
_NEAR: Final = 0.05

#: the checkers of a side before it bears off.
CHECKERS: Final = 15

#: every roll of two dice, and how many of the 36 it stands for.
ROLLS: Final = tuple((a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1))


class _Nets:
    """The nets and the table of bear-offs, loaded."""

    def __init__(self) -> None:
        # here, because few processes ever need them; the packages carry no types
        import bgbot_cpp  # type: ignore[import-not-found] # it has no types
        from bgsage.weights import (  # type: ignore[import-untyped] # it has no types
            bearoff_db_path,
            default_weights,
        )

        self.cpp: Any = bgbot_cpp
        weights = default_weights()
        self.files = (
            weights.strategy_type,
            weights.weight_paths_list,
            weights.hidden_sizes_list,
        )
        bare = bgbot_cpp.create_strategy(*self.files)
        self.bearoff: Any = bgbot_cpp.BearoffDB()
        self.net: Any = bare
        if self.bearoff.load(bearoff_db_path() or ""):
            self.net = bgbot_cpp.BearoffStrategy(bare, self.bearoff)
        else:
            self.bearoff = None
        self.owners = {name: getattr(bgbot_cpp.CubeOwner, ours) for name, ours in _NAMES.items()}

    @cache  # noqa: B019 - there is one object of this class in a process
    def tree(self, plies: int) -> Any:
        """The search without a cube, so many plies deep."""
        tree = self.cpp.create_multipy(*self.files, n_plies=plies, parallel_evaluate=False)
        if self.bearoff is not None:
            self.cpp.multipy_set_bearoff_db(tree, self.bearoff)
        return tree


@cache
def _nets() -> _Nets:
    return _Nets()


def board_of(position: Position) -> Board:
    """A position as the engine writes it."""
    return (position.bar[1], *position.points, position.bar[0])


def flipped(board: Board) -> Board:
    """The board as the opponent sees it."""
    return (board[25], *(-count for count in board[24:0:-1]), board[0])


def match_chance(away: tuple[int, int], crawford_over: bool) -> float:
    """The chance of the player who needs the first number to win the match (Kazaross-XG2)."""
    return float(_nets().cpp.get_met(*away, crawford_over))


def after_play(board: Board, before: Board, stakes: Stakes, plies: int) -> tuple[float, Chances]:
    """The equity and the chances of the player who has just moved from `before` to `board`."""
    exact = bearoff.after_play(board, stakes)
    if exact is not None:
        return exact
    if plies == 1:
        chances = _chances_after(board, before)
        return play_by(chances, board, stakes), chances
    nets = _nets()
    if stakes.to_the_end:
        tree = nets.tree(plies)
        chances = _five(tree.evaluate_board(board, before)["probs"])
        tree.clear_cache()
        return cubeless(chances), chances
    told = nets.cpp.cubeful_probs_and_equity_nply(
        flipped(board), *_search(stakes.flipped(), plies), root_board=before
    )
    return -float(told["equity"]), turned(_five(told["probs"]))


@lru_cache(maxsize=64)  # the luck of a roll needs what the decision before it needed
def before_roll(board: Board, stakes: Stakes, plies: int) -> CubeWorth:
    """The equity of the player on roll without a double and with one, whoever owns the cube."""
    exact = bearoff.before_roll(board, stakes)
    if exact is not None:
        return exact
    if stakes.to_the_end:
        equity, chances = after_play(flipped(board), flipped(board), stakes.flipped(), plies)
        return CubeWorth(-equity, -2 * equity, turned(chances))
    if plies == 1:
        chances = turned(_chances_after(flipped(board), flipped(board)))
        no_double, double_take = cube_by(chances, board, stakes)
        return CubeWorth(no_double, double_take, chances)
    told = _nets().cpp.cubeful_probs_and_equity_nply(board, *_search(stakes, plies))
    double_take = _double_take(board, stakes, plies)
    return CubeWorth(
        _no_double(board, stakes, plies, float(told["equity"]), double_take),
        double_take,
        _five(told["probs"]),
    )


def mean_of_rolls(board: Board, stakes: Stakes) -> float:
    """The mean of `best_of_roll` over the 36 rolls."""
    if stakes.may_double or stakes.to_the_end or bearoff.covers(board, stakes):
        return before_roll(board, stakes, 2).no_double
    return float(_nets().cpp.cubeful_equity_nply(board, *_search(stakes, 2)))


def best_of_roll(board: Board, stakes: Stakes, first: int, second: int) -> float:
    """The equity of the best play of a roll, by the bare net, before the opponent may double."""
    return -_on_roll(flipped(_after_roll(board, stakes, first, second)), stakes.flipped(), 1)


def _after_roll(board: Board, stakes: Stakes, first: int, second: int) -> Board:
    """The board after the best play of a roll, by the bare net."""
    found = boards_after(board, first, second)
    return max(found, key=lambda after: after_play(after, after, stakes, 1)[0])


def boards_after(board: Board, first: int, second: int) -> list[Board]:
    """Every board that a play of this roll leads to; the board itself if none is possible."""
    found = [tuple(after) for after in _nets().cpp.possible_moves(board, first, second)]
    return found or [board]


def worth_after(board: Board, stakes: Stakes) -> float:
    """The equity of the player who has just moved, by the bare net; exact if that ended the game.

    The engine's own estimate knows no game that has ended: it would still give the cube a worth.
    """
    points = int(_nets().cpp.check_game_over(board))
    if points:
        return worth_of_end(points, stakes)
    return after_play(board, board, stakes, 1)[0]


def has_ended(board: Board) -> bool:
    """Whether one side has borne off all of its checkers."""
    return bool(_nets().cpp.check_game_over(board))


def worth_of_end(points: int, stakes: Stakes) -> float:
    """The equity of an ending: 1, 2 or 3 for a win, with a minus for a loss."""
    if not stakes.is_match:
        plain = stakes.jacoby and stakes.owner == "centred"
        return (1.0 if points > 0 else -1.0) if plain else float(points)
    won = [float(points >= least) for least in (1, 2, 3)]
    chances = (*won, float(points <= -2), float(points <= -3))
    cpp, at = _nets().cpp, (*stakes.away, stakes.cube_value, stakes.crawford)
    return float(cpp.mwc2eq(cpp.cubeless_mwc(chances, *at), *at))


def in_terms_of(first: Stakes, equity: float, stakes: Stakes) -> float:
    """An equity at `stakes` in points of an earlier cube of the same game, seen by one player."""
    if not stakes.is_match:
        return equity * stakes.cube_value / first.cube_value
    cpp = _nets().cpp
    chance = cpp.eq2mwc(equity, *stakes.away, stakes.cube_value, stakes.crawford)
    return float(cpp.mwc2eq(chance, *first.away, first.cube_value, first.crawford))


def _chances_after(board: Board, before: Board) -> Chances:
    """The bare net's answer for the player who has just moved, of what the board can still give."""
    return _possible(_five(_nets().net.evaluate_board(board, before)["probs"]), board)


def _possible(chances: Chances, board: Board) -> Chances:
    """The chances without gammons against a player who has borne off a checker.

    The bare net gives them where the sides still meet; the engine's searches leave them out.
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    points = board[1:25]
    if board[0] - sum(count for count in points if count < 0) < CHECKERS:
        gammon = backgammon = 0.0
    if board[25] + sum(count for count in points if count > 0) < CHECKERS:
        lost_gammon = lost_backgammon = 0.0
    return (win, gammon, backgammon, lost_gammon, lost_backgammon)


def _five(chances: list[float]) -> Chances:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return (win, gammon, backgammon, lost_gammon, lost_backgammon)


def play_by(chances: Chances, board: Board, stakes: Stakes) -> float:
    """Janowski's estimate of the equity with the cube, after a play to `board`."""
    if stakes.to_the_end:
        return cubeless(chances)
    nets = _nets()
    owner, efficiency = nets.owners[stakes.owner], _efficiency(chances, board)
    if not stakes.is_match:
        jacoby = stakes.jacoby and stakes.owner == "centred"
        return float(nets.cpp.cl2cf_money(chances, owner, efficiency, jacoby))
    return float(
        nets.cpp.cl2cf(
            *(chances, stakes.cube_value, owner, efficiency),
            *(*stakes.away, stakes.no_cube, False),
        )
    )


def cube_by(chances: Chances, board: Board, stakes: Stakes) -> tuple[float, float]:
    """Janowski's estimate of not doubling and of a double that is taken, before the roll."""
    nets = _nets()
    told = nets.cpp.cube_decision_1ply(
        *(chances, stakes.cube_value, nets.owners[stakes.owner], _efficiency(chances, board)),
        *(*stakes.away, stakes.no_cube, stakes.jacoby),
    )
    return float(told.equity_nd), float(told.equity_dt)


def _efficiency(chances: Chances, board: Board) -> float:
    cpp = _nets().cpp
    return float(cpp.cube_efficiency(chances, cpp.is_race(board), *cpp.pip_counts(board)))


def _search(stakes: Stakes, plies: int) -> tuple[Any, ...]:
    """The arguments of a search after its board: one thread, and the engine's usual filter."""
    nets = _nets()
    filter_moves, filter_equity, threads = 5, 0.08, 1
    return (
        *(nets.owners[stakes.owner], nets.net, plies, filter_moves, filter_equity, threads),
        *(stakes.cube_value, *stakes.away, stakes.no_cube, stakes.jacoby, stakes.beavers),
        nets.bearoff,
    )


def _double_take(board: Board, stakes: Stakes, plies: int) -> float:
    """The equity after a double that was taken, in points of the cube before it."""
    cpp, after = _nets().cpp, stakes.doubled()
    equity = float(cpp.cubeful_equity_nply(board, *_search(after, plies)))
    if not stakes.is_match:
        return 2 * equity
    chance = cpp.eq2mwc(equity, *after.away, after.cube_value, after.crawford)
    return float(cpp.mwc2eq(chance, *stakes.away, stakes.cube_value, stakes.crawford))


def _no_double(
    board: Board, stakes: Stakes, plies: int, equity: float, double_take: float
) -> float:
    """The equity without a double, from that of the position and that of a double taken.

    The search gives a position the better of doubling and not doubling. If that is far from what
    doubling gives, it is the answer; else the rolls are gone through one by one.
    """
    doubled = min(double_take, 1.0, 2 * double_take if stakes.beavers else 1.0)
    if not stakes.may_double or abs(equity - doubled) > _NEAR:
        return equity
    total = sum(
        weight * -_on_roll(flipped(_after_roll(board, stakes, a, b)), stakes.flipped(), plies - 1)
        for a, b, weight in ROLLS
    )
    return total / 36


def _on_roll(board: Board, stakes: Stakes, plies: int) -> float:
    """The equity of the player on roll, who doubles if that is better."""
    exact = bearoff.before_roll(board, stakes)
    if exact is not None:
        return bearoff.to_decide(exact, stakes)
    if stakes.to_the_end:
        return -after_play(flipped(board), flipped(board), stakes.flipped(), plies)[0]
    if plies > 1:
        return float(_nets().cpp.cubeful_equity_nply(board, *_search(stakes, plies)))
    chances = turned(_chances_after(flipped(board), flipped(board)))
    no_double, double_take = cube_by(chances, board, stakes)
    return max(no_double, min(double_take, 1.0)) if stakes.may_double else no_double
