"""In a cluster every client finds the server of each key, and frames go by that of the channel."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from uuid import UUID, uuid5

import pytest
import redis
from django.core.cache import cache

from games.broadcast import channel_key, publish
from games.live import shards
from games.live.hub import Hub
from games.live.presence import (
    CLUSTER_PARTS,
    ENTRY_SECONDS,
    Attendants,
    Presence,
    known_since_key,
    part_of,
    people_gone,
    people_online,
    person_seen,
    presence_key,
    seats_away,
    tables_lacking,
)
from games.live.shards import connect_all
from games.live.sockets import SOCKETS_MAX, Places, places_key
from kit.throttle import Rate, take
from kit.valkey import clients
from pasch.doctor.inside import valkey as doctor
from pasch.observability.parts import valkey_answers
from tests.live.test_hub import Listener
from tests.sentinels import until
from tests.valkey_cluster import PRIMARIES, ClusterOfTests

pytestmark = pytest.mark.slow

SECONDS_MAX = 60
FAILURES = ("kill", "freeze")
CHANNELS = [f"table:{number}" for number in range(12)]
TABLES = [uuid5(UUID(int=1), str(number)) for number in range(64)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[ClusterOfTests]:
    cluster = ClusterOfTests()
    yield cluster
    cluster.stop()


@pytest.fixture
def address(cluster: ClusterOfTests, settings: Any) -> str:
    settings.REDIS_URL = settings.QUEUE_URL = cluster.address
    settings.CACHES = {"default": clients.cache_settings(cluster.address)}
    clients.client(cluster.address).flushall(target_nodes=redis.RedisCluster.PRIMARIES)
    return cluster.address


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(SECONDS_MAX):
            await story()

    asyncio.run(whole())


def in_use(cluster: ClusterOfTests) -> set[int]:
    """The ports of the servers that have keys."""
    found = set()
    for port in set(cluster.primaries().values()):
        with cluster.client(port) as one:
            if one.dbsize():
                found.add(port)
    return found


def test_keys_of_the_cache_are_at_all_servers(cluster: ClusterOfTests, address: str) -> None:
    names = [f"name{number}" for number in range(30)]
    cache.set_many(dict.fromkeys(names, "here"))
    assert cache.get_many([*names, "nobody"]) == dict.fromkeys(names, "here")
    assert len(in_use(cluster)) == PRIMARIES
    cache.delete_many(names[1:])
    assert cache.get_many(names) == {"name0": "here"}
    assert [take("x", "y", Rate(2, 3600)) for _ in range(3)] == [True, True, False]
    assert valkey_answers()


def test_people_and_places_are_counted(address: str) -> None:
    person_seen(7)
    assert people_online(9) == [7]
    assert people_gone([7, 8]) == []

    async def story() -> None:
        places = Places()
        assert await places.take(7, "first")
        await places.renew()
        full = {str(number): time.time() + 60 for number in range(SOCKETS_MAX)}
        await asyncio.to_thread(clients.client(address).zadd, places_key(7), full)
        assert not await places.take(7, "one too many")

    run(story)


def test_a_server_that_forgets_lets_nobody_be_missing_at_its_tables_only(
    cluster: ClusterOfTests, address: str, transactional_db: None
) -> None:
    client = clients.client(address)
    long_ago = time.time() - 2 * ENTRY_SECONDS
    for part in range(CLUSTER_PARTS):
        client.set(known_since_key(part), long_ago)
    assert {part_of(table) for table in TABLES} == set(range(CLUSTER_PARTS))
    asked = [(table, 0) for table in TABLES]
    assert seats_away(asked) == asked

    async def enter() -> None:
        await Attendants().enter(Presence(str(TABLES[0]), 0, "connection"), 7)

    run(enter)
    assert seats_away(asked) == asked[1:]
    forgetful = cluster.primary_of(presence_key(TABLES[1]))
    with cluster.client(forgetful) as one:
        one.flushall()
    others = [t for t in TABLES[1:] if cluster.primary_of(presence_key(t)) != forgetful]
    assert 0 < len(others) < len(TABLES) - 2
    gone = [table for table, _ in seats_away(asked) if table != TABLES[0]]
    assert gone == others
    assert set(tables_lacking([(table, (0,)) for table in others])) == set(others)


def test_a_renewal_after_a_failed_one_begins_everywhere_anew(address: str, settings: Any) -> None:
    """Entries at any server may have ended meanwhile."""

    async def story() -> None:
        attendants, presence = Attendants(), Presence(str(TABLES[0]), 0, "connection")
        await attendants.enter(presence, None)
        await asyncio.to_thread(
            clients.client(address).set, known_since_key(part_of(TABLES[1])), 1.0
        )
        attendants._missed = True
        began = time.time()
        await attendants.enter(presence, None)
        for part in range(CLUSTER_PARTS):
            since = await asyncio.to_thread(clients.client(address).get, known_since_key(part))
            assert float(since) >= began

    run(story)


def test_frames_of_every_channel_reach_other_processes_once(address: str) -> None:
    async def story() -> None:
        here, there = Hub(), Hub()
        far = {channel: Listener() for channel in CHANNELS}
        for channel, each in far.items():
            await there.subscribe(each.hear, each.lose, channel)
        for number in range(3):
            for channel in CHANNELS:
                here.tell(channel, f'{{"{channel}":{number}}}')
        for channel, each in far.items():
            assert [await each.next() for _ in range(3)] == [
                f'{{"{channel}":{number}}}' for number in range(3)
            ]
        await asyncio.to_thread(publish, CHANNELS[5], '{"by":1}')
        assert await far[CHANNELS[5]].next() == '{"by":1}'
        assert all(each.frames.empty() for each in far.values())

    run(story)


def test_a_channel_given_up_and_wanted_again_is_heard(address: str) -> None:
    async def story() -> None:
        here, there = Hub(), Hub()
        for number in range(3):
            gone, stays = Listener(), Listener()
            here.unsubscribe(await here.subscribe(gone.hear, gone.lose, CHANNELS[0]))
            follower = await here.subscribe(stays.hear, stays.lose, CHANNELS[0])
            there.tell(CHANNELS[0], f'{{"a":{number}}}')
            assert await stays.next() == f'{{"a":{number}}}'
            assert gone.frames.empty()
            here.unsubscribe(follower)

    run(story)


def test_a_message_goes_to_the_server_of_its_channel_alone(
    cluster: ClusterOfTests, address: str
) -> None:
    """Without shards every server would receive every message."""

    async def story() -> None:
        listener = Listener()
        await Hub().subscribe(listener.hear, listener.lose, CHANNELS[0])
        key = channel_key(CHANNELS[0])
        for port in set(cluster.primaries().values()):
            with cluster.client(port) as one:
                assert one.pubsub_channels() == []
                shard = one.execute_command("PUBSUB", "SHARDCHANNELS")
                assert shard == ([key.encode()] if port == cluster.primary_of(key) else [])

    run(story)


def test_a_slot_that_moves_loses_no_listener(
    cluster: ClusterOfTests, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server that gives it away says so at once."""
    monkeypatch.setattr(shards, "ASK_EVERY_SECONDS", 600.0)

    async def story() -> None:
        here, there, far = Hub(), Hub(), Listener()
        await there.subscribe(far.hear, far.lose, CHANNELS[1])
        with cluster.client(cluster.ports[0]) as one:
            slot = one.cluster("KEYSLOT", channel_key(CHANNELS[1]))
        await asyncio.to_thread(cluster.move_slot, slot)
        assert await asyncio.wait_for(far.frames.get(), SECONDS_MAX) is None, "frames were lost"
        heard = None
        while heard is None:
            here.tell(CHANNELS[1], '{"after":1}')
            await asyncio.sleep(0.05)
            heard = None if far.frames.empty() else far.frames.get_nowait()
        assert heard == '{"after":1}'

    run(story)


def test_all_connections_end_when_the_cluster_names_other_primaries(
    cluster: ClusterOfTests, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "ASK_EVERY_SECONDS", 0.2)

    async def story() -> None:
        ended = asyncio.Event()
        wire = await connect_all(address, lambda _: None, lost=ended.set)
        await asyncio.sleep(1)
        assert not ended.is_set()
        await asyncio.to_thread(cluster.move_slot, 7)
        await ended.wait()
        assert wire.closed

    run(story)


def test_the_doctor_looks_at_every_server(cluster: ClusterOfTests, address: str) -> None:
    assert doctor.valkey().grade == doctor.valkey_memory().grade == "ok"
    last = sorted(set(cluster.primaries().values()))[-1]
    with cluster.client(last) as one:
        one.config_set("maxmemory", "100mb")
        one.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert doctor.valkey_memory().grade == "wrong"
        finally:
            one.config_set("maxmemory", "0")
            one.config_set("maxmemory-policy", "noeviction")


def test_no_error_has_a_password_and_all_are_lost_connections() -> None:
    away = "redis+cluster://:for-servers@127.0.0.1:1,127.0.0.1:2"
    with pytest.raises(redis.ConnectionError) as lost:
        clients.client(away)
    assert "for-" not in str(lost.value)

    async def story() -> None:
        for command in (clients.async_client(away).get("a"), connect_all(away, lambda _: None)):
            with pytest.raises((redis.RedisError, OSError)) as lost:
                await command
            assert "for-" not in str(lost.value)

    run(story)


@pytest.mark.cluster
@pytest.mark.parametrize("failure", FAILURES)
def test_everything_finds_the_new_primary(
    cluster: ClusterOfTests, address: str, failure: str
) -> None:
    async def story() -> None:
        here, there = Hub(), Hub()
        far = {channel: Listener() for channel in CHANNELS}
        for channel, each in far.items():
            await there.subscribe(each.hear, each.lose, channel)
        failing = asyncio.to_thread(
            getattr(cluster, failure), cluster.primary_of(channel_key(CHANNELS[0]))
        )
        done = asyncio.create_task(failing)
        for channel, each in far.items():
            heard: str | None = None
            assert await asyncio.wait_for(each.frames.get(), SECONDS_MAX) is None, "frames lost"
            while heard is None:
                here.tell(channel, '{"after":1}')
                await asyncio.sleep(0.05)
                heard = None if each.frames.empty() else each.frames.get_nowait()
        await done

    run(story)
    until(valkey_answers, "the cache answers")
    names = [f"name{number}" for number in range(30)]
    cache.set_many(dict.fromkeys(names, "here"))
    assert cache.get_many(names) == dict.fromkeys(names, "here")
    person_seen(7)
    assert people_online(9) == [7]
    cluster.mend()
