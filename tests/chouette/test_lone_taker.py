"""The house rule for the lone taker: a member who alone takes the box's double beavers or drops."""

import random
from functools import reduce
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.chouette import commands as cmd
from games.chouette.bots import bot_acts
from games.chouette.engine import events as ev
from games.chouette.engine.errors import BadAnswer, ChouetteError, NotYours
from games.chouette.engine.rights import leaving_costs, lone_taker, may_end_alone, waited_for
from games.chouette.engine.state import State, evolve
from games.chouette.engine.table import Chouette
from games.chouette.models import Circle, Share
from games.chouette.services.opening import circle_open
from games.chouette.services.store import JOURNAL, state_of
from games.table.errors import BadTerms
from harness.chouettes import CUBES_OVER_MS, Hands, at_random
from tests.api.conftest import Program
from tests.chouette.conftest import BOX, CAPTAIN, ONE, TEAM, TWO, balances, begun, play_any
from tests.chouette.test_services import assert_clean


def doubled(*members: int, **terms: object) -> Chouette:
    """The box has doubled these members, from the middle."""
    table = begun(**{"lone_taker": "beavers", **terms})
    for player in TEAM:
        table.decide(player, doubles=False)
    table.roll((2, 1))
    play_any(table)
    table.box_doubles(members or TEAM)
    return table


def answered(table: Chouette, *answers: ev.Answer) -> Chouette:
    for answer in answers:
        table.answer(table.state.game.offered[0], answer)
    return table


def test_a_captain_who_took_alone_is_asked_again_with_the_cube_as_it_was():
    table = answered(doubled(), "take", "drop", "drop")
    game = table.state.game
    assert (table.state.phase, game.offered) == ("team_answers", (CAPTAIN,))
    assert waited_for(table.state) == (CAPTAIN,)
    cube = game.cubes[CAPTAIN]
    assert (cube.value, cube.owner, cube.turned) == (1, None, False)
    with pytest.raises(BadAnswer):
        table.answer(CAPTAIN, "take")
    with pytest.raises(NotYours):
        table.answer(ONE, "drop")
    table.answer(CAPTAIN, "beaver")
    assert table.state.phase == "box_answers_beavers"
    table.box_beaver_answers({CAPTAIN: True})
    cube = table.state.game.cubes[CAPTAIN]
    assert (cube.value, cube.owner, table.state.phase) == (4, "team", "roll")
    assert reduce(evolve, table.journal, State(terms=table.terms)) == table.state


def test_a_lone_taker_who_then_drops_pays_the_value_before_the_double():
    table = answered(doubled(), "take", "drop", "drop", "drop")
    assert table.state.phase == "between_games"
    assert balances(table) == [3, -1, -1, -1]


def test_a_box_that_gives_a_lone_beaver_up_pays_what_it_had_offered():
    table = answered(doubled(), "drop", "drop", "beaver")
    table.box_beaver_answers({TWO: False})
    assert balances(table) == [0, -1, -1, 2]


def test_the_last_of_all_knows_that_they_would_be_alone_and_cannot_take():
    table = answered(doubled(), "drop", "drop")
    assert lone_taker(table.state) == TWO
    with pytest.raises(BadAnswer):
        table.answer(TWO, "take")
    table.answer(TWO, "beaver")
    assert not any(isinstance(event, ev.TakeReturned) for event in table.journal)


@pytest.mark.parametrize("answers", [("take", "take", "drop"), ("take", "beaver", "drop")])
def test_two_who_play_on_are_not_alone(answers):
    table = answered(doubled(), *answers)
    assert table.state.phase == "roll" if "beaver" not in answers else "box_answers_beavers"
    if table.state.game.beavers:
        table.box_beaver_answers({ONE: False})
    assert table.state.phase == "roll", "the other's cube was given up, not dropped"


def test_two_who_were_doubled_are_too_few_for_the_rule():
    table = answered(doubled(CAPTAIN, ONE), "take", "drop")
    assert table.state.phase == "roll"


def test_a_lone_beaver_at_the_first_answer_is_asked_nothing_more():
    table = answered(doubled(), "beaver", "drop", "drop")
    assert table.state.phase == "box_answers_beavers"


def test_the_rule_is_off_without_beavers_with_one_cube_and_at_the_cap():
    for terms in ({"beavers": False}, {"cubes": "one"}, {"cube_cap": 2}, {"lone_taker": "free"}):
        table = begun(**{"lone_taker": "beavers", **terms})
        for player in TEAM[:1] if "cubes" in terms else TEAM:
            table.decide(player, doubles=False)
        table.roll((2, 1))
        play_any(table)
        table.box_doubles(TEAM)
        assert not may_end_alone(table.state)
        answered(table, "take", "drop", "drop")
        assert table.state.phase == "roll", terms


def test_one_who_leaves_instead_of_answering_leaves_the_taker_alone():
    table = answered(doubled(), "take", "drop")
    table.stand_up(TWO)
    assert lone_taker(table.state) == CAPTAIN
    assert leaving_costs(table.state, CAPTAIN) == (1,)
    table.stand_up(CAPTAIN)
    assert table.state.phase == "between_games"
    assert balances(table) == [3, -1, -1, -1]


def test_one_who_leaves_after_the_answers_changes_nothing_for_the_other_taker():
    table = answered(doubled(), "take", "take", "drop")
    table.stand_up(ONE)
    assert (table.state.phase, lone_taker(table.state)) == ("roll", None)


def test_a_box_that_leaves_while_the_taker_is_asked_settles_for_the_old_value():
    table = answered(doubled(), "take", "drop", "drop")
    table.stand_up(BOX)
    assert balances(table, CAPTAIN, ONE, TWO) == [1, -1, -1]


def test_a_redouble_goes_back_to_the_box():
    table = begun(lone_taker="beavers")
    for player in TEAM:
        table.decide(player, doubles=True)
    table.box_answers(dict.fromkeys(TEAM, "take"))
    table.roll((2, 1))
    play_any(table)
    table.box_doubles(TEAM)
    answered(table, "drop", "take", "drop")
    cube = table.state.game.cubes[ONE]
    assert (cube.value, cube.owner, cube.turned) == (2, "box", True)
    table.answer(ONE, "drop")
    assert balances(table) == [6, -2, -2, -2]


def test_members_know_whether_their_take_may_come_back():
    table = doubled()
    assert may_end_alone(table.state)
    table.answer(CAPTAIN, "take")
    assert not may_end_alone(table.state), "with a second taker nobody is alone"


def test_a_house_bot_beavers_or_drops():
    for seed in range(12):
        table = answered(doubled(), "take", "drop", "drop")
        bot_acts(table, CAPTAIN, "beginner", str(seed))
        assert table.state.phase in ("box_answers_beavers", "between_games")


# --- stored tables --------------------------------------------------------------------------------
FORM = {"rate_cents": 0, "limit_points": 8, "consulting": "own_cube", "bots": 0}


@pytest.fixture
def doubled_by_the_box(people) -> Hands:
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


@pytest.mark.slow
def test_a_take_comes_back_and_a_beaver_puts_the_cube_at_four(doubled_by_the_box):
    hands = doubled_by_the_box
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


@pytest.mark.slow
def test_a_lone_taker_who_does_not_answer_again_drops(doubled_by_the_box):
    hands = doubled_by_the_box
    for each in ("take", "drop", "drop"):
        answer(hands, each)
    hands.later(CUBES_OVER_MS)
    assert hands.view()["phase"] == "between_games"
    shares = Share.objects.filter(game__circle=hands.circle, box_points__isnull=False)
    assert {share.box_points for share in shares} == {1}
    assert_clean()


@pytest.mark.slow
def test_the_rule_needs_beavers(people):
    (one,) = people(1)
    for rules in ({"beavers": False}, {"cubes": "one"}):
        with pytest.raises(BadTerms):
            circle_open(user=one, lone_taker="beavers", **rules)
    refused = Program(one).post("chouettes/open/", {"lone_taker": "beavers", "beavers": False})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["lone_taker"])
    view = Program(one).post("chouettes/open/", {"lone_taker": "beavers"}).json()
    assert view["terms"]["lone_taker"] == "beavers"


@pytest.mark.slow
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
