"""S11: the operations of the interface that a token can reach, for every scope."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any, get_args
from uuid import uuid4

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from accounts.scopes import COMMANDS, FRAMES, OPERATIONS, Scope
from accounts.tokens import token_make
from games.chouette.commands import AnyCommand as ChouetteCommand
from games.live.delivery import FRAMES_PER_SECOND
from games.services.tables import table_open
from games.table.commands import PlayerCommand
from games.wire import ClientFrame
from harness.voice import mistakes
from harness.waiting import WAIT_SECONDS
from tournaments.frames import TournamentCommand

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: the operations of each scope, written a second time: the table of the house must agree.
REACHED = {
    "read": {
        "tables_list", "matches_list", "matches_get", "challenges_list", "challenges_get",
        "modes_list", "tables_mine", "tables_get", "ranking_list", "players_get",
        "analysis_ask", "analysis_answer", "analysis_estimate",
        "analysis_reports", "analysis_decisions",
        "decisions_list", "decisions_statistics", "exercises_list", "exercises_next",
        "exercises_get",
        "exercises_day", "exercises_progress", "players_progress", "tournaments_list",
        "tournaments_get", "chouettes_list", "chouettes_get",
        "matches_mine", "matches_brought_get", "matches_import_get",
        "matches_import_file",
    },
    "play": {"chouettes_do"},
    "tables": {
        "tables_open", "tables_pair", "tables_practise", "tables_join", "tables_close",
        "challenges_make", "challenges_accept", "challenges_decline", "challenges_withdraw",
        "tournaments_enter", "tournaments_withdraw", "tournaments_ready",
        "chouettes_open",
    },
    "matches": {
        *("matches_brought_change", "matches_brought_delete", "matches_import"),
        "matches_import_undo", "matches_import_correct",
    },
    "wallet": {"wallet_get", "wallet_entries", "wallet_statement"},
}  # fmt: skip
SCOPES = tuple(REACHED)
FOR_NO_TOKEN = re.compile("payout|limit|break|exclusion|voucher|account|identity|password|email")

#: an id that does not exist.
NOTHING = "6f0c0000-0000-4000-8000-000000000000"
SCHEMA = SchemaGenerator().get_schema(public=True)


def operations() -> Iterator[tuple[str, str, str]]:
    """Id, verb and address of every operation of the schema, with ids that do not exist."""
    for address, verbs in SCHEMA["paths"].items():
        for verb, operation in verbs.items():
            if verb in ("get", "post", "put", "patch", "delete"):
                filled = address.replace("{year}", "2026")
                filled = re.sub("{(payout|report|file)_id}", "1", filled)
                filled = filled.replace("{measure}", "loss").replace("{period}", "day")
                yield operation["operationId"], verb, re.sub(r"{\w+}", NOTHING, filled)


ALL = tuple(operations())


def asked(user: User, verb: str, address: str, *scopes: str) -> Any:
    token = token_make(user, scopes=scopes)
    client = Client(headers={"Authorization": f"Bearer {token}"})
    return getattr(client, verb)(address, {}, content_type="application/json")


@pytest.fixture
def robo() -> User:
    return User.objects.create_user("robo", is_bot=True)


def test_s11_the_schema_has_operations_for_every_kind_of_scope() -> None:
    assert len(ALL) > 20
    known = {name for name, _, _ in ALL}
    assert set.union(*REACHED.values()) <= known
    assert any(FOR_NO_TOKEN.search(name) for name in known)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(("name", "verb", "address"), ALL)
def test_s11_a_token_reaches_what_its_scope_says_and_nothing_else(
    robo: User, name: str, verb: str, address: str, scope: str
) -> None:
    answer = asked(robo, verb, address, scope)
    if name in REACHED[scope]:
        assert answer.status_code in (200, 201, 400, 404, 415)
        return
    refusal = answer.json()
    needed = next((s for s in SCOPES if name in REACHED[s]), None)
    assert answer.status_code == 403
    if needed is None:
        assert refusal["code"] == "not_for_tokens"
    else:
        assert (refusal["code"], refusal["scope"]) == ("scope_missing", needed)
        assert needed in refusal["message"]


@pytest.mark.parametrize(("name", "verb", "address"), [o for o in ALL if FOR_NO_TOKEN.search(o[0])])
def test_s11_no_token_reaches_payouts_limits_or_identity(
    robo: User, name: str, verb: str, address: str
) -> None:
    answer = asked(robo, verb, address, *SCOPES)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_tokens")


# --- the table of scopes --------------------------------------------------------------------------


def tags(union: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in get_args(union)}


def test_s11_every_frame_and_every_command_has_its_scope() -> None:
    assert set(FRAMES) == tags(ClientFrame)
    commands = (PlayerCommand, ChouetteCommand, TournamentCommand)
    assert set(COMMANDS) == set().union(*map(tags, commands))
    assert set(OPERATIONS) == set.union(*REACHED.values())


def test_s11_the_schema_says_what_a_token_needs() -> None:
    for verbs in SCHEMA["paths"].values():
        for operation in verbs.values():
            scope = OPERATIONS.get(operation["operationId"])
            assert operation.get("x-token-scope") == scope
            assert any("botToken" in way for way in operation["security"]) == (scope is not None)


def test_s11_an_operation_that_is_in_no_table_is_refused_to_tokens(robo: User) -> None:
    class NewApi(APIView):
        def get(self, request: Any) -> Any:
            raise AssertionError("a token came in")

    token = token_make(robo, scopes=SCOPES)
    header = {"Authorization": f"Bearer {token}"}
    answer = NewApi.as_view()(APIRequestFactory().get("/new/", headers=header))
    assert (answer.status_code, answer.data["code"]) == (403, "not_for_tokens")


def test_s11_a_person_with_a_session_needs_no_scope() -> None:
    client = Client()
    client.force_login(User.objects.create_user("hilde"))
    assert client.get("/api/v1/payouts/").status_code == 200
    assert client.get("/api/v1/limits/").status_code == 200


# --- over WebSockets ------------------------------------------------------------------------------

FRAMES_SENT = (
    {"type": "resume", "since": 0},
    {"type": "ping", "sent_ms": 1},
    {"type": "chat"},
    {"type": "hint"},
    {"type": "dice_tip", "game": str(uuid4()), "value": "00" * 32},
    {"type": "dice_seed", "game": str(uuid4()), "seed": "00" * 32},
    {"type": "dice_element", "game": str(uuid4()), "n": 1, "element": "00" * 32},
    {"type": "say", "id": "s1", "phrase": "hello"},
    {"type": "mute", "person": 1, "on": True},
    {"type": "free_text", "on": False},
    {"type": "report", "message": 1, "reason": "spam"},
    {"type": "command", "id": "c1", "seq": 1, "command": {"type": "stand_up"}},
    {"type": "command", "id": "c2", "seq": 1, "command": {"type": "leave"}},
    {"type": "command", "id": "c3", "seq": 1, "command": {"type": "stop"}},
)


def answer_to(socket: ClientConnection, frame: dict[str, Any]) -> dict[str, Any] | None:
    """The answer to a frame, up to the answer to a ping sent after it; None if there is none.

    Frames that read or are refused count as five, and a socket may send twenty a second.
    """
    time.sleep(6 / FRAMES_PER_SECOND)  # fills the budget again; it waits for nothing else
    socket.send(json.dumps(frame))
    socket.send(json.dumps({"type": "ping", "sent_ms": 4711}))
    said = None
    while True:
        heard = json.loads(socket.recv(timeout=WAIT_SECONDS))
        assert mistakes(heard) == []
        assert heard.get("code") != "too_fast"
        if heard["type"] == "pong" and heard["sent_ms"] == 4711:
            return said
        if heard["type"] in ("error", "rejected", "unsaid"):
            said = heard


def at_table(live: str, table: Any, user: User, *scopes: str) -> ClientConnection:
    token = token_make(user, scopes=scopes)
    address = f"{live.replace('http', 'ws')}/ws/table/{table.pk}/"
    return connect(address, additional_headers={"Authorization": f"Bearer {token}"})


def test_s11_a_token_that_reads_gives_no_command_and_says_nothing(live: str) -> None:
    robo = User.objects.create_user("robo", is_bot=True)
    table = table_open(user=robo, mode="normal")
    with at_table(live, table, robo, "read", "tables", "wallet") as socket:
        for frame in FRAMES_SENT:
            answer = answer_to(socket, frame)
            if frame["type"] in ("resume", "ping", "chat"):
                assert answer is None
                continue
            assert (answer["code"], answer["scope"]) == ("scope_missing", "play"), frame
            assert answer.get("id") == frame.get("id")
    table.refresh_from_db()
    assert table.phase == "open"


def test_s11_a_token_that_plays_is_heeded(live: str) -> None:
    robo = User.objects.create_user("robo", is_bot=True)
    table = table_open(user=robo, mode="normal")
    with at_table(live, table, robo, "read", "play") as socket:
        answers = [answer_to(socket, frame) for frame in FRAMES_SENT]
    assert "scope_missing" not in {answer["code"] for answer in answers if answer}
    table.refresh_from_db()
    assert table.phase == "closed"


@pytest.mark.parametrize("path", ["table", "lobby", "chouettes"])
@pytest.mark.parametrize("scope", [s for s in Scope.values if s != "read"])
def test_s11_a_token_without_reading_opens_no_socket(live: str, path: str, scope: str) -> None:
    robo = User.objects.create_user("robo", is_bot=True)
    where = f"table/{table_open(user=robo, mode='normal').pk}" if path == "table" else path
    header = {"Authorization": f"Bearer {token_make(robo, scopes=[scope])}"}
    with pytest.raises(InvalidStatus) as refused:
        connect(f"{live.replace('http', 'ws')}/ws/{where}/", additional_headers=header)
    assert refused.value.response.status_code == 403
