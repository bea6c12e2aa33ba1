"""The hosts of the rehearsal: cables that can be pulled, and strikes that befall everything."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.machines import hosts
from bench.machines.network import Network, NetworkError, check
from bench.machines.strikes import HEALS, SWITCHES, TARGETS, UPGRADE, Struck, strikes, waits_ms
from bench.soak.journal import Journal
from harness.waiting import WAIT_SECONDS, wait_until

PORT = 7777
KILOBYTES = 64
SENDS = f"""
import socket
server = socket.create_server(("0.0.0.0", {PORT}))
print("ready", flush=True)
while True:
    server.accept()[0].sendall(b"x" * {KILOBYTES * 1024})
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture
def network() -> Iterator[Network]:
    check()
    made = Network()
    try:
        made.open("a", "b")
        yield made
    finally:
        made.close()


def fetched_s(address: str, *, connects_s: float = WAIT_SECONDS) -> float:
    """How long it takes to fetch everything from the server at this address."""
    begin = time.monotonic()
    with socket.create_connection((address, PORT), timeout=connects_s) as connection:
        connection.settimeout(WAIT_SECONDS)
        left = KILOBYTES * 1024
        while left:
            left -= len(connection.recv(65536))
    return time.monotonic() - begin


@pytest.mark.slow
@needs_root
def test_a_host_can_be_cut_off_slowed_and_healed(network: Network) -> None:
    server = subprocess.Popen(
        [*network.inside("a"), sys.executable, "-c", SENDS], stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    try:
        assert network.pids("a") == [server.pid]
        assert network.pids("b") == []
        assert fetched_s(network.hosts["a"])
        network.cut("a")
        with pytest.raises(OSError, match=r"timed out|No route"):
            fetched_s(network.hosts["a"], connects_s=1)
        network.heal("a")
        network.slow("a")
        assert fetched_s(network.hosts["a"]) > 1  # 64 KiB at 256 kbit/s, less what is let through
        network.heal("a")
        wait_until(lambda: fetched_s(network.hosts["a"]) < 1, "it stays slow")
    finally:
        server.kill()
        server.communicate()


@needs_root
def test_nothing_is_left_of_a_network() -> None:
    made = Network()
    made.open("a")
    space = made.space("a")
    made.close()
    made.close()
    assert space not in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
    assert subprocess.run(["ip", "link", "show", made.bridge], capture_output=True).returncode


def test_without_root_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NetworkError, match="need root"):
        check()


def test_everything_befalls_every_host_once_and_the_upgrade_comes_last() -> None:
    names = strikes(1, short=False)
    expected = [f"{kind} {host}" for host in TARGETS for kind in HEALS]
    assert sorted(names) == sorted([*expected, *SWITCHES * 2, UPGRADE])
    assert names[-1] == UPGRADE
    assert strikes(1, short=False) == names != strikes(2, short=False)
    assert len(TARGETS) == len(hosts.HOSTS)


def test_a_wait_counts_for_the_strike_that_it_overlaps() -> None:
    journal = Journal(waits_ms=[500.0, 3000.0, 9000.0, 100.0], answered_s=[9.0, 12.0, 25.0, 30.0])
    assert waits_ms(Struck("kill web0", 10.0, 14.0, 20.0), journal) == [3000.0, 9000.0]


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed")
def test_haproxy_accepts_its_configuration(tmp_path: Path) -> None:
    addresses = {name: f"127.0.0.{n}" for n, name in enumerate(hosts.HOSTS, start=2)}
    file = tmp_path / "haproxy.cfg"
    file.write_text(hosts.haproxy(addresses, "127.0.0.1"))
    done = subprocess.run(["haproxy", "-c", "-f", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
