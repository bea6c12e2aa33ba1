"""`bench.everything` plays all there is, and its checks find what is wrong."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from backgammon.rules.variants import KEYS
from bench.everything.cases import cases
from bench.everything.checks import (
    credits_differ,
    ended,
    ratings_differ,
    seen_differs,
    shown_differs,
)
from bench.everything.rows import Change, MatchRows
from games.modes.prices import Prices
from games.modes.registry import ALL
from games.modes.registry import by_key as mode_by_key
from games.modes.terms import Wishes

MATCH = "11111111-1111-1111-1111-111111111111"


def test_every_mode_is_played_in_every_variant_it_offers() -> None:
    played = {(case.terms.mode, case.terms.variant) for case in cases(1, short=False)}
    assert {mode for mode, _ in played} == {mode.key for mode in ALL}
    assert {("normal", key) for key in KEYS} <= played
    assert {("practice", key) for key in KEYS} <= played


def test_a_short_run_has_every_way_and_every_game() -> None:
    whole, short = cases(1, short=False), cases(1, short=True)
    assert {case.way for case in short} == {case.way for case in whole}
    assert {case.game for case in short} == {case.game for case in whole}
    assert len(short) < len(whole) / 2


def test_a_seed_gives_the_same_cases() -> None:
    assert cases(7, short=False) == cases(7, short=False)
    assert cases(7, short=False) != cases(8, short=False)


# --- the checks -----------------------------------------------------------------------------------


def prize_match() -> MatchRows:
    """A prize match for 2.50 that seat 1 won by 5:3."""
    terms = mode_by_key("prize5").terms(Wishes(mode="prize5", stake_cents=250), Prices())
    end = {"type": "match_ended", "at_ms": 9, "winner": 1, "ending": "borne_off", "points": 0}
    return MatchRows(
        id=MATCH,
        players=(7, 8),
        mode="prize5",
        variant="backgammon",
        stake_cents=250,
        terms=msgspec.to_builtins(terms),
        rated=True,
        winner_seat=1,
        ending="borne_off",
        score=[3, 5],
        paid_cents=[0, 450],
        rake_cents=50,
        is_over=True,
        events=[
            (3, {"type": "match_started", "at_ms": 1, "match": MATCH, "number": 1}),
            (90, {**end, "score": [3, 5], "level": 0, "cube": 0}),
        ],
        booked_cents={"wallet:7": -250, "wallet:8": 200, "house_rake": 50, f"escrow:{MATCH}": 0},
        ratings=[change(8, won=True, after="1522.3607"), LOST],
    )


def change(user: int, *, won: bool, after: str) -> Change:
    """A rating of a newcomer that moved in a match to five points."""
    return Change(f"match:{MATCH}", "prize", user, won, 5, Decimal(1500), Decimal(after), 0)


LOST = change(7, won=False, after="1477.6393")

VIEW: dict[str, Any] = {
    "score": [3, 5],
    "result": {
        "match": {
            "winner": 1,
            "ending": "borne_off",
            "paid_cents": [0, 450],
            "elo_after": ["1477.6393", "1522.3607"],
        }
    },
}


def found(
    match: MatchRows, view: dict[str, Any] = VIEW, moved: tuple[int, int] = (-250, 200)
) -> str:
    """All differences of a match."""
    return "\n".join(
        [
            *credits_differ(match, moved),
            *ratings_differ(match),
            *seen_differs(match, {90: {"seq": 90, **ended(match)}}, view),
        ]
    )


def test_nothing_differs_in_a_sound_match() -> None:
    assert found(prize_match()) == ""


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"paid_cents": [0, 451]}, "the row says"),
        ({"rake_cents": 49}, "a rake of 49"),
        ({"booked_cents": {"wallet:7": -250, "wallet:8": 250}}, "the books have"),
        ({"ratings": []}, "instead of 1"),
        ({"ratings": [change(8, won=True, after="1522.4607"), LOST]}, "the formula"),
        ({"rated": False}, "instead of 0"),
        ({"score": [3, 4]}, "the view has the score"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_found(wrong: dict[str, Any], names: str) -> None:
    assert names in found(dataclasses.replace(prize_match(), **wrong))


def test_a_wrong_wallet_is_found() -> None:
    assert "the wallets changed" in found(prize_match(), moved=(-250, 199))


def test_a_wrong_view_is_found() -> None:
    match = {**VIEW["result"]["match"], "paid_cents": [450, 0]}
    assert "the view says" in found(prize_match(), {**VIEW, "result": {"match": match}})


def test_an_ending_that_was_not_shown_is_found() -> None:
    lost = [1, 5, True, [-250, 200], 50, False]
    kinds = {"levels": [lost], "taken": [], "drop": None, "leave": None}
    shown = {"drawn": [0, 0, False, [0, 0], 0, False], "losses": [kinds, {**kinds, "levels": []}]}
    assert list(shown_differs(prize_match(), shown)) == []
    lost[4] = 49
    assert "which no view had shown" in "".join(shown_differs(prize_match(), shown))
