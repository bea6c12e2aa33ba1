"""Stored tables with one cube for the team: credits, refusals, bots, programs."""

import random

import pytest

from games.chouette import commands as cmd
from games.chouette.engine.errors import ChouetteError
from games.chouette.models import Game, Share
from games.chouette.services.store import JOURNAL, state_of
from harness.chouettes import Hands, at_random
from ledger.selectors import account_balance, rake_balance, wallet_balance
from tests.api.conftest import Program
from tests.chouette.test_services import assert_clean

pytestmark = pytest.mark.slow


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


def test_house_bots_play_with_one_cube(people, chance):
    (one,) = people(1)
    hands = Hands([one], bots=2, cubes="one")
    hands.begin()
    hands.play_out_with_bots(one.pk, at_random(chance, doubles=0.5))
    assert Game.objects.get(circle=hands.circle).ended_at is not None
    assert_clean()


def test_programs_open_and_find_tables_with_one_cube(people):
    one, two = (Program(player) for player in people(2))
    view = one.post("chouettes/open/", {"cubes": "one"}).json()
    assert (view["terms"]["cubes"], view["terms"]["beavers"]) == ("one", False)
    (row,) = two.get("chouettes/").json()
    assert (row["cubes"], row["beavers"]) == ("one", False)
    wrong = two.post("chouettes/open/", {"cubes": "two"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid")
