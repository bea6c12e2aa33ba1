"""The load generator plays real games on real sockets, and its checks find faults."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Generator
from dataclasses import asdict
from random import Random

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from backgammon.tests.amounts import LONG
from bench.live import report
from bench.live.furnish import furnished
from bench.live.load import Plan, slowest, spread_ms
from bench.live.players import Tally, read_graph, walk
from bench.live.stages import wrong
from games.live import delivery
from games.models import Deadline, DiceRoll, Match, Table
from harness.launch import frames_unlimited
from harness.waiting import PROGRAM_SECONDS
from harness.wire import PONG, TEXT, RawSocket, Refused, masked
from pasch.web.budgets import Budget
from tests.architecture.sources import ROOT


def generated(plan: Plan) -> dict:
    """The report of the generator about this plan."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.live.load"],
        input=json.dumps(asdict(plan)) + "\n",
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=True,
    )
    *said, told = done.stdout.splitlines()
    assert said[-2:] == ["begin", "end"]
    return json.loads(told)


def address() -> str:
    """The address of the tests' database, for a separate connection."""
    asked = connection.get_connection_params()
    return make_conninfo(**{name: asked[name] for name in ("dbname", "user", "host")})


@pytest.fixture
def port(live, monkeypatch) -> int:
    """The port of the site, which has no limit of frames here."""
    monkeypatch.setattr(delivery.FrameBucket, "take", delivery.FrameBucket.take)
    for name in ("read", "frame"):
        monkeypatch.setattr(Budget, name, getattr(Budget, name))
    frames_unlimited()
    return int(live.rpartition(":")[2])


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["normal", "prize5"] if LONG else ["prize5"])
def test_tables_are_played_and_everything_is_stored(port, mode):
    made = furnished(3, mode)
    told = generated(Plan([port, port], made, seconds=0.1, warm_seconds=0, least=60))
    tables = [each["table"] for each in made]
    assert wrong(address(), tables, told) == []
    assert told["accepted"] >= sum(told["commands"].values()) >= 50
    assert {"roll", "play"} <= set(told["commands"])
    assert set(told["answer_ms"]) == set(told["heard_ms"]) == {"p50", "p95", "p99"}
    assert Match.objects.filter(mode=mode).count() >= 3
    assert DiceRoll.objects.exists()


@pytest.mark.slow
def test_what_is_wrong_is_found(port):
    made = furnished(2, "normal")
    told = generated(Plan([port], made, seconds=0.1, warm_seconds=0, least=10))
    tables = [each["table"] for each in made]
    assert wrong(address(), tables, told) == []

    lost = {**told, "accepted": told["accepted"] + 1, "unanswered": 1}
    found = wrong(address(), tables, {**lost, "troubles": {"rejected stale": 2}})
    assert len(found) == 3
    assert "2 x rejected stale" in found

    Deadline.objects.filter(table=tables[0]).delete()
    table = Table.objects.get(pk=tables[1])
    turned = {**table.state, "seats": table.state["seats"][::-1]}
    Table.objects.filter(pk=tables[1]).update(seq=table.seq + 1, state=turned)
    found = "\n".join(wrong(address(), tables, told))
    assert "no deadline" in found
    assert "do not count" in found
    assert f"{tables[1]} is stored otherwise" in found
    assert f"{tables[0]} is stored otherwise" not in found


def test_listeners_only_listen(port):
    made = furnished(1)
    made[0]["sessions"] += [""] * 3
    told = generated(Plan([port], made, seconds=0.1, warm_seconds=0.1, kind="idle"))
    assert (told["sockets"], told["lost"]) == (5, 0)


@pytest.mark.slow
def test_fewer_idle_sockets_than_warm_up_are_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.live", "--idle", "50"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--idle: the first 200 warm up" in done.stderr


# --- figures --------------------------------------------------------------------------------------
GRAPH = b"[[[24,18,6,1],[24,21,3,2]],[[18,15,3,3]],[[21,15,6,3]],[]]"


def test_percentiles_are_of_the_sorted_times():
    assert spread_ms([each / 1000 for each in range(100, 0, -1)]) == pytest.approx(
        {"p50": 51, "p95": 96, "p99": 100}
    )
    assert spread_ms([]) == {}


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_is_a_complete_play(seed):
    moves = walk(read_graph(GRAPH), Random(seed))
    assert [move[:2] for move in moves] in ([(24, 18), (18, 15)], [(24, 21), (21, 15)])


def test_the_report_says_whether_the_promises_hold():
    spread = {"p50": 10.0, "p95": 50.0, "p99": 90.0}
    tables = {"way": "tables", "tables": 200, "processes": 2, "per_second": 3000.0}
    tables |= {"answer_ms": spread, "heard_ms": spread, "seconds": 8.0, "wrong": []}
    tables["slowest"] = 1.25
    tables["cpu_s"] = {"web": 8.0, "postgres": 4.0, "valkey": 0.5, "generator": 2.0}
    plain = {"way": report.PLAIN, "tables": 200, "processes": 0, "per_second": 5000.0}
    rows = [{**plain, "answer_ms": spread}, tables]
    told = report.text(report.machine(), rows)
    assert "60% of pgbench's four statements at 200 (promised: 50 %)" in told
    assert "p99 90 ms at 200 tables (promised: 100)" in told
    assert "1.2 x the median table's middle wait at the slowest of 200 (promised: 3)" in told
    assert "| 200 | 2 | 333 | 167 | 21 | 83 | 25% of a core |" in told
    tables["wrong"] = ["3 commands accepted, 2 stored"]
    assert "WRONG at 200 tables: 3 commands" in report.text(report.machine(), rows)


def test_a_table_that_is_passed_over_is_the_slowest():
    tally = Tally(answered=[(at, 0.1, "roll", table) for table in "abc" for at in (0.5, 1.5, 2.5)])
    assert slowest(tally, 0, 3, {"a": [], "b": [], "c": []}) == pytest.approx(1)
    tally.answered.append((2.9, 9.0, "roll", "c"))  # one long wait does not change the median
    assert slowest(tally, 0, 3, {}) == pytest.approx(1)
    assert slowest(tally, 0, 3, {"d": [0.4]}) == pytest.approx(4)
    assert slowest(tally, 5, 6, {}) == 0


# --- the client -----------------------------------------------------------------------------------
SIZES = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536]) | st.integers(0, 300)
UPGRADED = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"


class Member:
    """A listener that stores what it receives."""

    wire: RawSocket | None = None

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def hear(self, payload: memoryview) -> None:
        self.heard.append(bytes(payload))


class Written:
    """A transport that stores what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


def parsed(data: bytes) -> Frame:
    """The frame that a server reads from these bytes."""
    stream = StreamReader()
    stream.feed_data(data)
    stream.feed_eof()
    parsing: Generator[None, None, Frame] = Frame.parse(stream.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    return done.value.value


def spoken(*payloads: bytes) -> bytes:
    """The bytes of a server that sends these texts."""
    return b"".join(Frame(Opcode.TEXT, each).serialize(mask=False) for each in payloads)


@given(st.binary(max_size=300) | SIZES.filter(lambda size: size < 65_536).map(lambda n: b"x" * n))
def test_a_server_reads_what_is_sent(payload):
    frame = parsed(masked(TEXT, payload))
    assert (frame.opcode, frame.data, frame.fin) == (Opcode.TEXT, payload, True)


@given(st.lists(SIZES, max_size=5), st.lists(st.integers(1, 70_000), max_size=6))
def test_every_text_is_heard_once_however_the_bytes_arrive(sizes, cuts):
    texts = [bytes([65 + number]) * size for number, size in enumerate(sizes)]
    data, member = UPGRADED + spoken(*texts), Member()

    async def listen() -> None:
        wire, start = RawSocket(member, b""), 0
        for cut in [*cuts, len(data)]:
            wire.data_received(data[start : start + cut])
            start += cut
        wire.opened.result()

    asyncio.run(listen())
    assert member.heard == texts


def test_a_ping_is_answered_and_not_heard():
    member, written = Member(), Written()

    async def listen() -> None:
        wire = RawSocket(member, b"hello")
        wire.connection_made(written)  # type: ignore[arg-type]  # all that is asked of it
        ping = Frame(Opcode.PING, b"here?").serialize(mask=False)
        wire.data_received(UPGRADED + ping + spoken(b"and on"))

    asyncio.run(listen())
    answer = parsed(written.data.removeprefix(b"hello"))
    assert (answer.opcode, answer.data) == (PONG, b"here?")
    assert member.heard == [b"and on"]


def test_who_is_not_let_in_hears_why():
    async def knock() -> None:
        wire = RawSocket(Member(), b"")
        wire.data_received(b"HTTP/1.1 403 Forb")
        wire.data_received(b"idden\r\nserver: a\r\n\r\n")
        await wire.opened

    with pytest.raises(Refused, match="403 Forbidden"):
        asyncio.run(knock())
