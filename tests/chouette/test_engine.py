"""The chouette: worked examples of cubes and rotation, and random tables that sum to zero."""

import random
from collections.abc import Iterator
from functools import reduce
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.tests.amounts import amount
from games.chouette.engine import events as ev
from games.chouette.engine.errors import (
    BadAnswer,
    ChouetteError,
    NoSeat,
    NotAtThisTable,
    NotNow,
    NotYours,
)
from games.chouette.engine.rights import doubled_by_box, doublers, waited_for
from games.chouette.engine.state import State, evolve
from games.chouette.engine.table import Chouette, next_order
from games.chouette.engine.terms import ChouetteTerms, Cubes, LoneTaker
from games.chouette.models import Circle
from games.chouette.services.opening import LIMITS_POINTS
from games.chouette.settlement import pairs_paid, stakes_of
from tests.chouette.conftest import BOX, CAPTAIN, ONE, TWO, balances, begun, play_any, seated


def test_the_first_list_is_that_of_sitting_down_and_the_higher_die_begins():
    table = seated()
    table.start()
    table.roll_off(box=3, team=3)
    assert table.state.phase == "roll_off"
    table.roll_off(box=5, team=2)
    assert (table.state.game.on_roll, table.state.game.dice) == ("box", (5, 2))
    assert (table.state.game.box, table.state.game.captain) == (BOX, CAPTAIN)


def test_decisions_are_hidden_until_all_are_in_and_the_box_answers_each():
    table = begun()
    assert table.state.phase == "team_decides"
    table.decide(ONE, doubles=True)
    table.decide(CAPTAIN, doubles=False)
    assert table.state.phase == "team_decides"
    with pytest.raises(NotYours):
        table.decide(ONE, doubles=False)
    table.decide(TWO, doubles=True)
    assert table.state.game.offered == (ONE, TWO)
    with pytest.raises(BadAnswer):
        table.box_answers({ONE: "take"})
    table.box_answers({ONE: "take", TWO: "drop"})
    cubes = table.state.game.cubes
    assert (cubes[ONE].value, cubes[ONE].owner) == (2, "box")
    assert cubes[TWO].settled
    assert balances(table) == [-1, 0, 0, 1]
    assert table.state.phase == "roll"


def test_a_beaver_goes_back_to_its_member():
    table = begun()
    for player in (CAPTAIN, ONE, TWO):
        table.decide(player, doubles=player != CAPTAIN)
    table.box_answers({ONE: "beaver", TWO: "beaver"})
    table.beaver_answer(ONE, accepts=True)
    assert table.state.game.cubes[ONE].value == 4
    table.beaver_answer(TWO, accepts=False)
    assert balances(table) == [2, 0, 0, -2]


def test_without_beavers_none_is_given():
    table = begun(beavers=False)
    for player in (CAPTAIN, ONE, TWO):
        table.decide(player, doubles=True)
    with pytest.raises(BadAnswer):
        table.box_answers({CAPTAIN: "take", ONE: "beaver", TWO: "take"})
    assert table.state.game.offered == (CAPTAIN, ONE, TWO)


def box_to_double() -> Chouette:
    table = begun()
    for player in (CAPTAIN, ONE, TWO):
        table.decide(player, doubles=player == TWO)
    table.box_answers({TWO: "take"})
    table.roll((2, 1))
    play_any(table)
    return table


def test_the_box_doubles_those_it_likes_and_the_captain_answers_first():
    table = box_to_double()
    assert doubled_by_box(table.state) == (CAPTAIN, ONE, TWO)
    table.box_doubles([ONE, CAPTAIN])
    with pytest.raises(NotYours):
        table.answer(ONE, "take")
    table.answer(CAPTAIN, "drop")
    table.answer(ONE, "take")
    assert table.state.game.captain == ONE
    assert balances(table) == [1, -1, 0, 0]
    table.roll((6, 4))
    play_any(table)
    assert CAPTAIN not in doublers(table.state)
    assert ONE in doublers(table.state)
    assert TWO not in doublers(table.state)  # the box owns that cube


def test_all_dropped_ends_the_game_and_the_box_stays():
    table = box_to_double()
    table.box_doubles(doubled_by_box(table.state))
    for player in (CAPTAIN, ONE, TWO):
        table.answer(player, "drop")
    assert table.state.phase == "between_games"
    assert table.state.order == (BOX, ONE, TWO, CAPTAIN)
    assert balances(table) == [4, -1, -1, -2]


def test_a_captain_who_was_dropped_becomes_box():
    table = begun()
    for player in (CAPTAIN, ONE, TWO):
        table.decide(player, doubles=True)
    table.box_answers({CAPTAIN: "drop", ONE: "drop", TWO: "drop"})
    assert table.state.order == (CAPTAIN, ONE, TWO, BOX)


def test_those_who_join_come_before_the_one_who_goes_to_the_end():
    assert next_order((1, 2, 3, 4), (1, 2, 3, 4), (9,), box_won=True) == (1, 3, 4, 9, 2)
    assert next_order((1, 2, 3, 4), (1, 2, 3, 4), (9,), box_won=False) == (2, 3, 4, 9, 1)
    assert next_order((1, 2, 3, 4), (2, 3, 4), (), box_won=False) == (2, 3, 4)
    assert next_order((1, 2, 3, 4), (1, 3, 4), (), box_won=True) == (1, 3, 4)


def test_leaving_costs_the_most_one_could_lose():
    table = begun()
    table.stand_up(ONE)
    assert balances(table) == [1, 0, -1, 0]  # Jacoby: no cube of theirs was turned
    assert ONE not in table.state.people
    assert table.state.game.active == (CAPTAIN, TWO)
    table.stand_up(BOX)
    assert table.state.phase == "between_games"
    assert table.state.order == (CAPTAIN, TWO)
    assert balances(table) == [-1, 1, -1, 1]
    with pytest.raises(NotNow):
        table.start()
    with pytest.raises(NotAtThisTable):
        table.stand_up(BOX)


def test_nothing_waits_for_somebody_who_has_left():
    table = box_to_double()
    table.box_doubles([CAPTAIN, ONE])
    table.stand_up(CAPTAIN)  # a double to answer is dropped
    assert table.state.game.offered == (ONE,)
    table.answer(ONE, "beaver")
    table.stand_up(ONE)
    assert table.state.phase == "roll"
    # the beaver that nobody has accepted is void; the cube on 2 was turned, so a backgammon counts
    assert balances(table) == [7, -1, -6, 0]


def test_who_comes_back_in_the_same_game_is_on_the_list_once():
    table = begun()
    table.stand_up(ONE)
    table.sit(ONE)
    for player in (CAPTAIN, TWO):
        table.decide(player, doubles=True)
    table.box_answers({CAPTAIN: "drop", TWO: "drop"})
    assert table.state.order == (CAPTAIN, TWO, ONE, BOX)


def test_six_sit_and_a_seventh_does_not():
    table = seated(1, 2, 3, 4, 5, 6)
    for player in (7, 1):
        with pytest.raises(NoSeat):
            table.sit(player)


def test_a_play_that_is_not_legal_changes_nothing():
    table = seated()
    table.start()
    table.roll_off(box=1, team=2)
    before = table.state
    with pytest.raises(BadAnswer):
        table.play(((24, 20, 4),))
    assert table.state == before


def some(answers: tuple[str, ...], rng: random.Random, people: tuple[int, ...]) -> dict:
    return {each: rng.choice(answers) for each in people}


ANSWERS = ("take", "take", "drop", "beaver")
STEPS = {
    "between_games": lambda table, game, rng: table.start(),
    "roll_off": lambda table, game, rng: table.roll_off(rng.randint(1, 6), rng.randint(1, 6)),
    "team_decides": lambda table, game, rng: table.decide(
        rng.choice(game.team), doubles=rng.random() < 0.2
    ),
    "box_answers": lambda table, game, rng: table.box_answers(
        some((rng.choice(ANSWERS),) if rng.random() < 0.5 else ANSWERS, rng, game.offered)
    ),
    "team_answers_beavers": lambda table, game, rng: table.beaver_answer(
        rng.choice(game.beavers), accepts=rng.random() < 0.7
    ),
    "box_doubles": lambda table, game, rng: table.box_doubles(
        doubled_by_box(table.state)
        if rng.random() < 0.1
        else [each for each in doubled_by_box(table.state) if rng.random() < 0.2]
    ),
    "team_answers": lambda table, game, rng: table.answer(
        game.offered[0], rng.choice(ANSWERS if rng.random() < 0.3 else ("drop", "drop", "take"))
    ),
    "box_answers_beavers": lambda table, game, rng: table.box_beaver_answers(
        {each: rng.random() < 0.7 for each in game.beavers}
    ),
    "roll": lambda table, game, rng: table.roll((rng.randint(1, 6), rng.randint(1, 6))),
    "play": lambda table, game, rng: play_any(table, rng),
}


def step(table: Chouette, rng: random.Random) -> None:
    """Some command that is possible now, or one that is not."""
    if rng.random() < 0.01 and table.state.people:
        table.stand_up(rng.choice(table.state.people))
    elif rng.random() < 0.02:
        table.sit(rng.randint(100, 130))
    else:
        STEPS[table.state.phase](table, table.state.game, rng)


TERMS = st.builds(
    ChouetteTerms,
    jacoby=st.booleans(),
    limit_points=st.sampled_from((0, *LIMITS_POINTS)),
    beavers=st.booleans(),
    cubes=st.sampled_from(get_args(Cubes)),
    lone_taker=st.sampled_from(get_args(LoneTaker)),
)
#: phases in which the dice come, or nothing does
NOBODY_DECIDES = ("between_games", "roll_off", "roll")


@given(seed=st.integers(0, 2**32), people=st.integers(3, 6), terms=TERMS)
@settings(max_examples=amount(20, long=400), deadline=None)
def test_random_tables_sum_to_zero_and_replay_to_the_same_state(seed, people, terms):
    rng = random.Random(seed)
    table = seated(*range(1, people + 1), **msgspec.structs.asdict(terms))
    stuck = 0
    for _ in range(600):
        before = len(table.journal)
        try:
            step(table, rng)
        except ChouetteError:
            assert len(table.journal) == before
        stuck = 0 if len(table.journal) > before else stuck + 1
        assert stuck < 200 or table.state.phase == "between_games"
        everybody = {each for *pair, _ in table.state.points for each in pair}
        assert sum(table.state.balance(each) for each in everybody) == 0
        somebody_decides(table)
        if terms.one_cube:
            cubes_lie_together(table)
        if terms.lone_taker_beavers:
            nobody_takes_alone(table)
    assert reduce(evolve, table.journal, State(terms=table.terms)) == table.state
    done: set[int] = set()
    for event in table.journal:
        if isinstance(event, ev.ChouetteGameStarted):
            done.clear()
        elif isinstance(event, ev.Settled):
            assert event.player not in done, "nobody settles twice in a game"
            assert not terms.limit_points or abs(event.box_points) <= terms.limit_points
            done.add(event.player)
    stakes_cover_all(table)


def somebody_decides(table: Chouette) -> None:
    waits = waited_for(table.state)
    assert bool(waits) == (table.state.phase not in NOBODY_DECIDES)
    assert set(waits) <= set(table.state.people)


def cubes_lie_together(table: Chouette) -> None:
    """One cube lies in one place, unless the members are answering one after the other."""
    game = table.state.game
    if game is None or table.state.phase == "team_answers":
        return
    assert len({msgspec.structs.astuple(game.cubes[each]) for each in game.active}) <= 1
    assert game.offered in ((), game.active)
    assert not game.beavers


def nobody_takes_alone(table: Chouette) -> None:
    """Before the box rolls, a member whom all others left alone by dropping has beavered."""
    game = table.state.game
    if game is None or table.state.phase != "roll" or len(game.doubled) < 3:
        return
    cubes = [game.cubes[each] for each in game.doubled]
    takers = [each for each in game.doubled if not game.cubes[each].settled]
    dropped = sum(cube.how == "dropped" and cube.box_points > 0 for cube in cubes)
    if len(takers) == 1 and dropped == len(cubes) - 1 and game.on_roll == "box":
        assert game.cubes[takers[0]].value == 4 * game.doubled[takers[0]].value


def stakes_cover_all(table: Chouette) -> None:
    """Every game that has ended pays exactly its stakes, whatever the limit of a pair is."""
    for limit_points in LIMITS_POINTS:
        circle = Circle(rate_cents=25, limit_cents=25 * limit_points, rake_bps=500)
        for box, order, won in games_of(table):
            paid = pairs_paid(circle, box, won)
            assert min(paid.paid_cents.values()) >= 0
            staked = sum(stakes_of(circle, order).values())
            assert sum(paid.paid_cents.values()) + paid.rake_cents == staked


def games_of(table: Chouette) -> Iterator[tuple[int, tuple[int, ...], dict[int, int]]]:
    """The box, the list and what the box won from each member, of each ended game."""
    order: tuple[int, ...] = ()
    won: dict[int, int] = {}
    for event in table.journal:
        if isinstance(event, ev.ChouetteGameStarted):
            order, won = event.order, {}
        elif isinstance(event, ev.Settled):
            won[event.player] = event.box_points
        elif isinstance(event, ev.ChouetteGameEnded):
            assert won.keys() == set(order[1:])
            yield order[0], order, won


@pytest.mark.parametrize("one_cube", [False, True])
def test_a_cube_that_reaches_the_limit_is_dead(one_cube):
    """As in every other mode: nobody doubles where a plain win is worth the limit already."""
    table = begun(limit_points=4, cubes="one" if one_cube else "each")
    for value, dead in ((1, False), (2, False), (4, True), (8, True)):
        game = table.state.game
        cubes = {
            each: msgspec.structs.replace(cube, value=value) for each, cube in game.cubes.items()
        }
        game = msgspec.structs.replace(game, cubes=cubes)
        for phase, able in (("team_decides", doublers), ("box_doubles", doubled_by_box)):
            state = msgspec.structs.replace(table.state, game=game, phase=phase)
            assert bool(able(state)) is not dead
