"""Stored tables with the rule for the lone taker: what is offered, credits, and how to open one."""

import random
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.chouette import commands as cmd
from games.chouette.engine.errors import ChouetteError
from games.chouette.models import Circle, Share
from games.chouette.services.opening import circle_open
from games.chouette.services.store import JOURNAL, state_of
from games.table.errors import BadTerms
from harness.chouettes import CUBES_OVER_MS, Hands, at_random
from tests.api.conftest import Program
from tests.chouette.test_services import assert_clean

pytestmark = pytest.mark.slow

FORM = {"rate_cents": 0, "limit_points": 8, "consulting": "own_cube", "bots": 0}


@pytest.fixture
def doubled(people) -> Hands:
    """A table for credits at which the box has doubled all three members."""
    hands = Hands(people(4, 10_000), rate_cents=10, lone_taker="beavers")
    hands.begin()
    choose = at_random(random.Random(5), doubles=0)
    while not hands.view(box_of(hands))["actions"].get("box_doubles"):
        hands.step(choose)
    view = hands.view(box_of(hands))
    players = tuple(each["player"] for each in view["actions"]["box_doubles"])
    assert len(players) == 3
    hands.do(box_of(hands), cmd.BoxDoubles(turn=view["turn"], players=players))
    return hands


def box_of(hands: Hands) -> int:
    return int(hands.view()["people"][0]["id"])


def answer(hands: Hands, answer: Any) -> dict[str, Any]:
    """The next member answers; what they were offered."""
    (member,) = hands.view()["waits_for"]
    view = hands.view(member)
    hands.do(member, cmd.AnswerDouble(turn=view["turn"], answer=answer))
    return dict(view["actions"]["answer"])


def test_a_take_comes_back_and_a_beaver_puts_the_cube_at_four(doubled):
    hands = doubled
    asked = [answer(hands, each) for each in ("take", "drop", "drop")]
    assert [each["take_may_return"] for each in asked] == [True, False, False]
    assert {each["may_take"] for each in asked} == {True}
    (captain,) = hands.view()["waits_for"]
    view = hands.view(captain)
    with pytest.raises(ChouetteError) as refused:
        hands.do(captain, cmd.AnswerDouble(turn=view["turn"], answer="take"))
    assert refused.value.code == "bad_answer"
    assert answer(hands, "beaver")["may_take"] is False
    view = hands.view(box_of(hands))
    hands.do(box_of(hands), cmd.BoxBeaverAnswers(turn=view["turn"], accepts={captain: True}))
    cube = next(each for each in hands.view()["cubes"] if each["player"] == captain)
    assert (cube["value"], cube["owner"]) == (4, "team")
    assert JOURNAL.replayed(hands.row()) == state_of(hands.row())
    hands.do(box_of(hands), cmd.StandUpNow())  # and loses a backgammon, up to the limit of 8 points
    share = Share.objects.get(game__circle=hands.circle, user=captain)
    assert (share.box_points, share.paid_cents) == (-8, 80 + 72)
    assert_clean()


def test_a_lone_taker_who_does_not_answer_again_drops(doubled):
    hands = doubled
    for each in ("take", "drop", "drop"):
        answer(hands, each)
    hands.later(CUBES_OVER_MS)
    assert hands.view()["phase"] == "between_games"
    shares = Share.objects.filter(game__circle=hands.circle, box_points__isnull=False)
    assert {share.box_points for share in shares} == {1}
    assert_clean()


def test_the_rule_needs_beavers(people):
    (one,) = people(1)
    for rules in ({"beavers": False}, {"cubes": "one"}):
        with pytest.raises(BadTerms):
            circle_open(user=one, lone_taker="beavers", **rules)
    refused = Program(one).post("chouettes/open/", {"lone_taker": "beavers", "beavers": False})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["lone_taker"])
    view = Program(one).post("chouettes/open/", {"lone_taker": "beavers"}).json()
    assert view["terms"]["lone_taker"] == "beavers"


@pytest.mark.parametrize(
    ("chosen", "terms"),
    [
        ({"cubes": "each", "beavers": "on"}, ("each", True, "beavers")),
        ({"cubes": "each"}, ("each", False, "free")),
        ({"cubes": "one", "beavers": "on"}, ("one", False, "free")),
    ],
)
def test_the_form_leaves_out_what_it_does_not_show(people, chosen, terms):
    (one,) = people(1)
    assert opened(one, {**FORM, **chosen, "lone_taker": "beavers"}) == terms


def opened(user: User, form: dict[str, Any]) -> tuple[str, bool, str]:
    """The terms of a table that this form opened."""
    client = Client()
    client.force_login(user)
    assert client.post("/chouette/open/", form).status_code == 302
    terms = Circle.objects.get().terms
    return terms["cubes"], terms["beavers"], terms["lone_taker"]
