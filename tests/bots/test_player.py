"""The house bot: legal everywhere, the same for the same seed, as strong as its level says."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from backgammon.bots.strength import LEVELS, STRENGTHS, STRONGEST, Level, level_of
from backgammon.evaluation import eye, sage
from backgammon.evaluation.nets import trained
from backgammon.evaluation.nets.boards import boards_of, kind_of
from backgammon.evaluation.nets.endings import other_side
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.judge import NetJudge, equities_deep, equities_plain, judge_of
from backgammon.evaluation.nets.net import NetError, loaded
from backgammon.rules.position import Position
from backgammon.rules.variants import KEYS, by_key
from backgammon.tests.amounts import LONG, amount
from bench.bots import contest, judged_games, main, rates
from games.bots.player import answer, owes_answer
from games.bots.plays import judged_by
from games.table import commands as cmd
from games.table.evolve import replay
from harness.bot_games import played_out, practice_rig
from harness.rig import Rig

# of the usual play of each opening roll, the points left and reached
BOOK = {
    (3, 1): ((8, 5, 3), (6, 5, 1)),
    (4, 2): ((8, 4, 4), (6, 4, 2)),
    (6, 1): ((13, 7, 6), (8, 7, 1)),
}
#: the games that only this project's evaluation covers; in two of them a game takes seconds.
OWN_EYE = sorted(set(KEYS) - sage.VARIANTS - (set() if LONG else {"fevga", "gul_bara"}))


@pytest.mark.slow
@pytest.mark.parametrize("variant", KEYS)
def test_a_game_of_every_variant_comes_to_its_end(variant: str) -> None:
    """With the cube as well; the daily run plays only the shortest game."""
    has_cube = by_key(variant).has_cube and (LONG or variant not in {"backgammon", "nackgammon"})
    rig = played_out(variant, 5, (STRONGEST, "beginner"), has_cube=has_cube)
    assert rig.state.phase == "over"
    assert replay(rig.events) == rig.state


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (played_out("hypergammon", 9, ("beginner", "advanced")) for _ in range(2))
    assert one.events == two.events


@pytest.mark.parametrize("dice", BOOK)
def test_the_strongest_opens_by_the_book(dice: tuple[int, int]) -> None:
    rig = practice_rig("backgammon", 1)
    rig.dice = iter([dice])
    rig.give(cmd.Roll(), 0)
    command = answer(rig.state, 0, strength=STRONGEST, seed="")
    assert isinstance(command, cmd.Play)
    assert sorted(command.moves) == sorted(BOOK[dice])


@pytest.mark.slow
def test_the_strongest_beats_the_beginner() -> None:
    games = amount(6, long=24)
    points = 0
    for seed in range(games):
        seats = (STRONGEST, "beginner") if seed % 2 else ("beginner", STRONGEST)
        result = played_out("backgammon", seed, seats, has_cube=False).state.match.last_game
        points += result.points if seats[result.winner] == STRONGEST else -result.points
    assert points > 0


@pytest.mark.slow
@pytest.mark.parametrize("variant", OWN_EYE)
def test_our_own_eye_beats_chance(variant: str) -> None:
    """Against any legal play. In Fevga it is weak: there it wins about as often as it loses."""
    first = 0 if variant == "fevga" else 2
    won = sum(_won_against_chance(variant, first + game) for game in range(amount(1, long=2)))
    assert won > 0


def test_far_ahead_and_far_behind_plays_still_differ() -> None:
    """A flat evaluation there picks any play: as bad as chance for half of the games."""
    tabula = by_key("tabula")
    for hand in ((0, 15), (15, 0)):  # 375 pips apart
        boards = [Position((0,) * 24, hand=hand, off=(off, 0)) for off in (0, 1, 2)]
        worth = [eye.standing(tabula, board) for board in boards]
        assert worth == sorted(set(worth))
        assert max(map(abs, worth)) <= max(tabula.levels)


def _won_against_chance(variant: str, seed: int) -> int:
    rig, chance = practice_rig(variant, seed), Random(seed)
    while rig.state.decider is not None:
        seat = rig.state.decider
        if seat == seed % 2 or rig.state.phase != "play":
            rig.give(answer(rig.state, seat, strength=STRONGEST, seed=""), seat)
        else:
            rig.play_random(chance)
    winner = rig.state.match.last_game.winner
    return 0 if winner is None else 1 if winner == seed % 2 else -1


def standing(points: dict[int, int], off: tuple[int, int]) -> Position:
    """A position of the player on roll with these checkers: own positive."""
    board = [0] * 24
    for point, count in points.items():
        board[point - 1] = count
    return Position(tuple(board), off=off)


def with_position(position: Position) -> Rig:
    """A second turn with these checkers, as the player on roll sees them."""
    rig = practice_rig("backgammon", 1)
    rig.turn()
    state = rig.state
    game = msgspec.structs.replace(state.game, position=position)
    rig.state = msgspec.structs.replace(
        state, match=msgspec.structs.replace(state.match, game=game)
    )
    return rig


def test_the_bot_doubles_and_drops_what_is_clear() -> None:
    """Eight checkers at home against ten: the player on roll is far ahead."""
    rig = with_position(standing({5: 3, 4: 3, 3: 2, 20: -5, 21: -5}, (7, 5)))
    seat = rig.state.game.on_roll
    assert answer(rig.state, seat, strength=STRONGEST, seed="") == cmd.Double()
    rig.give(cmd.Double(), seat)
    assert answer(rig.state, 1 - seat, strength=STRONGEST, seed="") == cmd.Drop()


def test_the_bot_does_not_double_from_behind() -> None:
    rig = with_position(standing({24: 2, 23: 3, 20: 10, 1: -10, 2: -2}, (0, 3)))
    seat = rig.state.game.on_roll
    assert answer(rig.state, seat, strength=STRONGEST, seed="") == cmd.Roll()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_level_accepts_what_it_cannot_better(strength: str) -> None:
    """The loser takes a checker off with the next roll, so a gammon is out of reach."""
    rig = with_position(standing({5: 3, 4: 3, 3: 2, 20: -5, 21: -5, 22: -5}, (7, 0)))
    winner = rig.state.game.on_roll
    rig.turn()
    rig.give(cmd.OfferResignation(level=1), 1 - winner)
    assert answer(rig.state, winner, strength=strength, seed="") == cmd.AcceptResignation()


def test_a_bot_that_owes_nothing_does_nothing() -> None:
    rig = practice_rig("backgammon", 1)
    assert owes_answer(rig.state, 0)
    assert not owes_answer(rig.state, 1)
    assert answer(rig.state, 1, strength=STRONGEST, seed="") is None


def test_the_engine_is_asked_where_it_knows_the_game() -> None:
    assert set(KEYS) >= sage.VARIANTS


# --- the nets -------------------------------------------------------------------------------------
PRESENT = sorted(trained.PRESENT)


def judge(key: str) -> NetJudge:
    found = judge_of(key)
    assert found is not None
    return found


def changed(path: Path, to: Path, **changes: object) -> Path:
    """A copy of the file with other arrays."""
    with np.load(path) as file:
        kept = dict(file) | changes
    np.savez_compressed(to, **kept)
    return to


def test_every_variant_has_a_judge_of_its_own() -> None:
    """The engine, a net, or rules of thumb; the nets are those of the folder."""
    by_net = {key for key in KEYS if judged_by(key) == "net"}
    assert by_net == trained.PRESENT
    assert judged_by("portes") == judged_by("short_nardi") == "engine"


@pytest.mark.parametrize("key", PRESENT)
def test_a_net_is_small_and_has_a_card(key: str) -> None:
    path = trained.path_of(key)
    assert path.stat().st_size < 300_000
    card = json.loads(path.with_suffix(".json").read_text())
    assert card["variant"] == key
    assert card["inputs"] == judge(key).net.inputs.count
    assert card["strength"]["eye"]["games"] >= 2000
    assert card["strength"]["minute"]["wins_percent"] >= 50


@pytest.mark.parametrize("key", PRESENT)
def test_a_net_that_answers_otherwise_is_refused(key: str, tmp_path: Path) -> None:
    """Another unit, other inputs, one changed weight: none is noticed by playing."""
    path, inputs = trained.path_of(key), Inputs(kind_of(by_key(key)))
    with np.load(path) as file:
        hidden = file["array1"] + np.float16(1)
    for name, change in (
        ("unit", {"unit": np.array("relu")}),
        ("version", {"version": np.array(99)}),
        ("weights", {"array1": hidden}),
        ("inputs", {"array0": np.zeros((5, 80), np.float16)}),
    ):
        with pytest.raises(NetError):
            loaded(changed(path, tmp_path / f"{name}.npz", **change), inputs)


@pytest.mark.parametrize("key", PRESENT)
def test_the_mean_over_the_rolls_is_near_the_bare_answer(key: str) -> None:
    """Two plies see the same game as one: on the start they differ by little."""
    variant, net = by_key(key), judge(key)
    boards = boards_of([variant.start])
    two = net.worth(net.before_roll(boards))[0]
    one = net.worth(other_side(net.net.chances(net.kind.turned(boards))))[0]
    # of the most that a game can count: 2, 3 or 15 points
    assert two == pytest.approx(one, abs=max(0.25, 0.03 * net.kind.most))
    assert net.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("key", PRESENT)
def test_a_finished_game_is_worth_what_it_counts(key: str) -> None:
    variant, net = by_key(key), judge(key)
    all_off = variant.start.__class__(
        points=tuple(-min(0, count) * -1 for count in variant.start.points),
        off=(variant.checkers, 0),
        hand=(0, variant.in_hand),
    )
    outcome = variant.outcome(all_off)
    assert outcome is not None
    sign = 1 if outcome.winner == "mover" else -1
    for equities in (equities_plain, equities_deep):
        assert equities(net, [all_off])[0] == pytest.approx(sign * outcome.level, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("key", PRESENT)
def test_a_game_between_bots_comes_to_its_end(key: str) -> None:
    assert played_out(key, 3, (STRONGEST, "beginner")).state.phase == "over"


# --- levels ---------------------------------------------------------------------------------------
GAMES_QUICK = 3
#: seeds that the figures of the levels do not rest on.
FRESH = range(50_000, 50_000 + amount(6, long=20))


def test_every_level_has_a_name_of_its_own() -> None:
    """The name of its player has a space, so that nobody registers it."""
    assert len(set(STRENGTHS)) == len({level.bot for level in LEVELS}) == len(LEVELS)
    assert all(" " in level.bot and len(level.key) <= 16 for level in LEVELS)
    assert STRENGTHS[-1] == STRONGEST


def test_the_levels_that_are_stored_keep_their_players() -> None:
    """A table that runs goes on with the player who sits there."""
    stored = {"beginner": "Mira", "intermediate": "Bodo", "advanced": "Fina", "expert": "Uma"}
    assert {key: level_of(key).bot for key in stored} == {
        key: f"{name} Pasch" for key, name in stored.items()
    }


def test_the_measured_bands_do_not_meet() -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert stronger.measured.high < weaker.measured.low
    for level in LEVELS:
        measured = level.measured
        assert measured.low < measured.pr < measured.high
        assert measured.decisions >= 2_000


@pytest.mark.slow
def test_a_weaker_level_loses_more_in_a_short_sample() -> None:
    """Judged by the bare net, by which the strongest level makes no error at all."""
    found = [rates(key, range(GAMES_QUICK), "quick").pr for key in STRENGTHS]
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0
    assert len(set(found)) == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS[2:4], ids=STRENGTHS[2:4])
def test_a_level_plays_as_well_as_it_says(level: Level) -> None:
    """Games with other dice than those of the figures, judged as these were.

    Two of the levels, as each takes its time; `python -m bench.bots` measures all.
    """
    found = rates(level.key, FRESH, "full")
    assert found.low <= level.measured.high
    assert found.high >= level.measured.low


def test_a_stronger_level_wins_more_points() -> None:
    """Neighbours need hundreds of games to tell apart; these are far apart."""
    assert contest("backgammon", "child", "expert", range(12)).points < 0


def test_a_child_hardly_ever_doubles_and_an_expert_does() -> None:
    doubles = {
        key: sum(
            row.decision.kind == "take"
            for game in judged_games(key, range(GAMES_QUICK), "quick")
            for row in game
        )
        for key in ("child", "expert")
    }
    assert doubles["child"] == 0
    assert doubles["expert"] > 0


def test_the_bench_prints_a_line_for_each_level_and_pair(capsys) -> None:
    wanted = ["--games", "1", "--contests", "2", "--depth", "quick", "--levels", "child", "expert"]
    assert main([*wanted, "--json"]) == 0
    assert [line.split('"')[3] for line in capsys.readouterr().out.splitlines()] == [
        "child",
        "expert",
        "backgammon",
        "backgammon",
    ]
