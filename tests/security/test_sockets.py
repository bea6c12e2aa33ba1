"""The promises of every WebSocket: P6, P10, P11, P17 of docs/security.md, on real connections."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psutil
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
from games.table.turn import legal_plays
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from tests.conftest import magriel
from tests.live.conftest import voice

pytestmark = pytest.mark.django_db(transaction=True)


__all__ = ["magriel", "voice"]


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


# --- P11: frames ----------------------------------------------------------------------------------
__all__ = ["magriel"]


TOO_FAST, TOO_BIG, PROTOCOL_ERROR = 1008, 1009, 1002
GROWTH_BYTES_MAX = 20 * 1024 * 1024
PINGS = 3_000

#: the first bytes of a text frame marked as compressed, masked, and a gigabyte long
BOMB = b"\xc1\xff" + (1 << 30).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * 64


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1)]) as house:
        house.environment["WEB_WORKERS"] = "1"
        house.start("web")
        yield house


@pytest.fixture
def sits(house: Processes, sitting: Sitting) -> Iterator[Callable[[User], Voice]]:
    opened = ExitStack()

    def call(user: User) -> Voice:
        socket = socket_of(user, house.address, sitting.pk, compression="deflate")
        voice = Voice(opened.enter_context(socket))
        voice.resume()
        return voice

    with opened:
        yield call


def rss_bytes(house: Processes) -> int:
    process = psutil.Process(house.running["web"].pid)
    return sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))


def frame_closed_with(socket: Voice) -> int | None:
    """Read to the end and return the code with which the server closed.

    None if the code was lost, as the server does not read the rest of the sent data.
    """
    with pytest.raises(ConnectionClosed) as closed:
        socket.hear("nothing of the kind")
    return closed.value.rcvd.code if closed.value.rcvd else None


def one_frame(socket: Voice) -> None:
    socket.socket.send("x" * 10_000_000)


def many_fragments(socket: Voice) -> None:
    socket.socket.send("x" for _ in range(100_000))


def compressed(socket: Voice) -> None:
    socket.socket.socket.sendall(BOMB)


def pings(socket: Voice) -> None:
    for _ in range(PINGS):
        socket.socket.ping()


@pytest.mark.slow
def test_p11_no_frame_fills_the_memory_or_stops_another_player(
    house: Processes, sits: Callable[[User], Voice], magriel: User, hilde: User
) -> None:
    other = sits(hilde)
    before = rss_bytes(house)
    for attack, codes in (
        (one_frame, {TOO_BIG, None}),
        (many_fragments, {TOO_BIG, None}),
        (compressed, {TOO_BIG, PROTOCOL_ERROR, None}),
        (pings, {TOO_FAST, None}),
    ):
        one = sits(magriel)
        try:
            attack(one)
        except ConnectionClosed as closed:  # it is refused while it is still being sent
            code = closed.rcvd.code if closed.rcvd else None
        else:
            code = frame_closed_with(one)
        assert code in codes, attack.__name__
        other.say({"type": "ping", "sent_ms": 1})
        other.hear("pong")

    one = sits(magriel)
    assert not one.socket.protocol.extensions, "nothing is ever unpacked"
    one.say({"type": "ping", "sent_ms": 1})
    one.hear("pong")
    other.say({"type": "ping", "sent_ms": 1})
    other.hear("pong")
    assert rss_bytes(house) - before < GROWTH_BYTES_MAX
