"""Chouettes for programs: three play one for credits, a bot plays a free one, refusals."""

import inspect
import random
import re
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.tokens import token_make
from games.chouette import view
from games.chouette.frames import ChouetteActions
from games.chouette.models import Circle, Game
from games.chouette.pace import PAUSE_MS, ROLL_MS
from games.chouette.services.playing import chouette_move_on
from harness.chouettes import at_random
from kit.api import serializer_of
from tests.api.conftest import Program

OPEN = {"rate_cents": 10, "limit_points": 4, "consulting": "always", "jacoby": False}


def later(table: str, ms: int) -> None:
    """Let so much time pass at this table."""
    circle = Circle.objects.get(pk=table)
    pace = {
        name: value - ms if name.endswith("_ms") and isinstance(value, int) else value
        for name, value in circle.pace.items()
    }
    Circle.objects.filter(pk=table).update(pace=pace)
    chouette_move_on(circle.pk)


def command(choice: Any) -> Any:
    """A chosen command as JSON."""
    plain = msgspec.to_builtins(choice, str_keys=True)
    return {"do": plain.pop("type"), **plain}


def played(programs: dict[int, Program], table: str, chance: random.Random) -> Any:
    """Play the next game through the interface; the last view."""
    later(table, PAUSE_MS)
    choose, one = at_random(chance), next(iter(programs.values()))
    for _ in range(2_000):
        cache.clear()  # a long game asks more often than programs may within a minute
        view = one.get(f"chouettes/{table}/").json()
        if view["phase"] == "between_games":
            return view
        if not view["waits_for"]:
            later(table, 3 * ROLL_MS)
            continue
        player = view["waits_for"][0]
        mine = programs[player].get(f"chouettes/{table}/").json()
        answer = programs[player].post(f"chouettes/{table}/do/", command(choose(mine, player)))
        assert answer.status_code == 200, answer.json()
        assert answer.json()["me"] == player
    raise AssertionError("the game does not end")


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
def test_three_programs_play_for_credits(people, chance):
    programs = {player.pk: Program(player) for player in people(3, 10_000)}
    one, two, three = programs.values()
    opened = one.post("chouettes/open/", OPEN)
    assert opened.status_code == 201
    view = opened.json()
    assert view["terms"]["limit_cents"] == 40
    assert (view["terms"]["consulting"], view["terms"]["jacoby"]) == ("always", False)
    (row,) = two.get("chouettes/").json()
    assert (row["id"], row["is_mine"], row["people_count"]) == (view["id"], False, 1)
    for program in (two, three):
        sat = program.post(f"chouettes/{row['id']}/do/", {"do": "sit"})
        assert "stand_up" in sat.json()["actions"]
    assert one.get("chouettes/").json()[0]["is_mine"] is True
    view = played(programs, row["id"], chance)
    game = Game.objects.get(circle=row["id"])
    assert game.ended_at is not None
    assert sum(view["ledger"].values()) == -game.rake_cents
    assert one.post(f"chouettes/{row['id']}/do/", {"do": "stand_up"}).json()["seat"] is None


def test_refusals_have_codes(people):
    one, two = (Program(player) for player in people(2, 100))
    table = one.post("chouettes/open/", {}).json()["id"]
    do = f"chouettes/{table}/do/"
    assert code(one.post("chouettes/open/", {})) == (409, "sits_elsewhere")
    assert code(two.post("chouettes/open/", {"rate_cents": 100})) == (409, "stake_not_possible")
    wrong = two.post("chouettes/open/", {"rate_cents": 7})
    assert code(wrong) == (400, "not_offered")
    assert list(wrong.json()["fields"]) == ["rate_cents"]
    assert code(two.post("chouettes/open/", {"rate_cents": 10, "bots": 1})) == (400, "not_offered")
    for body in ({"stake": 1}, {"rate_cents": "10"}, {"jacoby": 1}, {"consulting": "seldom"}, []):
        assert code(two.post("chouettes/open/", body)) == (400, "invalid")
    for body in ({}, [], {"do": "cheat"}, {"do": "decide"}, {"do": "wake", "turn": 1}):
        assert code(two.post(do, body)) == (400, "invalid")
    missing = two.post(do)
    assert code(missing) == (400, "invalid")
    assert "do" in missing.json()["fields"]
    assert code(two.post(do, {"do": "start"})) == (403, "not_seated")
    play = {"do": "play", "turn": 99, "moves": []}
    assert code(one.post(do, play)) == (409, "stale")
    assert code(one.post(do, {"do": "box_answers", "turn": 1, "answers": {"7": "take"}}))[0] == 409
    assert code(one.post(do, {"do": "tip", "game": "x", "tip": "ab" * 32})) == (409, "dice_refused")
    one.post(do, {"do": "stand_up"})
    assert code(one.post(do, {"do": "sit"})) == (409, "chouette_closed")
    assert code(one.post(f"chouettes/{uuid4()}/do/", {"do": "sit"})) == (404, "not_found")
    assert code(one.get(f"chouettes/{uuid4()}/")) == (404, "not_found")


def test_nothing_is_shown_or_done_without_a_login(people):
    (one,) = (Program(player) for player in people(1))
    table, stranger = one.post("chouettes/open/", {}).json()["id"], Program(None)
    for address in ("chouettes/", f"chouettes/{table}/"):
        assert stranger.get(address).status_code == 401
    for address in ("chouettes/open/", f"chouettes/{table}/do/"):
        assert stranger.post(address, {"do": "sit"}).status_code == 401


def token_of(bot: User, *scopes: str) -> Any:
    """A client that sends a token with these scopes."""
    token = token_make(bot, scopes=list(scopes))
    return Client(headers={"Authorization": f"Bearer {token}", "accept-language": "en"})


@pytest.mark.parametrize(
    ("verb", "address", "scope"),
    [
        ("get", "", "read"),
        ("get", "{table}/", "read"),
        ("post", "open/", "tables"),
        ("post", "{table}/do/", "play"),
    ],
)
def test_each_operation_needs_its_scope(people, verb, address, scope):
    (one,) = people(1)
    table = Program(one).post("chouettes/open/", {}).json()["id"]
    bot = User.objects.create_user("robo", is_bot=True)
    address = "/api/v1/chouettes/" + address.format(table=table)
    body = {"do": "sit"} if scope == "play" else {}
    sent = {} if verb == "get" else {"data": body, "content_type": "application/json"}
    others = {"read", "tables", "play", "wallet"} - {scope}
    refused = getattr(token_of(bot, *others), verb)(address, **sent)
    assert (*code(refused), refused.json()["scope"]) == (403, "scope_missing", scope)
    assert getattr(token_of(bot, scope), verb)(address, **sent).status_code in (200, 201)


def test_a_bot_plays_free_tables_only(people):
    (one,) = people(1, 10_000)
    bot = User.objects.create_user("robo", is_bot=True)
    client = token_of(bot, "read", "tables", "play")
    sent = {"content_type": "application/json"}
    refused = client.post("/api/v1/chouettes/open/", {"rate_cents": 10}, **sent)
    assert code(refused) == (409, "bots_play_normal")
    for_credits = Program(one).post("chouettes/open/", {"rate_cents": 10}).json()["id"]
    refused = client.post(f"/api/v1/chouettes/{for_credits}/do/", {"do": "sit"}, **sent)
    assert code(refused) == (409, "bots_play_normal")
    opened = client.post("/api/v1/chouettes/open/", {"bots": 2}, **sent).json()
    assert [person["bot"] for person in opened["people"]] == [True, True, True]
    later(opened["id"], PAUSE_MS)
    view = client.get(f"/api/v1/chouettes/{opened['id']}/").json()
    assert view["phase"] != "between_games"


# --- what a view offers ---------------------------------------------------------------------------
def test_every_action_of_the_view_is_described_whole() -> None:
    offer = {"player": 7, "value": 2}
    actions: dict[str, Any] = {
        **dict.fromkeys(("sit", "stand_up", "leave_after", "start", "invite_bot"), True),
        **dict.fromkeys(("play", "advise", "confer"), True),
        "decide": {"value": 1},
        "box_doubles": [offer],
        "answer": {**offer, "may_beaver": True, "may_take": False, "take_may_return": False},
        "box_answers": [{**offer, "may_beaver": False}],
        "beaver_answer": {"value": 4, "lose": 2},
        "box_beaver_answers": [{"player": 7, "value": 4, "lose": 2}],
    }
    assert msgspec.to_builtins(msgspec.convert(actions, ChouetteActions)) == actions
    assert serializer_of(ChouetteActions)(actions).data == actions
    assert set(ChouetteActions.__struct_fields__) == set(actions)


def test_the_view_has_no_other_actions() -> None:
    whole = inspect.getsource(view)
    source = whole[whole.index("def _actions") : whole.index("def _offer(")]
    named = set(re.findall(r'(?:actions\["|return \{"|= \{")(\w+)"', source))
    assert named == set(ChouetteActions.__struct_fields__)
