"""A primary, replicas and three sentinels as processes, for tests that let the primary fail.

All of them have passwords, so what is tested logs in everywhere.
"""

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import redis

from harness.home import free_port
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.servers.embedded import valkey_program

NAME = "house"
#: a server that says nothing for this long is down while a test lets the primary fail, and else:
#: on a busy machine a server that lives says nothing for seconds.
DOWN_MS = 1_000
CALM_MS = 600_000
#: how often the sentinels ask each server whom it follows; ten seconds by default.
INFO_MS = 300

SERVER = """
requirepass for-servers
primaryauth for-servers
save ""
min-replicas-to-write 1
repl-diskless-sync-delay 0
repl-backlog-size 1mb
"""
SENTINEL = f"""
requirepass for-sentinels
sentinel sentinel-pass for-sentinels
sentinel monitor {NAME} 127.0.0.1 {{primary}} 2
sentinel auth-pass {NAME} for-servers
sentinel down-after-milliseconds {NAME} {CALM_MS}
sentinel failover-timeout {NAME} 3000
"""


def answers(server: redis.Redis) -> bool:
    """Whether a server answers."""
    try:
        with server as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


def followers(server: redis.Redis) -> int:
    """How many replicas follow a server, with all data."""
    with server as client:
        told = client.info("replication")
    slaves = [told[f"slave{number}"] for number in range(told["connected_slaves"])]
    return sum(slave["state"] == "online" for slave in slaves)


class Servers:
    """The servers by port, and the sentinels."""

    def __init__(self, replicas: int = 1) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pasch-sentinels-"))
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [free_port() for _ in range(replicas + 1)]
        self.sentinels = [free_port() for _ in range(3)]
        try:
            for port in self.ports:
                self.start(port, primary=self.ports[0])
            wait_until(
                lambda: followers(self.client(self.ports[0])) == replicas, "the replicas follow"
            )
            for port in self.sentinels:
                self._run(port, SENTINEL.format(primary=self.ports[0]), "--sentinel")
            wait_until(self._is_quiet, "the sentinels find each other and the replicas")
        except BaseException:
            self.stop()
            raise

    @property
    def address(self) -> str:
        """What `REDIS_URL` is set to."""
        return self.address_of(NAME, *self.sentinels)

    def address_of(self, name: str, *sentinels: int) -> str:
        """The address of what some of the sentinels watch under a name."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in sentinels)
        return f"redis+sentinel://:for-servers@{hosts}/{name}/3?sentinel_password=for-sentinels"

    def watch(self, name: str, port: int) -> None:
        """Let the first sentinel, and it alone, take a server for a primary of this name."""
        sentinel = self._sentinel(self.sentinels[0])
        if name in sentinel.sentinel_masters():
            sentinel.sentinel_remove(name)
        sentinel.sentinel_monitor(name, "127.0.0.1", port, 2)
        sentinel.sentinel_set(name, "auth-pass", "for-servers")

    def start(self, port: int, *, primary: int) -> None:
        """Start a server, as a replica unless it is the primary itself."""
        follow = "" if port == primary else f"replicaof 127.0.0.1 {primary}\n"
        self._run(port, SERVER + follow)
        wait_until(lambda: answers(self.client(port)), f"the server at {port} answers")

    def primary(self) -> int:
        """The port of the primary by what all sentinels say; 0 while they do not agree."""
        told = set()
        for port in self.sentinels:
            with self._sentinel(port) as sentinel:
                told.add(sentinel.sentinel_get_master_addr_by_name(NAME)[1])
        return int(told.pop()) if len(told) == 1 else 0

    def fail_over(self) -> int:
        """Another server becomes the primary, on command; its port."""
        wait_until(self._is_quiet, "every replica may become the primary")
        before = self.primary()
        self._sentinel(self.sentinels[0]).execute_command("SENTINEL", "FAILOVER", NAME)
        return self._changed(before)

    def kill_primary(self) -> int:
        """Kill the primary, so that another server becomes it; its port."""
        before = self._watched_primary()
        self.end(before)
        return self._lost(before)

    def freeze_primary(self) -> int:
        """The primary keeps its connections and says nothing more; the port of the new one."""
        before = self._watched_primary()
        self.running[before].send_signal(signal.SIGSTOP)
        return self._lost(before)

    def end(self, port: int) -> None:
        """Kill one server."""
        process = self.running.pop(port)
        process.kill()
        process.wait()

    def mend(self) -> None:
        """All servers follow the primary again; an old one would take ten seconds to find out."""
        wait_until(self.primary, "the sentinels agree on a primary")
        primary = self.primary()
        for port in self.ports:
            if port != primary:
                if port in self.running:
                    self.end(port)
                self.start(port, primary=primary)
        wait_until(
            lambda: followers(self.client(primary)) == len(self.ports) - 1, "all follow the primary"
        )
        wait_until(self._is_quiet, "the sentinels see the replicas")

    def stop(self) -> None:
        """End all processes and remove what they wrote."""
        for port in list(self.running):
            self.end(port)
        shutil.rmtree(self.folder)

    def client(self, port: int) -> redis.Redis:
        """A client of one server."""
        return redis.Redis(port=port, password="for-servers", db=3, socket_timeout=2)

    def _sentinel(self, port: int) -> redis.Redis:
        return redis.Redis(port=port, password="for-sentinels", socket_timeout=WAIT_SECONDS)

    def _run(self, port: int, configuration: str, *options: str) -> None:
        folder = self.folder / str(port)
        folder.mkdir(exist_ok=True)
        path = folder / "conf"
        path.write_text(f"port {port}\nbind 127.0.0.1\ndir {folder}\n{configuration}")
        with (folder / "log").open("ab") as log:
            command = [valkey_program(), path, *options]
            self.running[port] = subprocess.Popen(command, stdout=log, stderr=log)

    def _is_quiet(self) -> bool:
        """Whether each sentinel sees the same primary, followed by all others, and no failover."""
        try:
            return self.primary() != 0 and all(self._sees_all(port) for port in self.sentinels)
        except redis.RedisError:
            return False

    def _sees_all(self, port: int) -> bool:
        with self._sentinel(port) as sentinel:
            sentinel.execute_command("SENTINEL", "DEBUG", "info-period", INFO_MS)
            primary = sentinel.sentinel_masters()[NAME]
            replicas = sentinel.sentinel_slaves(NAME)
        followers = [
            each["port"]
            for each in replicas
            if each["flags"] == "slave"
            and each["master-link-status"] == "ok"
            and each["master-port"] == primary["port"]
        ]
        others = set(self.ports) - {primary["port"]}
        is_alone = primary["flags"] == "master" and primary["num-other-sentinels"] == 2
        return is_alone and sorted(followers) == sorted(others)

    def _watched_primary(self) -> int:
        """The primary, whose silence the sentinels take for its end from now on."""
        wait_until(self._is_quiet, "every replica may become the primary")
        self._down_after(DOWN_MS)
        return self.primary()

    def _down_after(self, silent_ms: int) -> None:
        for port in self.sentinels:
            with self._sentinel(port) as sentinel:
                sentinel.sentinel_set(NAME, "down-after-milliseconds", silent_ms)

    def _lost(self, before: int) -> int:
        self._changed(before)
        wait_until(lambda: before not in self._listed(), "no sentinel lists the old primary")
        self._down_after(CALM_MS)
        rest = len(self.ports) - 2  # a primary that nobody follows refuses to write
        wait_until(
            lambda: followers(self.client(self.primary())) >= rest,
            "the rest follows the new primary",
        )
        return self.primary()

    def _listed(self) -> set[int]:
        """The primaries in the sentinels' lists, which name the old one until the very end."""
        listed = set()
        for port in self.sentinels:
            with self._sentinel(port) as sentinel:
                listed.add(sentinel.sentinel_masters()[NAME]["port"])
        return listed

    def _changed(self, before: int) -> int:
        wait_until(lambda: self.primary() not in (0, before), "another server is the primary")
        return self.primary()
