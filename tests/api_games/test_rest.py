"""Tables and matches over the interface for programs."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from accounts.tokens import token_make
from games.api import tables as api_of_tables
from games.models import Match
from games.services.tables import table_command
from games.table import commands as cmd
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def hilde(db: None) -> Program:
    return Program(User.objects.create_user("hilde"))


@pytest.fixture
def magriel(db: None) -> Program:
    return Program(User.objects.create_user("magriel"))


def test_a_table_is_opened_found_joined(hilde, magriel) -> None:
    opened = hilde.post("tables/open/", {"mode": "prize5", "stake_cents": 250, "watchers": False})
    assert opened.status_code == 201
    assert opened.json()["watchers"] is False
    assert [table["id"] for table in magriel.get("tables/").json()] == [opened.json()["id"]]
    joined = magriel.post(f"tables/{opened.json()['id']}/join/").json()
    assert joined["phase"] == "roll"
    assert [player["name"] for player in joined["players"]] == ["hilde", "magriel"]
    assert magriel.get("tables/").json() == []


def test_a_table_is_closed_by_its_opener_alone(hilde, magriel) -> None:
    table = hilde.post("tables/open/", {"mode": "normal"}).json()["id"]
    assert magriel.post(f"tables/{table}/close/").status_code == 403
    assert hilde.post(f"tables/{table}/close/").json()["phase"] == "closed"


def test_unknown_tables_and_matches_are_not_found(hilde) -> None:
    assert hilde.post(f"tables/{uuid4()}/join/").status_code == 404
    assert hilde.get(f"matches/{uuid4()}/").status_code == 404


def test_a_bot_comes_in_with_its_token_and_stakes_nothing() -> None:
    bot = Program(None)
    bot.http.defaults["HTTP_AUTHORIZATION"] = (
        f"Bearer {token_make(User.objects.create_user('robo', is_bot=True))}"
    )
    refused = bot.post("tables/open/", {"mode": "prize5", "stake_cents": 250})
    assert (refused.status_code, refused.json()["code"]) == (409, "bots_play_normal")
    assert bot.post("tables/open/", {"mode": "normal"}).json()["players"][0]["bot"] is True


def test_ones_matches_are_listed(hilde, magriel) -> None:
    table = hilde.post("tables/open/", {"mode": "prize5", "stake_cents": 250}).json()["id"]
    magriel.post(f"tables/{table}/join/")
    opener = User.objects.get(username="hilde")
    for command in (cmd.Roll(), cmd.Leave()):
        table_command(
            table_id=table,
            user_id=opener.pk,
            command_id=str(uuid4()),
            seen_seq=Match.objects.get().table.seq,
            command=command,
        )
    page = hilde.get("matches/", result="lost").json()
    assert [match["players"] for match in page["results"]] == [["hilde", "magriel"]]
    assert page["next_page"] is None
    assert hilde.get("matches/", result="won").json()["results"] == []
    one = magriel.get(f"matches/{page['results'][0]['id']}/").json()
    assert (one["winner_seat"], one["paid_cents"]) == (1, [0, 450])


PRIZE5 = {"mode": "prize5", "stake_cents": 250}


def test_two_who_ask_for_the_same_are_paired(hilde, magriel) -> None:
    waiting = hilde.post("tables/pair/", PRIZE5).json()
    assert (waiting["found"], waiting["table"]["phase"]) == (False, "open")
    assert hilde.post("tables/pair/", PRIZE5).json() == waiting  # repeated: the same table
    found = magriel.post("tables/pair/", {**PRIZE5, "strength_span": 0}).json()
    assert (found["found"], found["table"]["id"]) == (True, waiting["table"]["id"])
    assert found["table"]["phase"] == "roll"
    other = {"mode": "normal"}
    assert hilde.post("tables/pair/", other).json()["found"] is False
    refused = hilde.post("tables/pair/", PRIZE5)
    assert (refused.status_code, refused.json()["code"]) == (409, "one_open_table")


def test_a_challenge_is_made_found_and_accepted(hilde, magriel) -> None:
    made = hilde.post("challenges/make/", {**PRIZE5, "opponent": "MAGRIEL"})
    assert made.status_code == 201
    challenge = made.json()
    assert (challenge["challenger"], challenge["challenged"]) == ("hilde", "magriel")
    assert (challenge["state"], challenge["table"]) == ("waiting", None)
    assert magriel.get("challenges/").json() == [challenge]
    assert hilde.get("challenges/").json() == []
    table = magriel.post(f"challenges/{challenge['id']}/accept/").json()
    assert table["phase"] == "roll"
    assert magriel.post(f"challenges/{challenge['id']}/accept/").json() == table
    after = hilde.get(f"challenges/{challenge['id']}/").json()
    assert (after["state"], after["table"]) == ("accepted", table["id"])


def test_a_challenge_is_declined_or_withdrawn_once(hilde, magriel) -> None:
    first = hilde.post("challenges/make/", {**PRIZE5, "opponent": "magriel"}).json()["id"]
    assert hilde.post(f"challenges/{first}/withdraw/").json()["state"] == "withdrawn"
    refused = magriel.post(f"challenges/{first}/accept/")
    assert (refused.status_code, refused.json()["code"]) == (409, "challenge_over")
    second = hilde.post("challenges/make/", {**PRIZE5, "opponent": "magriel"}).json()["id"]
    assert magriel.post(f"challenges/{second}/decline/").json()["state"] == "declined"
    again = hilde.post("challenges/make/", {**PRIZE5, "opponent": "magriel"})
    assert (again.status_code, again.json()["code"]) == (409, "declined_lately")


def test_a_challenge_of_others_does_not_exist(hilde, magriel) -> None:
    tilo = Program(User.objects.create_user("tilo"))
    made = hilde.post("challenges/make/", {**PRIZE5, "opponent": "magriel"}).json()["id"]
    assert tilo.get(f"challenges/{made}/").status_code == 404
    for verb in ("accept", "decline", "withdraw"):
        assert tilo.post(f"challenges/{made}/{verb}/").status_code == 404
    # each of the two has their own part in it
    assert hilde.post(f"challenges/{made}/accept/").status_code == 409
    assert magriel.post(f"challenges/{made}/withdraw/").status_code == 409
    assert magriel.get(f"challenges/{made}/").json()["state"] == "waiting"


@pytest.mark.parametrize(
    ("address", "wishes", "status", "code"),
    [
        ("tables/open/", {"mode": "chess"}, 400, "invalid"),
        ("tables/open/", {"mode": "normal", "has_cube": "yes"}, 400, "invalid"),
        ("tables/open/", {"mode": "stake", "rate_cents": 10_000}, 409, "insufficient_credits"),
        ("tables/pair/", {"mode": "practice"}, 400, "invalid"),
        ("tables/pair/", {**PRIZE5, "strength_span": 6}, 400, "invalid"),
        ("tables/pair/", {**PRIZE5, "strength_span": "1"}, 400, "invalid"),
        ("challenges/make/", {**PRIZE5, "opponent": "nobody"}, 409, "nobody_there"),
        ("challenges/make/", {**PRIZE5, "opponent": "hilde"}, 409, "nobody_there"),
        ("challenges/make/", {"mode": "normal"}, 400, "invalid"),
    ],
)
def test_what_cannot_be_is_refused(hilde, magriel, address, wishes, status, code) -> None:
    """Wishes that are not granted are in test_t07_programs, at each of these addresses."""
    answer = hilde.post(address, wishes)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


# --- finding open tables --------------------------------------------------------------------------
WISHES: tuple[dict[str, Any], ...] = (
    {"mode": "normal"},
    {"mode": "tavli", "target_points": 5},
    {"mode": "normal", "variant": "nackgammon"},
    {"mode": "prize5", "stake_cents": 500},
    {"mode": "prize3", "stake_cents": 250},
)


@pytest.fixture
def opened(db: None) -> list[str]:
    """Five tables, the oldest first."""
    found = []
    for number, wishes in enumerate(WISHES):
        answer = Program(User.objects.create_user(f"opener{number}")).post("tables/open/", wishes)
        assert answer.status_code == 201, answer.json()
        found.append(answer.json()["id"])
    return found


@pytest.fixture
def reader(db: None) -> Program:
    return Program(User.objects.create_user("hilde"))


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"mode": "normal"}, [0, 2]),
        ({"variant": "nackgammon"}, [2]),
        ({"variant": "tavli"}, [1]),
        ({"stake_cents_most": 250}, [0, 1, 2, 4]),
        ({"stake_cents_most": 0, "variant": "backgammon"}, [0]),
    ],
)
def test_tables_are_found_by_what_they_are(reader, opened, asked, wanted):
    found = [table["id"] for table in reader.get("tables/", **asked).json()]
    assert found == [opened[number] for number in wanted]


def test_the_next_answer_follows_the_last_table(reader, opened, monkeypatch):
    monkeypatch.setattr(api_of_tables, "TABLES_MAX", 2)
    answers = [[table["id"] for table in reader.get("tables/").json()]]
    while answers[-1]:
        rows = reader.get("tables/", after=answers[-1][-1]).json()
        answers.append([table["id"] for table in rows])
    assert answers == [opened[:2], opened[2:4], opened[4:], []]


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        ({"mode": "chess"}, 400, "mode"),
        ({"stake_cents_most": -1}, 400, "stake_cents_most"),
        ({"after": "first"}, 400, "after"),
        ({"oldest": 1}, 400, "oldest"),
        ({"after": str(uuid4())}, 404, None),
    ],
)
def test_what_is_no_filter_is_named(reader, opened, asked, status, field):
    refused = reader.get("tables/", **asked)
    assert (refused.status_code, list(refused.json().get("fields", {}))) == (
        status,
        [field] if field else [],
    )
