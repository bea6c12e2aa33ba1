"""Whatever is played survives as a file: as a record, in each format, and back."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from backgammon.formats.builder import check_record
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import CubeAction, CubeVerb, Ending, MatchRecord, RecordedTurn
from backgammon.formats.record_json import format_json, parse_json
from backgammon.formats.registry import by_key
from backgammon.formats.sgf import format_sgf
from backgammon.formats.sgf_reader import parse_sgf
from backgammon.rules.position import Way
from backgammon.rules.position_id import format_position_id
from backgammon.rules.variants import ALL as VARIANTS
from backgammon.rules.xgid import Offer, Xgid
from backgammon.tests.amounts import LONG, amount
from backgammon.tests.formats.outline import outline
from bench.everything.cases import Case, cases
from games.modes.terms import cube_rules_of, options_of
from games.records import record_of
from games.table import commands as cmd
from games.table import events as ev
from games.table.replay import TOLD, steps
from games.table.state import PLAYED_OUT, TableState
from games.table.view import board_view, table_view
from harness.hands import decide
from harness.player import RESIGNS, Plan
from harness.rig import HILDE, MAGRIEL, Rig, terms_for
from harness.simulator.house import GUEST, SimulatedHouse
from tests.archive.matches import of_the_match, random_match

NAMES = ("magriel", "hilde")
#: every mode occurs among the first 12, every third up to 41 is another variant, 64 has a raccoon
SEEDS = sorted({*range(amount(12, long=100)), *range(2, 42, 3), 64})
MODES = (
    {"mode": "prize3", "stake_cents": 250},
    {"mode": "prize5", "stake_cents": 250},
    {"mode": "single", "rate_cents": 100, "limit_cents": 1000},
    {"mode": "stake", "stake_cents": 50},
    {"mode": "normal", "beavers": True, "raccoons": True},
    {"mode": "normal", "jacoby": True, "start_rule": "roll_off_use", "auto_doubles_max": 2},
)


def wishes(seed: int) -> dict:
    """Every mode in turn; every third match a variant."""
    if seed % 3 == 2:
        keys = [variant.key for variant in VARIANTS]
        return {"mode": "normal", "variant": keys[seed // 3 % len(keys)]}
    return MODES[seed % len(MODES)]


@cache
def recorded(seed: int) -> tuple[Rig, MatchRecord]:
    terms = terms_for(**wishes(seed))
    rig = random_match(terms, seed)
    return rig, record_of(rig.events, terms=terms, players=NAMES)


def turns(game) -> list[RecordedTurn]:
    return [action for action in game.actions if isinstance(action, RecordedTurn)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_survives_every_format(seed: int) -> None:
    rig, record = recorded(seed)
    made = [e for e in rig.events if isinstance(e, ev.PlayMade)]
    told = [turn for game in record.games for turn in turns(game) if turn.moves is not None]
    assert [(t.seat, t.dice, len(t.moves)) for t in told] == [
        (e.seat, e.dice, len(e.moves)) for e in made
    ]
    result = rig.state.match.result
    if result.ending in PLAYED_OUT:
        assert record.score == rig.state.match.score
        assert not record.heading.other
    elif record.games[-1].result:
        assert record.games[-1].result.winner == result.winner
        assert dict(record.heading.other)["Match Winner"] == NAMES[result.winner]
    check_record(record)
    assert parse_json(format_json(record)) == record
    assert outline(parse_sgf(format_sgf(record))) == outline(record)
    # .mat has no place for refused resignations
    from_mat = parse_mat(format_mat(record))
    assert outline(from_mat, resignations=False) == outline(record, resignations=False)


def test_the_random_matches_hold_everything() -> None:
    """The matches contain what the test above is about."""
    endings, verbs = set(), set()
    for seed in SEEDS:
        _, record = recorded(seed)
        endings |= {game.result.ending for game in record.games if game.result}
        actions = [action for game in record.games for action in game.actions]
        verbs |= {action.verb for action in actions if isinstance(action, CubeAction)}
    assert endings >= {Ending.BOARD, Ending.DROP, Ending.RESIGNATION, Ending.LEFT, Ending.TIME}
    assert verbs == set(CubeVerb)


@pytest.mark.parametrize("seed", SEEDS[:24])
def test_the_steps_end_on_the_board_of_the_table(seed: int) -> None:
    rig, _ = recorded(seed)
    terms = rig.state.terms
    told = steps(of_the_match(rig), terms=terms, seats=(MAGRIEL, HILDE))
    assert [step["type"] for step in told] == [
        event.__struct_config__.tag for event in rig.events if isinstance(event, TOLD)
    ]
    game = rig.state.game
    position = game.position if game.on_roll == 0 else game.position.turned(rig.state.variant.way)
    assert told[-1]["view"]["board"] == msgspec.to_builtins(board_view(position))
    assert told[-1]["view"]["score"] == list(rig.state.match.score)


@pytest.mark.parametrize("wishes", [
    {"mode": "match", "target_points": 3, "variant": "nackgammon"},
    {"mode": "normal", "jacoby": True, "beavers": True},
])  # fmt: skip
def test_the_xgid_of_a_step_says_what_its_view_shows(wishes: dict[str, object]) -> None:
    terms = terms_for(**wishes)
    told = steps(of_the_match(random_match(terms, 3)), terms=terms, seats=(MAGRIEL, HILDE))
    offers = set()
    for step in told:
        view = step["view"]
        if view["xgid"] is None:
            assert step["type"] in ("beavered", "raccooned")
            continue
        xgid = Xgid.parse(view["xgid"])
        assert format_position_id(xgid.position.turned(Way.AGAINST) if view["on_roll"]
                                  else xgid.position) == view["position_id"]  # fmt: skip
        assert (xgid.cube_value, xgid.cube_owner) == (view["cube"]["value"], view["cube"]["owner"])
        assert (xgid.offer is not None) == (view["cube"]["offered_by"] is not None)
        assert xgid.length == (3 if terms.contest == "points" else 0)
        assert xgid.jacoby == terms.jacoby
        if xgid.offer is None:
            assert (xgid.turn, xgid.dice) == (
                view["on_roll"],
                tuple(view["dice"]) if view["dice"] else None,
            )
        offers.add(xgid.offer)
    assert Offer.DOUBLE in offers


@pytest.mark.parametrize("variant", ["plakoto", "fevga", "acey_deucey"])
def test_steps_of_other_families_have_no_line_for_other_programs(variant: str) -> None:
    terms = terms_for(mode="normal", variant=variant)
    told = steps(of_the_match(random_match(terms, 1)), terms=terms, seats=(MAGRIEL, HILDE))
    assert told[0]["view"]["xgid"] is told[0]["view"]["position_id"] is None


def test_a_record_needs_a_match() -> None:
    with pytest.raises(ValueError, match="no match starts"):
        record_of([], terms=terms_for(mode="normal"), players=NAMES)


# --- whatever can be played -----------------------------------------------------------------------
STEPS_MAX = 20_000
PLAYERS = ("magriel", "hilde maria")

WHOLE = cases(15, short=False)
WAYS = list({case.way: case for case in WHOLE}.values())
CASES = WAYS + [case for case in WHOLE[::3] if case not in WAYS] if LONG else WAYS


def played(case: Case) -> SimulatedHouse:
    """A table on the terms of the case, whose match two random players have ended."""
    rng = Random(case.text)
    house = SimulatedHouse(rng, case.terms)
    house.give(cmd.Sit(player=GUEST, match=house.new_match_id()))
    kind = "leave" if rng.random() < 0.2 else "stop"
    plan = Plan(kind, rng.randrange(2), rng.randint(2, 40) if kind == "leave" else 2)
    for _ in range(STEPS_MAX):
        if house.state.phase in ("over", "closed"):
            return house
        house.answer()
        house.now_ms += 1
        for seat in (0, 1):
            command = _command(house.state, seat, plan, rng)
            if command is not None:
                house.give(command, seat)
                break
    raise AssertionError(f"{case.text} does not end")


def _command(state: TableState, seat: int, plan: Plan, rng: Random) -> cmd.PlayerCommand | None:
    view: dict[str, Any] = msgspec.to_builtins(table_view(state))
    if state.decider == seat:
        plan.decisions[seat] += 1
    wish = plan.wish(view, seat) or decide(view, seat, rng, resigns=RESIGNS)
    return None if wish is None else msgspec.convert(wish, cmd.PlayerCommand)


def recorded_file(case: Case) -> MatchRecord:
    """The record of the match of a case."""
    house = played(case)
    return record_of(house.events, terms=case.terms, players=PLAYERS, site="example.test")


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[f"{case.way}-{case.game}" for case in CASES])
def test_what_was_played_comes_back_the_same(case: Case) -> None:
    record = recorded_file(case)
    assert record.games
    assert (record.rules, record.options) == (cube_rules_of(case.terms), options_of(case.terms))
    for key in ("json", "sgf", "mat"):
        file_format = by_key(key)
        text = file_format.format(record)
        read = file_format.parse(text)
        if key == "json":
            assert read == record
        # .mat has no place for refused resignations and the order of the moves of a play.
        told = key != "mat"
        assert not told or file_format.format(read) == text, key
        assert outline(read, resignations=told) == outline(record, resignations=told), key
