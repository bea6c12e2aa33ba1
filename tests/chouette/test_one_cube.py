"""One cube for the whole team: the captain doubles alone, the box answers once for all."""

import random
from functools import reduce

import pytest

from games.chouette import commands as cmd
from games.chouette.bots import bot_acts
from games.chouette.engine import events as ev
from games.chouette.engine.errors import BadAnswer, ChouetteError, NotYours
from games.chouette.engine.rights import (
    doubled_by_box,
    doublers,
    leaving_costs,
    may_advise,
    undecided,
)
from games.chouette.engine.state import State, evolve
from games.chouette.engine.table import Chouette
from games.chouette.models import Game, Share
from games.chouette.services.store import JOURNAL, state_of
from harness.chouettes import Hands, at_random
from ledger.selectors import account_balance, rake_balance, wallet_balance
from tests.api.conftest import Program
from tests.chouette.conftest import BOX, CAPTAIN, ONE, TEAM, TWO, balances, begun, play_any
from tests.chouette.test_services import assert_clean


def one_cube(**terms: object) -> Chouette:
    """The team is to roll, and its captain may double."""
    return begun(cubes="one", **terms)


def values(table: Chouette) -> set[tuple[int, str | None]]:
    """Where the cubes of those in the game lie; one cube lies in one place."""
    game = table.state.game
    return {(game.cubes[each].value, game.cubes[each].owner) for each in game.active}


def doubled_and_taken(**terms: object) -> Chouette:
    table = one_cube(**terms)
    table.decide(CAPTAIN, doubles=True)
    table.box_answers(dict.fromkeys(TEAM, "take"))
    return table


def box_owns_cube() -> Chouette:
    """The box has the cube on 2 and may double."""
    table = doubled_and_taken()
    table.roll((2, 1))
    play_any(table)
    return table


def test_the_captain_alone_decides_and_doubles_for_the_whole_team():
    table = one_cube()
    assert undecided(table.state) == (CAPTAIN,)
    with pytest.raises(NotYours):
        table.decide(ONE, doubles=True)
    table.decide(CAPTAIN, doubles=True)
    assert table.state.game.offered == TEAM


def test_a_captain_who_does_not_double_rolls_for_all():
    table = one_cube()
    table.decide(CAPTAIN, doubles=False)
    assert table.state.phase == "roll"


@pytest.mark.parametrize("last", ["drop", None])
def test_the_box_answers_once_for_all(last):
    table = one_cube()
    table.decide(CAPTAIN, doubles=True)
    answers = {CAPTAIN: "take", ONE: "take", TWO: last}
    with pytest.raises(BadAnswer):
        table.box_answers({each: answer for each, answer in answers.items() if answer})
    assert table.state.game.offered == TEAM
    table.box_answers(dict.fromkeys(TEAM, "take"))
    assert values(table) == {(2, "box")}
    assert doublers(table.state) == ()


def test_a_box_that_drops_loses_to_everybody_and_the_captain_becomes_box():
    table = one_cube()
    table.decide(CAPTAIN, doubles=True)
    table.box_answers(dict.fromkeys(TEAM, "drop"))
    assert balances(table) == [-3, 1, 1, 1]
    assert table.state.order == (CAPTAIN, ONE, TWO, BOX)


def test_there_are_no_beavers_whatever_the_terms_say_about_them():
    table = one_cube(beavers=True)
    table.decide(CAPTAIN, doubles=True)
    with pytest.raises(BadAnswer):
        table.box_answers(dict.fromkeys(TEAM, "beaver"))
    table = box_owns_cube()
    table.box_doubles(TEAM)
    with pytest.raises(BadAnswer):
        table.answer(CAPTAIN, "beaver")


def test_the_box_doubles_the_whole_team_or_nobody():
    table = box_owns_cube()
    assert doubled_by_box(table.state) == TEAM
    for some in ([CAPTAIN], [ONE, TWO]):
        with pytest.raises(BadAnswer):
            table.box_doubles(some)
    table.box_doubles(TEAM)
    assert table.state.game.offered == TEAM


def test_each_member_answers_the_box_alone_and_the_next_one_decides_then():
    table = box_owns_cube()
    table.box_doubles(TEAM)
    table.answer(CAPTAIN, "drop")
    table.answer(ONE, "take")
    table.answer(TWO, "take")
    assert balances(table) == [2, -2, 0, 0]
    assert values(table) == {(4, "team")}
    table.roll((6, 4))
    play_any(table)
    assert undecided(table.state) == (ONE,)
    table.decide(ONE, doubles=True)
    assert table.state.game.offered == (ONE, TWO)


def test_a_captain_who_leaves_before_deciding_is_followed_by_the_next():
    table = one_cube()
    table.stand_up(CAPTAIN)
    assert undecided(table.state) == (ONE,)
    table.decide(ONE, doubles=True)
    assert table.state.game.offered == (ONE, TWO)


def test_leaving_costs_the_value_of_the_one_cube_for_every_pair():
    table = box_owns_cube()
    table.box_doubles(TEAM)
    table.answer(CAPTAIN, "take")
    assert leaving_costs(table.state, ONE) == (2,)  # a double to answer is dropped
    table.answer(ONE, "take")
    table.answer(TWO, "take")
    costs = {leaving_costs(table.state, each) for each in TEAM}
    assert len(costs) == 1
    assert leaving_costs(table.state, BOX) == tuple(cost for (cost,) in costs for _ in TEAM)


def test_members_may_advise_once_the_cube_was_turned():
    table = one_cube()
    table.decide(CAPTAIN, doubles=False)
    table.roll((2, 1))
    assert not may_advise(table.state, TWO)
    table = doubled_and_taken()
    table.roll((2, 1))
    assert may_advise(table.state, TWO)


def test_a_house_bot_answers_with_one_voice():
    for seed in range(12):
        table = one_cube()
        table.decide(CAPTAIN, doubles=True)
        bot_acts(table, BOX, "beginner", str(seed))
        assert table.state.phase in ("roll", "between_games")
        table = box_owns_cube()
        bot_acts(table, BOX, "beginner", str(seed))
        assert table.state.phase in ("roll", "team_answers")


def test_the_journal_is_that_of_a_cube_for_everybody():
    table = doubled_and_taken()
    assert reduce(evolve, table.journal, State(terms=table.terms)) == table.state
    last = table.journal[-5:]
    assert last[0] == ev.MemberDecided(player=CAPTAIN, doubles=True)
    assert last[1] == ev.TeamDoubled(players=TEAM)
    assert [each.player for each in last[2:]] == list(TEAM)


# --- stored tables --------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_game_for_credits_with_one_cube_is_settled_pair_by_pair(people):
    chance = random.Random(4)
    players = people(4, 10_000)
    hands = Hands(players, rate_cents=100, limit_points=4, cubes="one")
    hands.begin()
    game = Game.objects.get(circle=hands.circle)
    assert account_balance(f"escrow:{game.reference}") == 2 * 3 * 400
    hands.play_out(at_random(chance, doubles=0.6))
    answered = hands.circle.events.filter(payload__type="cube_answered")
    assert answered.count() >= 3, "the cube was turned for all"
    shares = Share.objects.filter(game=game).exclude(user=game.box_id)
    for share in shares:
        lost_cents = min(abs(share.box_points) * 100, 400)
        won = share.box_points < 0
        assert share.paid_cents == 400 + (lost_cents * 9 // 10 if won else -lost_cents)
    assert sum(wallet_balance(player.pk) for player in players) == 40_000 - rake_balance()
    assert JOURNAL.replayed(hands.row()) == state_of(hands.row())
    assert_clean()


def to_the_captains_cube(hands: Hands) -> int:
    """Play on until the captain decides about the cube; their id."""
    choose = at_random(random.Random(5), doubles=0)
    while "decide" not in hands.view(hands.view()["waits_for"][0])["actions"]:
        hands.step(choose)
    (captain,) = hands.view()["waits_for"]
    return captain


@pytest.mark.slow
def test_the_captain_doubles_for_all_and_the_box_answers_once(people):
    players = people(4, 10_000)
    hands = Hands(players, rate_cents=10, cubes="one", beavers=True)
    hands.begin()
    captain = to_the_captains_cube(hands)
    box = hands.view()["people"][0]["id"]
    member = hands.view()["people"][2]["id"]
    turn = hands.view()["turn"]
    with pytest.raises(ChouetteError) as refused:
        hands.do(member, cmd.Decide(turn=turn, doubles=True))
    assert refused.value.code == "not_your_turn"
    hands.do(captain, cmd.Decide(turn=turn, doubles=True))
    view = hands.view(box)
    offers = view["actions"]["box_answers"]
    assert [each["may_beaver"] for each in offers] == [False] * 3
    mixed = {each["player"]: "drop" if each["player"] == member else "take" for each in offers}
    with pytest.raises(ChouetteError) as refused:
        hands.do(box, cmd.BoxAnswers(turn=view["turn"], answers=mixed))
    assert refused.value.code == "bad_answer"
    alike = dict.fromkeys(mixed, "take")
    hands.do(box, cmd.BoxAnswers(turn=view["turn"], answers=alike))
    assert {(cube["value"], cube["owner"]) for cube in hands.view()["cubes"]} == {(2, "box")}


@pytest.mark.slow
def test_house_bots_play_with_one_cube(people, chance):
    (one,) = people(1)
    hands = Hands([one], bots=2, cubes="one")
    hands.begin()
    hands.play_out_with_bots(one.pk, at_random(chance, doubles=0.5))
    assert Game.objects.get(circle=hands.circle).ended_at is not None
    assert_clean()


@pytest.mark.slow
def test_programs_open_and_find_tables_with_one_cube(people):
    one, two = (Program(player) for player in people(2))
    view = one.post("chouettes/open/", {"cubes": "one"}).json()
    assert (view["terms"]["cubes"], view["terms"]["beavers"]) == ("one", False)
    (row,) = two.get("chouettes/").json()
    assert (row["cubes"], row["beavers"]) == ("one", False)
    wrong = two.post("chouettes/open/", {"cubes": "two"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid")
