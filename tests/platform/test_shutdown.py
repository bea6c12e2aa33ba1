"""A real web server that gets a signal to end, and one whose processes are killed.

The server finishes what it has begun, and the page continues at the next server. A process that
dies is replaced, except the first one, with which all of them end.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games.models import TableEvent
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.servers.processes import wait_until_ended

SERVICE_RESTART = 1012

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1), (4, 2)]) as house:
        house.start("web")
        yield house


@pytest.fixture
def sits(house: Processes, sitting: Sitting) -> Iterator[Callable[[User], Voice]]:
    """`sits(user)` is a connection to the table at the real web server."""
    opened = ExitStack()

    def call(user: User) -> Voice:
        socket = socket_of(user, house.address, sitting.pk)
        voice = Voice(opened.enter_context(socket))
        voice.resume()
        return voice

    with opened:
        yield call


@contextmanager
def events_held() -> Iterator[None]:
    """Transactions that store an event block until this ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS"
            " $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$;"
            "CREATE TRIGGER hold BEFORE INSERT ON games_tableevent FOR EACH ROW"
            " EXECUTE FUNCTION hold();"
            "SELECT pg_advisory_lock(4711)"
        )
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(4711)")
            cursor.execute("DROP TRIGGER hold ON games_tableevent; DROP FUNCTION hold()")


def wait_until_held() -> None:
    """Wait until a transaction blocks on the lock of `events_held`."""
    held = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with connection.cursor() as cursor:
        wait_until(
            lambda: cursor.execute(held).fetchone()[0], "the command never came to its events"
        )


@pytest.mark.slow
def test_a_command_in_flight_is_carried_out_and_every_answer_was_true(
    house: Processes,
    sits: Callable[[User], Voice],
    sitting: Sitting,
    magriel: User,
    hilde: User,
) -> None:
    one, other = sits(magriel), sits(hilde)
    answers = [one.command({"type": "roll"})]
    while one.seq < sitting.table.seq:
        one.hear("update", "snapshot")
    play = {"type": "play", "moves": [[8, 5, 3], [6, 5, 1]]}
    answers.append(one.command(play))
    while other.seq < sitting.table.seq:
        other.hear("update", "snapshot")
    assert [answer["type"] for answer in answers] == ["accepted"] * 2

    command = {"type": "command", "id": str(uuid4()), "seq": other.seq, "command": {"type": "roll"}}
    begun = sitting.table.seq
    web = house.running["web"]
    with events_held():
        other.say(command)
        wait_until_held()
        web.send_signal(signal.SIGTERM)
        for each in (one, other):
            with pytest.raises(ConnectionClosed) as closed:
                each.hear("accepted")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SERVICE_RESTART
    web.wait(WAIT_SECONDS)
    after = list(TableEvent.objects.filter(table=sitting.pk, seq__gt=begun).order_by("seq"))
    assert after[0].type == "dice_rolled", "what was begun was finished"
    assert begun >= max(answer["seq"] for answer in answers), "every answer was true"

    house.start("web")
    again = sits(hilde)
    again.say(command)
    assert again.hear("accepted", "rejected")["type"] == "accepted"
    rolls = TableEvent.objects.filter(table=sitting.pk, type="dice_rolled")
    assert rolls.count() == 2, "asked twice, done once"
    check_murder(house)


def check_murder(house: Processes) -> None:
    """One of the web processes dies, then the first one, which watches over the others."""
    first = psutil.Process(house.running["web"].pid)
    killed, *others = first.children()
    killed.kill()
    psutil.wait_procs([killed], timeout=WAIT_SECONDS)
    wait_until(
        lambda: len(first.children()) > len(others), "nobody took the place of the dead process"
    )
    left = first.children()
    assert killed not in left
    assert set(others) < set(left), "the others lived on"

    first.kill()
    assert wait_until_ended(left, WAIT_SECONDS) == [], "nobody may be left behind to hold the port"
