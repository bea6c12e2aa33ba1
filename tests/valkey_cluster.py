"""A cluster of six servers as processes: three with a third of the slots each, and replicas."""

import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from pasch.servers.embedded import valkey_program
from tests.platform.houses import free_port
from tests.sentinels import answers, followers, until

PRIMARIES = 3
#: a server that says nothing for this long is replaced; on a busy machine one that lives is slow.
SILENT_MS = 5_000
PASSWORD = "for-servers"
CONFIGURATION = f"""
requirepass {PASSWORD}
primaryauth {PASSWORD}
save ""
cluster-enabled yes
cluster-node-timeout {SILENT_MS}
cluster-replica-validity-factor 0
repl-diskless-sync-delay 0
"""


class ClusterOfTests:
    """The servers by port."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pasch-cluster-"))
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [free_port() for _ in range(2 * PRIMARIES)]
        self.buses = [free_port() for _ in self.ports]
        try:
            for port in self.ports:
                self.start(port)
            self._join()
        except BaseException:
            self.stop()
            raise

    @property
    def address(self) -> str:
        """What `REDIS_URL` is set to."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"redis+cluster://:{PASSWORD}@{hosts}"

    def client(self, port: int) -> redis.Redis:
        """A client of one server."""
        return redis.Redis(port=port, password=PASSWORD, socket_timeout=2)

    def start(self, port: int) -> None:
        """Start a server, which finds the others again if it knew them."""
        folder = self.folder / str(port)
        folder.mkdir(exist_ok=True)
        bus = self.buses[self.ports.index(port)]
        where = f"port {port}\ncluster-port {bus}\nbind 127.0.0.1\ndir {folder}\n"
        (folder / "conf").write_text(where + CONFIGURATION)
        with (folder / "log").open("ab") as log:
            command = [valkey_program(), folder / "conf"]
            self.running[port] = subprocess.Popen(command, stdout=log, stderr=log)
        until(lambda: answers(self.client(port)), f"the server at {port} answers")

    def primaries(self) -> dict[int, int]:
        """The port of the primary of each part, by its first slot, as a living server names it."""
        with self.client(next(iter(self.running))) as one:
            parts = one.execute_command("CLUSTER SLOTS")
        return {first: primary[1] for first, _, primary, *_ in parts}

    def primary_of(self, key: str) -> int:
        """The port of the primary of a key."""
        with self.client(next(iter(self.running))) as one:
            slot = one.cluster("KEYSLOT", key)
        return max((first, port) for first, port in self.primaries().items() if first <= slot)[1]

    def kill(self, port: int) -> None:
        """Kill a primary and wait until its replica has its place."""
        process = self.running.pop(port)
        process.kill()
        process.wait()
        self._replaced(port)

    def freeze(self, port: int) -> None:
        """A primary says nothing more and closes nothing, until its replica has its place."""
        frozen = self.running.pop(port)
        frozen.send_signal(signal.SIGSTOP)
        self._replaced(port)
        frozen.kill()
        frozen.wait()

    def mend(self) -> None:
        """Every server that was killed comes back, and every primary has a replica."""
        for port in self.ports:
            if port not in self.running:
                self.start(port)
        until(self._is_whole, "every primary has a replica")

    def move_slot(self, slot: int) -> None:
        """Give a slot to another primary; it must have no keys."""
        ports = sorted(set(self.primaries().values()))
        before = max((f, p) for f, p in self.primaries().items() if f <= slot)[1]
        after = next(port for port in ports if port != before)
        ids = {port: self._ask(port, "MYID").decode() for port in ports}
        self._ask(after, "SETSLOT", slot, "IMPORTING", ids[before])
        self._ask(before, "SETSLOT", slot, "MIGRATING", ids[after])
        for port in (after, before, *ports):
            self._ask(port, "SETSLOT", slot, "NODE", ids[after])

    def stop(self) -> None:
        """End all processes and remove what they wrote."""
        for process in self.running.values():
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)

    def _join(self) -> None:
        first, *others = self.ports
        for number, port in enumerate(self.ports[:PRIMARIES]):
            begin, end = (REDIS_CLUSTER_HASH_SLOTS * n // PRIMARIES for n in (number, number + 1))
            self._ask(port, "ADDSLOTSRANGE", begin, end - 1)
            self._ask(port, "SET-CONFIG-EPOCH", number + 1)
        for port in others:
            self._ask(port, "MEET", "127.0.0.1", first, self.buses[0])
        until(lambda: all(self._sees_all(port) for port in self.ports), "all see each other")
        for primary, port in zip(self.ports, self.ports[PRIMARIES:], strict=False):
            self._ask(port, "REPLICATE", self._ask(primary, "MYID").decode())
        until(self._is_whole, "every primary has a replica")

    def _sees_all(self, port: int) -> bool:
        told = self._ask(port, "NODES").decode()
        lines = [line for line in told.splitlines() if "handshake" not in line]
        return len(lines) == len(self.ports)

    def _is_whole(self) -> bool:
        """Whether every server names the same parts, each with a replica that has all data."""
        try:
            told = set()
            for port in self.ports:
                parts = self._ask(port, "SLOTS")
                told.add(str(sorted((part[0], part[2][1], part[3][1]) for part in parts)))
                if b"cluster_state:ok" not in self._ask(port, "INFO"):
                    return False
            linked = [followers(self.client(port)) for port in set(self.primaries().values())]
        except (redis.RedisError, IndexError):
            return False
        return len(told) == 1 and linked == [1] * PRIMARIES

    def _replaced(self, port: int) -> None:
        until(lambda: self._agree_without(port), f"another server replaces the one at {port}")

    def _agree_without(self, port: int) -> bool:
        """Whether every living server names other primaries and takes commands."""
        told = defaultdict(set)
        for living in self.running:
            for part in self._ask(living, "SLOTS"):
                told[part[0]].add(part[2][1])
            if b"cluster_state:ok" not in self._ask(living, "INFO"):
                return False
        return all(len(ports) == 1 and port not in ports for ports in told.values())

    def _ask(self, port: int, *command: str | int) -> bytes:
        with self.client(port) as client:
            client.response_callbacks.clear()
            answer: bytes = client.execute_command("CLUSTER", *command)
        return answer
