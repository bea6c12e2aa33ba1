"""Own errors of every analysed variant as exercises: asked, answered and drawn by its own rules."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from analysis.exercises.themes import theme_of
from analysis.models import DecisionRow
from backgammon.counting.positions import roll_of
from backgammon.counting.situation import CENTRED, Situation
from backgammon.rules.notation import format_play
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from games.models import Match
from harness.logins import logged_in
from tests.analysis.errors import error_of
from tests.face.inspection import findings, settle

VARIANTS = ("nackgammon", "hypergammon", "fevga", "long_nardi")
TURNS = 9


def situation_of_walk(key: str) -> tuple[Situation, tuple[int, int]]:
    """A position after some turns at random, with a roll that leaves a choice."""
    variant, chance = by_key(key), Random(3)
    position = variant.start
    for turn in range(1000):
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        ends = [result for _moves, result in variant.legal_plays(position, dice).graph.ends()]
        if turn >= TURNS and dice[0] != dice[1] and len(ends) > 3:
            return Situation(position, CENTRED, variant.has_cube, variant=key), dice
        position = chance.choice(ends).turned(variant.way)
    raise AssertionError("no roll left a choice")


def error_in(match: Match, key: str) -> DecisionRow:
    """An error of seat 0 in this variant; the first play of the roll is the best one."""
    variant = by_key(key)
    situation, dice = situation_of_walk(key)
    plays = roll_of(situation, dice).choices
    terms = {**match.terms, "variant": key, "has_cube": variant.has_cube}
    Match.objects.filter(pk=match.pk).update(variant=key, terms=terms)
    match.refresh_from_db()
    options = [
        {
            "text": format_play(variant, situation.position, play.moves),
            "equity": -0.06 * number,
            "ply": 2,
            "chances": [0.5, 0.1, 0.0, 0.1, 0.0],
        }
        for number, play in enumerate(plays[:4])
    ]
    xgid = Xgid(position=situation.position, dice=dice).text()
    return error_of(match, line={"xgid": xgid, "options": options, "dice": list(dice)})


def page(reader: User) -> Client:
    return logged_in(Client(headers={"accept-language": "en"}), reader)


@pytest.mark.django_db
@pytest.mark.parametrize("key", VARIANTS)
def test_an_own_error_is_asked_and_answered_by_the_rules_of_its_variant(
    played: Match, key: str
) -> None:
    row = error_in(played, key)
    client, address = page(played.player_0), f"/exercises/own-{row.pk}/"
    question = client.get(address)
    variant = by_key(key)
    assert question.context["data"]["way"] == variant.way.value
    assert (question.context["data"]["cube"] is None) != variant.has_cube
    text = question.content.decode()
    assert str(variant.name) in text
    assert "unlimited" in text
    best, worst = (row.line["options"][number]["text"] for number in (0, -1))
    found = client.post(address, {"play": best}, follow=True).content.decode()
    assert "Found: " in found
    assert "Analysis board</a>" not in found
    wrong = client.post(address, {"play": worst}, follow=True).content.decode()
    assert "bg-arrow bg-best" in wrong
    assert client.post(address, {"play": "1/24"}).status_code == 400


@pytest.mark.parametrize("key", VARIANTS)
def test_the_start_is_an_opening(key: str) -> None:
    situation = Situation(by_key(key).start, CENTRED, by_key(key).has_cube, variant=key)
    assert theme_of("play", situation) == "opening"


def test_a_single_checker_holds_a_point_where_nothing_is_hit() -> None:
    """Four points in a row with a checker behind them, one checker on each, on the way of Fevga."""
    points = [0] * 24
    points[23], points[7], points[6], points[5], points[4] = 10, 1, 1, 1, 1
    points[11], points[20] = -10, -5
    points[3] = 1
    position = Position(points=tuple(points))
    fevga = Situation(position, CENTRED, False, variant="fevga")
    assert theme_of("play", fevga) == "priming"
    assert theme_of("play", Situation(position, CENTRED, variant="backgammon")) != "priming"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_game_in_one_direction_is_played_on_its_board(played: Match, player: Any) -> None:
    """Fevga's board shows without a fault, and a play that is typed below it is graded."""
    row = error_in(played, "fevga")
    shown = player(played.player_0.username, locale="de-DE")
    shown.goto(f"/exercises/own-{row.pk}/")
    shown.locator("#exercise[data-state=asked] svg.bg").wait_for()
    settle(shown)
    assert findings(shown, "de") == []
    shown.locator("#exercise-play").fill(row.line["options"][0]["text"])
    shown.locator("#exercise-confirm").click()
    expect(shown.locator("#exercise-title")).to_contain_text("Gefunden: ")
    assert shown.problems == []
