"""The promises of every WebSocket: P6, P10, P11, P17 of docs/security.md, on real connections."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from accounts.models import ApiToken, User
from accounts.services import user_disable
from accounts.tokens import token_make, token_revoke
from games.models import TableEvent
from games.services.tables import table_command
from games.table import commands as cmd
from games.table.plays import legal_plays
from harness.voice import Voice
from tests.conftest import magriel
from tests.live.conftest import voice

__all__ = ["magriel", "voice"]

pytestmark = pytest.mark.django_db(transaction=True)


def closed_with(socket: Voice) -> int:
    """The code with which the server closes; it must close."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.hear("nothing of the kind")
    assert closed.value.rcvd is not None
    return int(closed.value.rcvd.code)


# --- P6: the end of a login ends its sockets ------------------------------------------------------


def disable(user: User, live: str) -> None:
    user_disable(user)


def change_the_password(user: User, live: str) -> None:
    client = Client()
    user.set_password("a-long-password-nobody-uses")
    user.save()
    client.force_login(user)
    new = "another-password-nobody-uses"
    form = {"oldpassword": "a-long-password-nobody-uses", "password1": new}
    assert client.post(reverse("account_change_password"), form).status_code == 302


@pytest.mark.parametrize("end", [disable, change_the_password])
def test_p06_open_sockets_end_with_the_access(
    voice: Callable[..., Voice],
    magriel: User,
    sitting: Any,
    live: str,
    settings: Any,
    end: Callable[[User, str], None],
) -> None:
    settings.STAFF_SECOND_FACTOR = False
    one = voice(magriel)
    one.resume()
    before = sitting.table.seq
    end(magriel, live)
    with suppress(ConnectionClosed):
        one.say({"type": "command", "id": "late", "seq": one.seq, "command": {"type": "leave"}})
    assert closed_with(one) == 4401
    types = TableEvent.objects.filter(table=sitting.pk, seq__gt=before)
    assert set(types.values_list("type", flat=True)) <= {"player_absent", "match_ended"}


def test_p06_a_revoked_token_ends_the_sockets_of_its_bot(live: str, sitting: Any) -> None:
    robo = User.objects.create_user("robo", is_bot=True)
    headers = {"Authorization": f"Bearer {token_make(robo)}"}
    url = f"{live.replace('http', 'ws')}/ws/table/{sitting.pk}/"
    with connect(url, additional_headers=headers) as socket:
        one = Voice(socket)
        one.resume()
        assert token_revoke(robo, ApiToken.objects.get().pk)
        assert closed_with(one) == 4401
    with pytest.raises(InvalidStatus):
        connect(url, additional_headers=headers)


# --- P10: twenty origins --------------------------------------------------------------------------


def origins(live: str) -> list[str | None]:
    """Twenty origins that a browser on a foreign page may send."""
    port = live.rpartition(":")[2]
    host = live.removeprefix("http://")
    return [
        None, "", "null", "*", "http://evil.example", f"https://{host}", "http://127.0.0.1",
        f"http://127.0.0.1:{int(port) - 1}", f"http://sub.{host}", f"http://{host}.evil.example",
        f"http://evil.example:{port}", f"http://localhost:{port}", f"http://{host}/",
        f"http://user@{host}", f"HTTP://{host}", f"ws://{host}", f"file://{host}",
        f"http://evil.example/{host}", f"http://127.0.0.1:{port}0", f"http://{host} http://{host}",
    ]  # fmt: skip


@pytest.mark.slow
def test_p10_twenty_strange_origins_do_not_get_in(live: str, magriel: User, sitting: Any) -> None:
    client = Client()
    client.force_login(magriel)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    headers = {"Cookie": f"{cookie.key}={cookie.value}"}
    url = f"{live.replace('http', 'ws')}/ws/table/{sitting.pk}/"
    assert len(origins(live)) == 20
    for origin in origins(live):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, additional_headers=headers, origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403, origin
    with connect(url, additional_headers=headers, origin=live) as socket:  # type: ignore[arg-type]
        assert Voice(socket).hear("welcome")["seat"] == 0


def test_p10_two_origins_and_a_foreign_host_do_not_get_in(live: str, sitting: Any) -> None:
    url = f"{live.replace('http', 'ws')}/ws/table/{sitting.pk}/"
    both = [("Origin", live), ("Origin", "http://evil.example")]
    for headers in (both, [("Host", "evil.example"), ("Origin", "http://evil.example")]):
        with pytest.raises(InvalidStatus), connect(url, additional_headers=headers):
            pass


# --- P17: each command once -----------------------------------------------------------------------


@pytest.mark.slow
def test_p17_a_whole_recorded_match_replayed_changes_nothing(
    sitting: Any, dice: Any, tables_digest: Any
) -> None:
    dice((6, 6), (2, 1), (5, 5), (3, 1))
    recorded: list[tuple[dict[str, Any], int]] = []

    def give(seat: int, command: cmd.PlayerCommand) -> None:
        said = {
            "table_id": sitting.pk,
            "user_id": sitting.players[seat].pk,
            "command_id": f"c{len(recorded)}",
            "seen_seq": sitting.table.seq,
            "command": command,
        }
        recorded.append((said, table_command(**said).seq))

    while len(recorded) < 40 and sitting.state.match is not None:
        state = sitting.state
        if state.phase == "roll":
            give(state.game.on_roll, cmd.Roll())
        elif state.phase == "play":
            moves = next(iter(legal_plays(state, state.game, state.game.dice)))
            wire = tuple((m.source, m.target, m.die) for m in moves)
            give(state.game.on_roll, cmd.Play(moves=wire))
        else:
            break
    give(0, cmd.Leave())
    before = tables_digest()
    assert len(recorded) > 20
    for said, seq in recorded:
        assert table_command(**said).seq == seq
    assert tables_digest() == before
