"""The worked positions of vectors/rules.json, whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backgammon.rules.position import Position
from backgammon.rules.scoring import leave_level
from backgammon.rules.variant import Options
from backgammon.rules.variants import by_key

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "rules.json").read_text()
)


def cases(section: str) -> Any:
    return pytest.mark.parametrize("case", VECTORS[section], ids=lambda case: case["id"])


@cases("moves")
def test_a_roll_has_exactly_these_results(case: dict[str, Any]) -> None:
    variant = by_key(case["variant"])
    plays = variant.legal_plays(
        Position.parse(case["position"]),
        case["dice"],
        first_turn=case["first_turn"],
        options=Options(**case["options"]),
    )
    assert {result.text() for result in plays.results} == set(case["results"])
    assert len(plays.results) == case["result_count"]
    assert plays.dice_played == case["dice_played"]


ENDINGS = {
    "borne_off": "off",
    "mother": "win",
    "both_mothers": "tie",
}


@cases("moves")
def test_exactly_these_results_end_the_game(case: dict[str, Any]) -> None:
    variant = by_key(case["variant"])
    over = {}
    for text in case["results"]:
        if (outcome := variant.outcome(Position.parse(text))) is not None:
            over[text] = ENDINGS[outcome.termination.value]
    assert over == case["game_over"]


@cases("flow")
def test_a_roll_is_followed_by(case: dict[str, Any]) -> None:
    flow = by_key(case["variant"]).flow(
        case["dice"],
        all_played=case["all_played"],
        own_turns_before=case["own_turns_before"],
        options=Options(**case["options"]),
    )
    assert [list(roll) for roll in flow.rolls] == case["rolls"]
    assert flow.choose_double == case["choose_double"]
    assert flow.roll_again == case["roll_again"]


@cases("score")
def test_a_finished_game_scores(case: dict[str, Any]) -> None:
    outcome = by_key(case["variant"]).outcome(Position.parse(case["position"]))
    assert outcome is not None
    assert outcome.level == case["level"]
    assert outcome.winner == ("mover" if case["mover_wins"] else "opponent")


@cases("max_loss")
def test_leaving_costs_at_most(case: dict[str, Any]) -> None:
    position = Position.parse(case["position"])
    jacoby = case.get("jacoby_dead", False)
    assert leave_level(by_key("backgammon"), position, jacoby=jacoby) == case["max_level"]


@pytest.mark.parametrize("key", VECTORS["start"])
def test_the_starting_position_is(key: str) -> None:
    assert by_key(key).start == Position.parse(VECTORS["start"][key])
