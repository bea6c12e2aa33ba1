"""What programs read over REST is what the house plays: terms, own tables, running matches."""

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from typing import Any, get_args

import pytest
from django.utils import timezone

from accounts.models import User
from backgammon.bots.strength import LEVELS, STRENGTHS
from games.api.serializers import TermsSerializer
from games.api.wishes import GameWishesSerializer, has_base
from games.live.presence import GONE_SECONDS, _key
from games.models import Match, Table
from games.modes.choices import RULE_FIELDS
from games.modes.registry import OPENED
from games.modes.terms import ClockName, Terms, Wishes
from games.services import bars, people
from games.services.tables import table_command
from games.table import commands as cmd
from games.table.errors import Later, TableError
from games.tasks import sweep_lobby
from kit.errors import Refusal
from kit.valkey.clients import client
from ledger.errors import (
    AccountFrozen,
    InsufficientCredits,
    LimitReached,
    NoStakes,
    PlayPaused,
    StakesStopped,
)
from tests.api.conftest import Program
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def hilde(db: None) -> Program:
    return Program(User.objects.create_user("hilde"))


@pytest.fixture
def magriel(db: None) -> Program:
    return Program(User.objects.create_user("magriel"))


def user(name: str) -> User:
    return User.objects.get(username=name)


# --- fields that are not there, or contradict the mode --------------------------------------------


def test_t06_every_wish_of_the_house_is_a_field():
    wishes = set(Wishes.__struct_fields__) - {"watchers"}
    assert set(GameWishesSerializer().fields) == wishes


def test_t07_every_term_is_shown():
    terms = set(Terms.__struct_fields__) - {"mode"}
    assert set(TermsSerializer().fields) == terms | {"pot_cents", "rake_cents", "limit_points"}


ADDRESSES = {
    "tables/open/": {},
    "tables/pair/": {},
    "challenges/make/": {"opponent": "magriel"},
}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("wishes", "field", "code"),
    [
        ({"mode": "normal", "jackoby": True}, "jackoby", "invalid"),
        ({"mode": "normal", "stake": 250}, "stake", "invalid"),
        ({"mode": "normal", "stake_cents": 250}, "stake_cents", "not_offered"),
        ({"mode": "prize5", "stake_cents": 300}, "stake_cents", "not_offered"),
        ({"mode": "prize5", "stake_cents": 250, "has_cube": False}, "has_cube", "not_offered"),
        ({"mode": "prize5", "stake_cents": 250, "variant": "tapa"}, "variant", "not_offered"),
        ({"mode": "normal", "variant": "plakoto", "has_cube": True}, "has_cube", "not_offered"),
        ({"mode": "normal", "target_points": 5}, "target_points", "not_offered"),
        ({"mode": "normal", "holland": True}, "holland", "not_offered"),
        ({"mode": "stake", "stake_cents": 50}, "stake_cents", "not_offered"),
        ({"mode": "stake", "rate_cents": 1}, "rate_cents", "not_offered"),
        ({"mode": "normal", "extra_roll": False}, "extra_roll", "not_offered"),
    ],
    ids=str,
)
def test_t06_a_wish_that_is_not_granted_is_named(hilde, magriel, address, wishes, field, code):
    refused = hilde.post(address, {**wishes, **ADDRESSES[address]})
    answer = refused.json()
    assert (refused.status_code, answer["code"]) == (400, code), answer
    assert list(answer["fields"]) == [field]
    assert not Table.objects.exists()


def test_t06_an_unknown_filter_is_named(hilde):
    refused = hilde.get("matches/", state="running", opponent="magriel")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["opponent"])


def test_t07_the_stake_is_what_goes_into_escrow(hilde):
    shown = hilde.post("tables/open/", {"mode": "stake", "rate_cents": 50}).json()
    assert (shown["stake_cents"], shown["terms"]["stake_cents"]) == (500, 500)
    assert shown["terms"]["rate_cents"] == 50


def test_t07_a_table_shows_the_rules_that_were_asked_for(hilde, magriel):
    asked = {"jacoby": True, "beavers": True, "cube_cap": 8, "start_rule": "roll_off_reroll"}
    wishes = {"mode": "normal", "clock": "fast", **asked}
    terms = hilde.post("tables/open/", wishes).json()["terms"]
    assert {name: terms[name] for name in asked} == asked
    assert (terms["clock"], terms["delay_ms"]) == ("fast", 8000)
    assert [table["terms"] for table in magriel.get("tables/").json()] == [terms]


# --- what the house offers ------------------------------------------------------------------------


def test_t07_the_modes_are_those_of_the_house(hilde):
    offered = Program(None).get("modes/").json()
    assert [mode["key"] for mode in offered["modes"]] == [mode.key for mode in OPENED]
    fields = {rule["field"] for rule in offered["rules"]}
    for mode in offered["modes"]:
        for variant in mode["variants"]:
            rules = {rule["field"]: rule["default"] for rule in variant["rules"]}
            assert set(rules) <= fields
    assert {clock["key"] for clock in offered["clocks"]} == set(get_args(ClockName)) - {"none"}
    amounts = {mode["key"]: mode["amounts"] for mode in offered["modes"]}
    unbounded = dict.fromkeys(("least", "most", "times_of", "least_times", "most_times"))
    assert amounts["prize5"] == [{"field": "stake_cents", "values": [250, 500], **unbounded}]
    assert [(a["field"], a["least"]) for a in amounts["stake"]] == [("rate_cents", 10)]


def test_t07_the_bounds_of_a_bank_are_those_the_house_takes(hilde):
    session = next(m for m in hilde.get("modes/").json()["modes"] if m["key"] == "session")
    rate, bank = session["amounts"]
    assert (rate["field"], bank["field"], bank["times_of"]) == (
        "rate_cents",
        "bank_cents",
        "rate_cents",
    )
    assert bank["least"] == bank["least_times"] * rate["least"]
    wishes = {"mode": "session", "rate_cents": rate["least"]}
    least, most = (times * rate["least"] for times in (bank["least_times"], bank["most_times"]))
    for cents, status in ((least - 1, 400), (least, 201), (most, 201), (most + 1, 400)):
        answer = hilde.post("tables/open/", {**wishes, "bank_cents": cents})
        assert answer.status_code == status, (cents, answer.json())
        if status == 201:
            hilde.post(f"tables/{answer.json()['id']}/close/")
        else:
            assert list(answer.json()["fields"]) == ["bank_cents"]


def test_t07_what_is_offered_opens_a_table(hilde):
    """Every mode that needs no range of amounts, by its first variant and all its defaults."""
    for mode in hilde.get("modes/").json()["modes"]:
        amounts = {a["field"]: a["values"][0] for a in mode["amounts"] if a["values"]}
        if len(amounts) < len(mode["amounts"]):
            continue
        rules = {rule["field"]: rule["default"] for rule in mode["variants"][0]["rules"]}
        opened = hilde.post("tables/open/", {"mode": mode["key"], **amounts, **rules})
        assert opened.status_code == 201, (mode["key"], opened.json())
        assert {name: opened.json()["terms"][name] for name in rules} == rules
        hilde.post(f"tables/{opened.json()['id']}/close/")


def test_t07_modes_speak_the_language_that_is_asked_for():
    german = Program(None)
    german.http.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    english = {mode["key"]: mode["name"] for mode in Program(None).get("modes/").json()["modes"]}
    named = {
        mode["key"]: mode["name"]
        for mode in german.http.get("/api/v1/modes/", headers={"accept-language": "de"}).json()[
            "modes"
        ]
    }
    assert named.keys() == english.keys()
    assert named["prize5"] != english["prize5"]


def fields_of_modes() -> str:
    """The table of docs/api.md: each mode with the fields that it takes in some variant."""
    rows = ["| mode | fields |", "|---|---|"]
    for mode in OPENED:
        base = has_base(mode.key)
        names = ["rate_cents" if base and n == "stake_cents" else n for n in mode.amounts]
        names += ["variant"] if "variant" in mode.asks else []
        offered = {rule.field for key in mode.variants for rule in mode.rules_offered(key)}
        names += [field for field in RULE_FIELDS if field in offered]
        rows.append(f"| `{mode.key}` | {', '.join(f'`{name}`' for name in names)} |")
    return "\n".join(rows)


def test_t07_the_fields_of_each_mode_are_documented():
    prose = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert fields_of_modes() in prose, fields_of_modes()


def test_every_reason_against_a_seat_is_documented():
    found = [*vars(people).values(), *vars(bars).values()]
    ours = [each for each in found if isinstance(each, type) and issubclass(each, Refusal)]
    books = (LimitReached, NoStakes, PlayPaused, StakesStopped, InsufficientCredits, AccountFrozen)
    prose = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    codes = {each.code for each in (*ours, *books)} - {TableError.code, Later.code}
    assert "barred_for_good" in codes
    assert sorted(code for code in codes if f"`{code}`" not in prose) == []


def test_a_program_reads_whether_a_bar_is_about_one_player_or_all(hilde, magriel):
    opened = magriel.post("tables/open/", {"mode": "normal"}).json()["id"]
    one, two = sorted((user("hilde").pk, user("magriel").pk))
    until = timezone.now() + timedelta(hours=1)
    bars.bar_place(user_id=one, other_id=two, kind="meeting", reference="case:1", ends_at=until)
    refused = hilde.post(f"tables/{opened}/join/")
    assert (refused.status_code, refused.json()["code"]) == (429, "barred")
    assert 0 < int(refused.headers["Retry-After"]) <= 3_600
    assert "with this player" in refused.json()["message"]
    bars.bar_place(user_id=user("hilde").pk, kind="lobby", reference="case:2")
    refused = hilde.post("tables/open/", {"mode": "normal"})
    assert (refused.status_code, refused.json()["code"]) == (409, "barred_for_good")
    assert "with this player" not in refused.json()["message"]


# --- practice -------------------------------------------------------------------------------------


def test_t07_practice_is_opened_with_any_of_its_rules(hilde):
    offer = hilde.get("modes/").json()["practice"]
    opponents = [opponent["key"] for opponent in offer["opponents"]]
    variants = {variant["key"]: variant["rules"] for variant in offer["variants"]}
    assert opponents == [*STRENGTHS, "alone"]
    assert [opponent["measured"] for opponent in offer["opponents"]] == [
        *(asdict(level.measured) for level in LEVELS),
        None,
    ]
    assert all(opponent["summary"] for opponent in offer["opponents"][:-1])
    for opponent, variant in zip(opponents, variants, strict=False):
        rules = {rule["field"]: rule["values"][-1] for rule in variants[variant]}
        rules |= {"start_rule": "roll_off_use"} if "auto_doubles_max" in rules else {}
        opened = hilde.post("tables/practise/", {"opponent": opponent, "variant": variant, **rules})
        shown = opened.json()
        assert opened.status_code == 201, shown
        assert (shown["mode"], shown["variant"]) == ("practice", variant)
        assert [player["bot"] for player in shown["players"]] == [False, True]
        assert {name: shown["terms"][name] for name in rules} == rules
    plain = hilde.post("tables/practise/", {}).json()
    assert plain["terms"]["clock"] == offer["clock"]


@pytest.mark.parametrize(
    ("wishes", "field", "code"),
    [
        ({"stake_cents": 250}, "stake_cents", "invalid"),
        ({"mode": "normal"}, "mode", "invalid"),
        ({"opponent": "grandmaster"}, "opponent", "invalid"),
        ({"variant": "plakoto", "has_cube": True}, "has_cube", "not_offered"),
        ({"raccoons": True}, "raccoons", "not_offered"),
    ],
    ids=str,
)
def test_t07_practice_refuses_by_name(hilde, wishes, field, code):
    refused = hilde.post("tables/practise/", wishes)
    answer = refused.json()
    assert (refused.status_code, answer["code"], list(answer["fields"])) == (400, code, [field])
    assert not Table.objects.exists()


# --- a program that starts again ------------------------------------------------------------------


@pytest.fixture
def playing(hilde: Program, magriel: Program) -> Callable[..., dict[str, Any]]:
    """hilde and magriel play at a table that hilde opened."""

    def sit(**wishes: Any) -> dict[str, Any]:
        table = hilde.post("tables/open/", {"mode": "normal", **wishes}).json()["id"]
        joined: dict[str, Any] = magriel.post(f"tables/{table}/join/").json()
        return joined

    return sit


def test_t07_a_program_finds_the_table_it_left(hilde, magriel, playing):
    table = playing()
    for program, seat in ((hilde, 0), (magriel, 1)):
        mine = program.get("tables/mine/").json()
        assert [(each["id"], each["seat"], each["match"]) for each in mine] == [
            (table["id"], seat, str(Match.objects.get().pk))
        ]
    assert hilde.get(f"tables/{table['id']}/").json()["phase"] == table["phase"]
    assert Program(User.objects.create_user("tilo")).get("tables/mine/").json() == []


@pytest.mark.parametrize("watchers", [True, False])
def test_t07_running_matches_are_listed_as_far_as_they_are_public(
    hilde, magriel, playing, watchers
):
    table = playing(watchers=watchers)
    match = str(Match.objects.get().pk)
    tilo = Program(User.objects.create_user("tilo"))
    assert hilde.get("matches/").json()["results"] == []
    own = hilde.get("matches/", state="running").json()["results"]
    assert [(each["id"], each["state"], each["winner"]) for each in own] == [
        (match, "running", None)
    ]
    assert tilo.get("matches/", state="running").json()["results"] == []
    everybodys = tilo.get("matches/", state="running", whose="all").json()["results"]
    assert [each["id"] for each in everybodys] == ([match] if watchers else [])
    assert tilo.get(f"tables/{table['id']}/").status_code == (200 if watchers else 404)


def test_t07_a_private_table_is_in_no_list(hilde, magriel, playing):
    playing(private=True, watchers=True)
    tilo = Program(User.objects.create_user("tilo"))
    assert tilo.get("matches/", state="running", whose="all").json()["results"] == []


def hilde_leaves(table: Any) -> None:
    """The match at this table ends: magriel has won it."""
    for number, command in enumerate((cmd.Roll(), cmd.Leave())):
        table_command(
            table_id=table["id"],
            user_id=user("hilde").pk,
            command_id=str(number),
            seen_seq=Table.objects.get().seq,
            command=command,
        )


def test_t07_a_result_names_the_winner(hilde, magriel, playing):
    hilde_leaves(playing())
    match = magriel.get("matches/", result="won").json()["results"][0]
    assert (match["winner"], match["winner_seat"], match["state"]) == ("magriel", 1, "ended")


def test_t07_ranking_and_players_have_their_figures(hilde, magriel, playing):
    hilde_leaves(playing())
    stranger = Program(None)
    rows = stranger.get("ranking/", pool="normal").json()
    assert [(row["rank"], row["name"]) for row in rows["results"]] == [(1, "magriel"), (2, "hilde")]
    player = stranger.get("players/MAGRIEL/").json()
    assert [(s["pool"], s["rank"], s["won"], s["lost"]) for s in player["standings"]] == [
        ("normal", 1, 1, 0)
    ]
    assert stranger.get("players/nobody/").status_code == 404
    assert stranger.get("ranking/", pool="chess").status_code == 404


# --- presence -------------------------------------------------------------------------------------


def test_t07_a_table_opened_by_a_program_stays_open(hilde, settings):
    """Its opener was last seen long before; opening is a sign of life, and so is each request."""
    person = user("hilde").pk

    def unseen_for(seconds: float) -> None:
        client(settings.REDIS_URL).zadd(_key(), {str(person): time.time() - seconds})

    unseen_for(10 * GONE_SECONDS)
    table = hilde.post("tables/open/", {"mode": "normal"}).json()["id"]
    sweep_lobby()
    assert Table.objects.get(pk=table).phase == "open"
    unseen_for(2 * GONE_SECONDS)
    assert hilde.get("tables/mine/").json()[0]["phase"] == "open"
    sweep_lobby()
    assert Table.objects.get(pk=table).phase == "open"
    unseen_for(2 * GONE_SECONDS)
    sweep_lobby()
    assert Table.objects.get(pk=table).phase == "closed"
