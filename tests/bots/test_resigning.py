"""Resignations at a score or a limit: which can be offered, what bots accept, when bots give up."""

from itertools import cycle

import pytest

from backgammon.bots.strength import STRENGTHS, STRONGEST
from backgammon.rules.xgid import Xgid
from games.bots.player import advice, answer
from games.services.practice import MODE, _setup_of
from games.table import commands as cmd
from games.table.errors import MayNotResign
from games.table.turn import refused_levels, resignable_levels
from games.table.view import table_view
from harness.rig import HILDE, Rig, terms_for

#: X has a closed board against two checkers on the bar, and O has all of its checkers left
BEATEN = "XGID=--------D---DE----cbbbbbbB"
MATCH = "00000000-0000-4000-8000-000000000001"


def at(xgid: str, dice: tuple[int, int] = (6, 5)) -> Rig:
    """A practice game from this position, with X in seat 0."""
    wanted = Xgid.parse(xgid)
    terms = terms_for(mode="practice")
    if wanted.length:
        terms = MODE.at_score(terms, wanted.length)
    rig = Rig(cycle([dice]), terms)
    rig.give(cmd.Sit(player=HILDE, match=MATCH, setup=_setup_of(wanted, 0)))
    return rig


def turned_to(rig: Rig, seat: int) -> Rig:
    """The same game once this seat may resign; turns pass until then."""
    while rig.on_roll != seat or rig.state.phase not in ("roll", "play") or not _begun(rig):
        rig.turn()
    return rig


def _begun(rig: Rig) -> bool:
    return bool(resignable_levels(rig.state))


@pytest.mark.parametrize(
    ("end", "levels"),
    [
        (":0:0:1:00:0:0:0:1:10", (1,)),  # a match to 1
        (":0:0:1:00:0:4:0:5:10", (1,)),  # 4:0 to 5
        (":0:0:1:00:0:4:1:5:10", (1,)),  # Crawford's game
        (":1:1:1:00:0:3:0:5:10", (1,)),  # 3:0 to 5, the cube at 2
        (":1:1:1:00:0:0:0:3:10", (1, 2)),  # to 3, the cube at 2: six points are as good as four
        (":0:0:1:00:0:0:0:7:10", (1, 2, 3)),
        (":0:0:1:00:0:0:0:0:10", (1, 2, 3)),
    ],
)
def test_the_smallest_level_that_ends_the_match_is_the_largest_to_offer(
    end: str, levels: tuple[int, ...]
) -> None:
    rig = turned_to(at(BEATEN + end), 0)
    assert resignable_levels(rig.state) == levels
    over = {level: reason for level, reason in refused_levels(rig.state).items() if level <= 3}
    assert over == dict.fromkeys(range(levels[-1] + 1, 4), "decided")
    if levels[-1] < 3:
        with pytest.raises(MayNotResign) as refused:
            rig.give(cmd.OfferResignation(level=3), 0)
        assert refused.value.fields["reason"] == "decided"
    rig.give(cmd.OfferResignation(level=levels[-1]), 0)
    assert rig.state.phase != "resignation_offered", "nobody can refuse it, no bot and no person"
    assert rig.state.match.last_game.level == levels[-1]


@pytest.mark.parametrize(
    ("wishes", "cube", "levels"),
    [
        ({"mode": "single", "rate_cents": 100, "limit_cents": 1_000}, 8, (1, 2)),
        ({"mode": "single", "rate_cents": 100, "limit_cents": 1_000}, 4, (1, 2, 3)),
        ({"mode": "stake", "stake_cents": 50, "has_cube": True}, 8, (1, 2)),
        ({"mode": "normal"}, 8, (1, 2, 3)),
    ],
)
def test_nothing_is_offered_above_a_limit(
    wishes: dict[str, object], cube: int, levels: tuple[int, ...]
) -> None:
    rig = Rig(cycle([(3, 1), (4, 2)]), terms_for(**wishes)).sit()
    value = 1
    while value < cube:
        while rig.state.phase != "roll" or "double" not in rig_actions(rig):
            rig.turn()
        rig.give(cmd.Double(), rig.on_roll)
        rig.give(cmd.Take(), 1 - rig.on_roll)
        value *= 2
    while not resignable_levels(rig.state):
        rig.turn()
    assert resignable_levels(rig.state) == levels
    assert_no_level_pays_more(rig)


def test_a_tie_and_a_lead_decide_nothing_in_the_last_of_three_games() -> None:
    """Who leads by two and resigns at level 1 has still won the match; level 3 loses it."""
    rig = Rig(cycle([(3, 1), (4, 2)]), terms_for(mode="prize3", stake_cents=250)).sit()
    rig.give(cmd.Roll(), 0)
    for loser, level in ((1, 3), (0, 1)):
        turned_to(rig, loser)
        rig.give(cmd.OfferResignation(level=level), loser)
        if rig.state.phase == "resignation_offered":
            rig.give(cmd.AcceptResignation(), 1 - loser)
        for seat in (0, 1):
            rig.give(cmd.Ready(), seat)
    assert rig.state.match.score == (3, 1)
    assert resignable_levels(turned_to(rig, 0).state) == (1, 2, 3)
    assert resignable_levels(turned_to(rig, 1).state) == (1,), "who is behind loses by any level"
    rig.give(cmd.OfferResignation(level=1), 1)
    assert rig.state.phase == "over"


def rig_actions(rig: Rig) -> tuple[str, ...]:
    return table_view(rig.state).actions[rig.on_roll]


def assert_no_level_pays_more(rig: Rig) -> None:
    """The levels that are left out pay what the largest offered pays."""
    stakes = table_view(rig.state).stakes
    assert stakes is not None
    worth = {each.level: each for each in stakes.losses[rig.on_roll].levels}
    top = resignable_levels(rig.state)[-1]
    for level, each in worth.items():
        if level > top:
            assert (each.over, each.change_cents) == (worth[top].over, worth[top].change_cents)


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize(
    ("end", "level", "content"),
    [
        (":0:0:1:00:0:0:0:0:10", 3, True),
        (":0:0:1:00:0:0:0:0:10", 1, False),  # a gammon is likely and counts two
        (":0:0:1:00:0:3:0:5:10", 1, False),  # two points win the match
    ],
)
def test_bots_weigh_what_is_offered_by_the_score(
    strength: str, end: str, level: int, content: bool
) -> None:
    rig = turned_to(at(BEATEN + end), 0)
    rig.give(cmd.OfferResignation(level=level), 0)
    if rig.state.phase == "resignation_offered":
        given = answer(rig.state, 1, strength=strength, seed="1")
        assert isinstance(given, cmd.AcceptResignation) is content
    else:
        assert content


def given_by_bot(rig: Rig, seat: int, **more: bool) -> cmd.PlayerCommand | None:
    return answer(rig.state, seat, strength=STRONGEST, seed="1", **more)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_gives_up_where_nothing_can_be_won(strength: str) -> None:
    """X has ten checkers on its one-point, O two on theirs, and both have some off."""
    rig = turned_to(at("XGID=-J---------------------b--:0:0:1:00:0:0:0:0:10", (2, 1)), 0)
    given = answer(rig.state, 0, strength=strength, seed="1")
    assert given == cmd.OfferResignation(level=1)
    rig.give(given, 0)
    assert rig.state.phase in ("between_games", "over")


@pytest.mark.parametrize(
    "xgid",
    [
        "XGID=-D---------------------h--:0:0:1:00:0:0:0:0:10",  # ahead
        "XGID=-J-------------------c-g--:0:0:1:00:0:0:0:0:10",  # some chance is left
        BEATEN + ":0:0:1:00:0:0:0:0:10",  # lost, and nobody knows how high
    ],
)
def test_a_bot_plays_on_where_something_is_open(xgid: str) -> None:
    rig = turned_to(at(xgid, (2, 1)), 0)
    assert not isinstance(given_by_bot(rig, 0), cmd.OfferResignation)


def test_a_hint_never_tells_a_person_to_resign() -> None:
    rig = turned_to(at("XGID=-J---------------------b--:0:0:1:00:0:0:0:0:10", (2, 1)), 0)
    found = advice(rig.state, 0)
    assert found is not None
    assert found.command != "offer_resignation"
