"""Tables and matches over the interface for programs."""

from uuid import uuid4

import pytest

from accounts.models import User
from accounts.tokens import token_make
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


@pytest.mark.parametrize(
    ("wishes", "status", "code"),
    [
        ({"mode": "prize5", "stake_cents": 300}, 409, "not_offered"),
        ({"mode": "chess"}, 400, "invalid"),
        ({"mode": "normal", "has_cube": "yes"}, 400, "invalid"),
        ({"mode": "stake", "stake_cents": 10_000}, 409, "insufficient_credits"),
    ],
)
def test_what_cannot_be_opened_is_refused(hilde, wishes, status, code) -> None:
    answer = hilde.post("tables/open/", wishes)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


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
