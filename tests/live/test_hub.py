"""The hub delivers every message once and in order, and what was lost on the way is fetched."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
import redis.asyncio
from django.conf import settings
from django.db import connection, transaction

from games.broadcast import channel_key, publish, table_channel
from games.live import feed
from games.live.delivery import WAITING_FRAMES_MAX, Follower
from games.live.hub import Hub
from games.live.valkey import OUTGOING_MAX
from games.models import Table
from games.table import commands as cmd
from games.wire import encode
from harness.voice import Voice
from harness.waiting import WAIT_SECONDS
from tests.racing import wait_for_a_waiter

CHANNEL = "table:of the test"


class Listener:
    """A listener that stores what it receives."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[str | None] = asyncio.Queue()

    async def hear(self, text: str) -> None:
        await self.frames.put(text)

    async def lose(self) -> None:
        await self.frames.put(None)

    async def next(self) -> str | None:
        return await asyncio.wait_for(self.frames.get(), WAIT_SECONDS)


def run(story: Callable[[Hub, Hub], Awaitable[None]]) -> None:
    """Run a scenario with two hubs, as in two processes; their tasks end with it."""

    async def whole() -> None:
        await story(Hub(), Hub())

    asyncio.run(whole())


@pytest.mark.usefixtures("servers")
def test_a_frame_is_heard_once_in_its_own_process_and_in_another() -> None:
    async def story(here: Hub, there: Hub) -> None:
        near, far = Listener(), Listener()
        await here.subscribe(near.hear, near.lose, CHANNEL)
        await there.subscribe(far.hear, far.lose, CHANNEL)
        here.tell(CHANNEL, '{"a":1}')
        there.tell(CHANNEL, '{"a":2}')
        assert [await near.next(), await near.next()] == ['{"a":1}', '{"a":2}']
        assert {await far.next(), await far.next()} == {'{"a":1}', '{"a":2}'}
        here.tell(CHANNEL, '{"a":3}')  # a duplicate would be listed before this
        assert await near.next() == await far.next() == '{"a":3}'

    run(story)


@pytest.mark.usefixtures("servers")
def test_a_channel_given_up_and_wanted_again_at_once_is_heard() -> None:
    async def story(here: Hub, there: Hub) -> None:
        gone, stays = Listener(), Listener()
        follower = await here.subscribe(gone.hear, gone.lose, CHANNEL)
        here.unsubscribe(follower)
        again = here.subscribe(stays.hear, stays.lose, CHANNEL)
        await asyncio.wait_for(again, WAIT_SECONDS)
        there.tell(CHANNEL, '{"a":1}')
        assert await stays.next() == '{"a":1}'
        assert gone.frames.empty()

    run(story)


@pytest.mark.usefixtures("servers")
def test_a_late_answer_about_a_channel_that_was_given_up_says_nothing() -> None:
    async def story(here: Hub, there: Hub) -> None:
        gone, stays = Listener(), Listener()
        here.unsubscribe(await here.subscribe(gone.hear, gone.lose, CHANNEL))
        other = Listener()
        await here.subscribe(other.hear, other.lose, "another")  # by now the first is given up
        here._heard([b"subscribe", channel_key(CHANNEL).encode(), 1])
        await asyncio.wait_for(here.subscribe(stays.hear, stays.lose, CHANNEL), WAIT_SECONDS)
        there.tell(CHANNEL, '{"a":1}')
        assert await stays.next() == '{"a":1}'

    run(story)


async def cut(hub: Hub) -> None:
    """Break the connection that this hub listens on, as a restart of Valkey does."""
    async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client:
        all_clients = await client.client_list()
        mine = [each["id"] for each in all_clients if each["name"] == hub.name]
        assert len(mine) == 1
        assert await client.client_kill_filter(_id=mine[0]) == 1


@pytest.mark.usefixtures("servers")
def test_when_the_connection_breaks_all_are_told_and_whoever_comes_next_hears() -> None:
    async def story(here: Hub, there: Hub) -> None:
        old, new = Listener(), Listener()
        await here.subscribe(old.hear, old.lose, CHANNEL)
        for number in range(3):
            await cut(here)
            assert await old.next() is None, "frames may have been lost"
            channel = f"{CHANNEL} {number}"
            await asyncio.wait_for(here.subscribe(new.hear, new.lose, channel), WAIT_SECONDS)
            there.tell(channel, f'{{"a":{number}}}')
            while (heard := await new.next()) is None:  # of the channels before this one
                pass
            assert heard == f'{{"a":{number}}}'

    run(story)


@pytest.mark.slow
@pytest.mark.usefixtures("servers")
def test_who_comes_while_the_connection_breaks_is_not_forgotten() -> None:
    async def story(here: Hub, there: Hub) -> None:
        for number in range(10):
            listeners = [Listener() for _ in range(20)]
            first, *others = (
                here.subscribe(each.hear, each.lose, f"{CHANNEL} {number} {n}")
                for n, each in enumerate(listeners)
            )
            await asyncio.wait_for(first, WAIT_SECONDS)
            await asyncio.wait_for(asyncio.gather(cut(here), *others), WAIT_SECONDS)

    run(story)


def test_who_does_not_keep_up_is_told_once_that_he_missed_something() -> None:
    async def story(here: Hub, there: Hub) -> None:
        slow, free, heard = Listener(), asyncio.Event(), []

        async def hear(text: str) -> None:
            heard.append(text)
            await free.wait()

        follower = Follower((), hear, slow.lose)
        for number in range(WAITING_FRAMES_MAX + 2):
            follower.put(str(number))
            await asyncio.sleep(0)
        free.set()
        assert await slow.next() is None
        assert heard == ["0"]

    run(story)


@pytest.mark.usefixtures("servers")
def test_what_is_written_at_once_does_not_overtake_what_waits() -> None:
    async def story(here: Hub, there: Hub) -> None:
        far, written, free = Listener(), [], asyncio.Event()

        async def hear(text: str) -> None:
            await free.wait()
            await far.hear(text)

        class Written:
            flows = False

            def write_frame(self, frame: bytes) -> None:
                written.append(frame)

        follower = await here.subscribe(hear, far.lose, CHANNEL)
        follower.line = line = Written()
        there.tell(CHANNEL, '{"a":1}')
        while follower._task is None:
            await asyncio.sleep(0)
        line.flows = True
        here.tell(CHANNEL, '{"a":2}')
        free.set()
        assert [await far.next(), await far.next()] == ['{"a":1}', '{"a":2}']
        here.tell(CHANNEL, '{"a":3}')
        assert written == [b'\x81\x07{"a":3}']
        assert far.frames.empty()

    run(story)


def test_frames_that_wait_for_valkey_are_limited(caplog: pytest.LogCaptureFixture) -> None:
    async def story(here: Hub, there: Hub) -> None:
        for _ in range(OUTGOING_MAX + 10):
            here.tell(CHANNEL, "{}")
        assert len(here._publisher._outgoing) == OUTGOING_MAX + 10
        here._publisher._send()
        assert len(here._publisher._outgoing) == OUTGOING_MAX
        assert "could not publish 10 frames" in caplog.text

    run(story)


@pytest.mark.usefixtures("servers")
def test_what_is_published_comes_after_the_connection_was_broken() -> None:
    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        for number in range(3):
            here.tell(CHANNEL, f'{{"a":{number}}}')
            assert await far.next() == f'{{"a":{number}}}'
            assert here._publisher._publishing is not None
            here._publisher._publishing.close()

    run(story)


# --- lost news ------------------------------------------------------------------------------------
def pong(voice: Any) -> dict[str, Any]:
    voice.say({"type": "ping", "sent_ms": 1})
    return voice.hear("pong")


def roll_unheard(sitting) -> int:
    """Roll, publish it on a channel without listeners, and return the seq of the table."""
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setattr("django.conf.settings.BROADCAST_PREFIX", "nobody-listens-here:")
        sitting.give(0, cmd.Roll())
    return sitting.table.seq


def test_who_pings_is_told_how_far_the_table_is(voice, magriel, hilde, sitting, dice):
    dice((3, 1))
    one, other = voice(magriel), voice(hilde)
    for each in (one, other):
        each.resume()
    rolled = roll_unheard(sitting)
    assert pong(other)["seq"] == rolled > other.seq, "no update came, and the pong tells of it"
    assert other.resume(since=other.seq)["events"][-1]["type"] == "dice_rolled"
    assert pong(one)["seq"] == rolled


def test_what_happened_since_the_last_ping_is_told(voice, hilde, sitting, dice, monkeypatch):
    dice((3, 1))
    other = voice(hilde)
    other.resume()
    assert pong(other)["seq"] == sitting.table.seq
    monkeypatch.setattr(feed, "LOOK_EVERY_SECONDS", 0.0)
    rolled = roll_unheard(sitting)
    assert pong(other)["seq"] == rolled


def test_a_ping_does_not_wait_for_a_database_that_is_busy(voice, hilde, sitting, monkeypatch):
    other = voice(hilde)
    other.resume()
    assert pong(other)["seq"] == sitting.table.seq
    monkeypatch.setattr(feed, "LOOK_EVERY_SECONDS", 0.0)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {Table._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        assert pong(other)["seq"] is None


# --- order ----------------------------------------------------------------------------------------
NEWS = {"type": "presence", "online": [True, True], "watchers": 77}
OPENED = 10


def test_what_is_told_while_the_table_is_looked_up_follows_after_it(
    voice: Callable[..., Voice], magriel: object, hilde: object, sitting: object
) -> None:
    one, other = voice(magriel), voice(hilde)
    for each in (one, other):
        each.resume()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        one.say({"type": "resume", "since": 0})
        wait_for_a_waiter()
        publish(table_channel(sitting.pk), encode(NEWS))
        while other.hear("presence")["watchers"] != NEWS["watchers"]:
            pass
    last_look = False
    while (frame := one.hear("snapshot", "update", "presence")) != NEWS:
        last_look = frame["type"] in ("snapshot", "update")
    assert last_look, "the news came before the look that had been asked for"


def test_nothing_comes_before_the_welcome(
    voice: Callable[..., Voice], magriel: object, sitting: object
) -> None:
    """Frames that are published while a socket opens follow the first frame, and none is lost."""
    busy = Event()

    def chatter() -> None:
        while not busy.is_set():
            publish(table_channel(sitting.pk), encode(NEWS))
            time.sleep(0.0002)  # a socket for which 64 frames wait would be closed

    with ThreadPoolExecutor() as pool:
        chattering = pool.submit(chatter)
        try:
            for _ in range(OPENED):
                one = voice(magriel)
                one.hear("presence")
                assert one.heard[0]["type"] == "welcome"
                one.socket.close()
        finally:
            busy.set()
        chattering.result()
