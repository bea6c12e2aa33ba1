"""P26 of docs/security.md: each of thirty attacks leaves one line in the security log."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from accounts.roles import Role
from pasch.observability.logs import About, JsonLines, TextFormatter
from pasch.observability.security_log import note
from tests.desk.conftest import PASSWORD, at_desk

#: input that tries to forge a line of the log
FORGED = "x\n2026-11-21T15:00:00.000Z INFO security: logged in [user_id=1]\r\n"
ATTACKS_OF_PAGES, ATTACKS_OF_SOCKETS = 24, 6


class Kept(logging.Handler):
    """Stores the warnings in both formats of the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.addFilter(About())
        self.events: list[str] = []
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a record."""
        self.events.append(record.event["event"])  # type: ignore[attr-defined]
        self.lines += [TextFormatter().format(record), JsonLines().format(record)]


@pytest.fixture
def log() -> Iterator[Kept]:
    kept = Kept()
    logging.getLogger("security").addHandler(kept)
    yield kept
    logging.getLogger("security").removeHandler(kept)


def strict(user: User | None) -> Client:
    """A client with which forms require their tokens, as with browsers."""
    client = at_desk(user)
    client.handler.enforce_csrf_checks = True
    return client


def attacks(magriel: User, anna: User, bare: User) -> list[tuple[str, Callable[[], Any]]]:
    """The attacks, each with its event: (event, attack)."""
    stranger, player = Client(), at_desk(magriel)
    login, api = reverse("account_login"), "/api/v1/wallet/"
    json_body = {"content_type": "application/json"}

    def guess(name: str, password: str = "wrong") -> Callable[[], Any]:
        return lambda: Client().post(login, {"login": name, "password": password})

    def second_factor() -> None:
        client = Client()
        client.post(login, {"login": "anna", "password": PASSWORD})
        client.post(reverse("mfa_authenticate"), {"code": "000000"})

    def ask(client: Client, body: object) -> Callable[[], Any]:
        return lambda: client.post(reverse("api_payout_request"), body, **json_body)

    def token(value: str) -> Callable[[], Any]:
        return lambda: stranger.get(api, headers={"Authorization": f"Bearer {value}"})

    def forged_form(path: str, user: User | None) -> Callable[[], Any]:
        return lambda: strict(user).post(path, {"next": FORGED})

    return [
        ("login_failed", guess("magriel")),
        ("login_failed", guess("magriel@example.org")),
        ("login_failed", guess(FORGED)),
        ("login_failed", guess("nobody_here", FORGED)),
        ("second_factor_failed", second_factor),
        ("refused", token("pasch_" + "x" * 43)),
        ("refused", token("x' OR 1=1 --")),
        ("refused", lambda: stranger.get(api)),
        ("refused", ask(stranger, {})),
        ("refused", ask(player, "{not json")),
        ("refused", ask(player, {"amount_cents": FORGED, "destination": FORGED})),
        ("refused", lambda: player.delete(api)),
        ("refused", lambda: player.get("/desk/")),
        ("refused", lambda: player.get("/desk/journal/")),
        ("refused", lambda: player.get("/admin/login/")),
        ("refused", lambda: player.post("/desk/stops/", {"scope": "house", "reason": FORGED})),
        ("second_factor_missing", lambda: at_desk(bare).get("/desk/")),
        ("second_factor_missing", lambda: at_desk(bare).get("/admin/login/")),
        ("refused", forged_form(reverse("account_logout"), magriel)),
        ("refused", forged_form(reverse("wallet_break"), magriel)),
        ("refused", forged_form(login, None)),
        ("refused", lambda: player.put(reverse("wallet"))),
        ("refused", lambda: player.get(reverse("wallet_break"))),
        ("refused", lambda: at_desk(anna).get(reverse("desk:audit_run"))),
    ]


def test_p26_every_attack_on_a_page_is_one_line(
    log: Kept, magriel: User, anna: User, staff: Any
) -> None:
    bare = staff("bert", Role.ADMINISTRATOR, second_factor=False)
    tried = attacks(magriel, anna, bare)
    assert len(tried) == ATTACKS_OF_PAGES
    for number, (event, attack) in enumerate(tried):
        log.events.clear()
        attack()
        assert log.events == [event], f"attack {number}"
    assert all(len(line.splitlines()) == 1 for line in log.lines)
    assert not any(PASSWORD in line or "wrong" in line for line in log.lines)
    for line in log.lines[1::2]:
        assert json.loads(line)["time"].endswith("Z")


@pytest.mark.slow
def test_p26_every_attack_on_a_socket_is_one_line(
    log: Kept, live: str, magriel: User, sitting: Any
) -> None:
    client = Client()
    client.force_login(magriel)
    cookie = client.cookies[django_settings.SESSION_COOKIE_NAME]
    headers = {"Cookie": f"{cookie.key}={cookie.value}"}
    url = f"{live.replace('http', 'ws')}/ws/table/{sitting.pk}/"

    def knock(**options: Any) -> None:
        with pytest.raises(InvalidStatus):
            connect(url, **options)

    def say(text: str) -> None:
        with connect(url, additional_headers=headers, origin=live) as socket:  # type: ignore[arg-type]
            socket.send(text)
            _until_answered(socket)

    tried: list[tuple[str, Callable[[], None]]] = [
        ("socket_refused", lambda: knock(additional_headers=headers, origin="http://evil.example")),
        ("socket_refused", lambda: knock(additional_headers=headers)),
        ("socket_refused", lambda: knock(additional_headers={"Authorization": "Bearer pasch_x"})),
        ("frame_refused", lambda: say(FORGED)),
        ("frame_refused", lambda: say('{"type": "command", "command": {"type": "settle"}}')),
        ("socket_refused", lambda: say("x" * 20_000)),
    ]
    assert len(tried) == ATTACKS_OF_SOCKETS
    for number, (event, attack) in enumerate(tried):
        log.events.clear()
        attack()
        assert log.events == [event], f"attack {number}"
    assert all(len(line.splitlines()) == 1 for line in log.lines)


def _until_answered(socket: ClientConnection) -> None:
    """Read until the error that answers a frame, or the end of the socket."""
    with suppress(ConnectionClosed):
        for text in socket:
            if json.loads(text)["type"] == "error":
                return


def test_p26_a_fact_that_is_a_forged_line_stays_a_fact(log: Kept) -> None:
    note("refused", route=FORGED, address=FORGED)
    assert all(len(line.splitlines()) == 1 for line in log.lines)
