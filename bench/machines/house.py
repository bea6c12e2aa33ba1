"""The house of the rehearsal: the processes of eleven hosts, and which of them may be asked what.

It stands in for the house of the soak (`harness.house.WholeHouse`), whose players, administrators
and oracle use it unchanged. Players and administrators sit on this machine, outside of all hosts.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psycopg

from bench.machines import hosts
from bench.machines.network import Network
from bench.machines.state import Standing
from harness.home import ROOT, group_kill, launched
from harness.house import APPLICATION_ROLE, MODULES, HouseDown, WholeHouse
from pasch.servers import embedded
from pasch.servers.processes import open_path, server_user

PACKAGES: Final = ROOT / "var" / "machines-packages"
LOCK: Final = ROOT / "bench" / "machines" / "requirements.lock"
START_SECONDS: Final = 240
OF_THE_SERVER: Final = ("etcd", "patroni", "valkey", "sentinel")


@dataclass(frozen=True, slots=True)
class Place:
    """The part of a house that players and administrators need: folders and addresses."""

    root: Path
    addresses: dict[str, str]

    @property
    def logs(self) -> Path:
        """One log file for each process."""
        return self.root / "log"

    @property
    def redis_url(self) -> str:
        """The address of Valkey."""
        return hosts.valkey_url(self.addresses)

    def database_url(self, *, user: str = "postgres") -> str:
        """The address of the primary, wherever it is."""
        return hosts.database_url(self.addresses, user)


@dataclass(slots=True)
class Machines(WholeHouse):
    """Every host and its processes; `code` is the checkout that each host runs."""

    network: Network = field(default_factory=Network)
    code: dict[str, Path] = field(default_factory=dict)
    standing: Standing = field(init=False)
    keep: bool = False
    """Whether the folder with logs and data stays."""
    home: Place = field(init=False)  # type: ignore[assignment]  # the same questions, other answers

    def __post_init__(self) -> None:
        WholeHouse.__post_init__(self)
        shutil.rmtree(self.home.root)
        self.network.open(*hosts.HOSTS)
        addresses = dict(self.network.hosts)
        self.home = Place(Path(tempfile.mkdtemp(prefix="pasch-machines-")), addresses)
        self.standing = Standing(addresses)
        self.home.logs.mkdir()
        self.code = dict.fromkeys((*hosts.WEB, *hosts.WORK), self.root)
        vault = self.home.root / "vault" / "seals.log"
        vault.parent.mkdir()
        vault.touch()
        self.environment |= {
            "PASCH_VAR": str(self.home.root),
            "DATABASE_URL": self.home.database_url(user=APPLICATION_ROLE),
            "REDIS_URL": self.home.redis_url,
            "ALLOWED_HOSTS": ",".join(addresses.values()),
            "TRUSTED_PROXIES": ",".join(addresses[name] for name in hosts.BALANCERS),
            "LEDGER_SEAL_FILE": "",
            "LEDGER_SEAL_COMMAND": f"sh -c 'cat >> {vault}'",
            "LEDGER_SEAL_READ_COMMAND": f"cat {vault}",
        }

    # --- opening and closing ---------------------------------------------------------------------

    def open_servers(self) -> None:
        """Start PostgreSQL and Valkey with what watches over them; prepare the database."""
        fetch_packages()
        user = server_user()
        assert user is not None  # namespaces need root, so there is one
        self._make_folders(user)
        standing = self.standing
        for name in (*hosts.POSTGRES, *hosts.SENTINELS):
            self.start_host(name)
        self.until(
            "PostgreSQL has no primary", lambda: self.standing.postgres_primary() is not None
        )
        with psycopg.connect(self._postgres_url("postgres"), autocommit=True) as db:
            db.execute("CREATE DATABASE pasch")
        self.until("Valkey has no primary", lambda: standing.valkey_primary() is not None)
        self.prepare(self.root)

    def prepare(self, code: Path) -> None:
        """Migrate the database to this checkout, as its owner. Raises `HouseDown`."""
        owner = {"DATABASE_URL": self.home.database_url(), "EMBEDDED": "1"}
        done = self._run_in(code, ["manage.py", "prepare"], {**self._of(code), **owner})
        if done.returncode:
            raise HouseDown(f"the house cannot be prepared:\n{done.stderr[-2000:]}")

    def open(self) -> None:
        """Start web servers, workers and balancers, and wait until all are well."""
        for name in (*hosts.WEB, *hosts.WORK, *hosts.BALANCERS):
            self.start_host(name)
        self.wait_until_well()

    def mend(self) -> None:
        """Plug in and start whatever is down, and wait until all is well."""
        for name in hosts.HOSTS:
            self.network.heal(name)
            self.start_host(name)
        self.wait_until_well()

    def close(self) -> None:
        """End everything and remove hosts and folders; safe to call again."""
        with self.lock:
            self.closed = True
        for name in list(self.network.hosts):
            self.network.heal(name)
            self.kill_host(name)
        self.network.close()
        if not self.keep:
            shutil.rmtree(self.home.root, ignore_errors=True)

    def addresses(self) -> tuple[str, ...]:
        """Where players connect: the balancers."""
        return tuple(f"{self.home.addresses[name]}:{hosts.WEB_PORT}" for name in hosts.BALANCERS)

    # --- processes -------------------------------------------------------------------------------

    def start_host(self, name: str) -> None:
        """Start every process of a host that does not run."""
        for part in hosts.PROCESSES[name]:
            self.start(f"{name}.{part}")

    def start(self, name: str, *, clock_s: int = 0) -> None:
        """Start a process, named by its host and what it is: `web0.web`."""
        del clock_s  # hosts of one machine share its clock
        with self.lock:
            if self.closed or name in self.running:
                return
            host, part = name.split(".")
            command = [*self.network.inside(host), *self._command(host, part)]
            code = self.code.get(host, self.root)
            self.running[name] = launched(
                command, self._environment(host, part, code), log=self.log(name), tree=code
            )
            self.starts[name] = self.starts.get(name, 0) + 1

    def stop(self, name: str) -> None:
        """End a process as a service manager does: with SIGTERM, and time to finish."""
        with self.lock:
            process = self.running.pop(name, None)
        if process is not None:
            os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
                return
            group_kill(process)

    def kill_host(self, name: str) -> None:
        """Everything on a host ends at once, as in a power cut; its disk stays."""
        with self.lock:
            ended = [self.running.pop(f"{name}.{part}", None) for part in hosts.PROCESSES[name]]
        while pids := self.network.pids(name):
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for process in ended:
                if process is not None:
                    process.wait()
            time.sleep(0.02)
        for pid_file in (self.home.root / name / "data").glob("postmaster.pid"):
            pid_file.unlink()  # another process may have its number by now

    def command(self, name: str, clock_s: int = 0) -> list[str]:
        """The desk of the administrators, which sits on this machine."""
        del clock_s
        return [sys.executable, "-m", *MODULES[name]]

    def _command(self, host: str, part: str) -> list[str]:
        folder, addresses = self.home.root / host, self.home.addresses
        if part in OF_THE_SERVER:
            command = {
                "etcd": lambda: hosts.etcd(host, addresses, folder / "etcd"),
                "patroni": lambda: [sys.executable, "-m", "patroni", str(folder / "patroni.json")],
                "valkey": lambda: [str(_valkey()), str(folder / "valkey.conf")],
                "sentinel": lambda: [str(_valkey()), str(folder / "sentinel.conf"), "--sentinel"],
            }[part]()
            user = str(server_user())
            switch = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
            return [*switch, *command]
        if part == "haproxy":
            return ["haproxy", "-db", "-q", "-f", str(folder / "haproxy.cfg")]
        return [sys.executable, "-m", *MODULES[part]]

    def _environment(self, host: str, part: str, code: Path) -> dict[str, str]:
        if part == "patroni":
            path = os.pathsep.join([str(PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])])
            return {**os.environ, "PYTHONPATH": path, "LC_ALL": "C"}
        listen = {"HOST": self.home.addresses[host], "PORT": str(hosts.WEB_PORT)}
        return {**self._of(code), **listen}

    def _of(self, code: Path) -> dict[str, str]:
        path = os.pathsep.join([str(code), str(code / "platform")])
        return {**self.environment, "PYTHONPATH": path}

    def _run_in(
        self, code: Path, arguments: list[str], environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=code, env=environment, capture_output=True, text=True, check=False
        )

    def _make_folders(self, user: str) -> None:
        addresses, primary = self.home.addresses, self.home.addresses[hosts.VALKEY[0]]
        self.home.root.chmod(0o755)
        for program in (embedded.postgres_program("postgres"), _valkey(), PACKAGES):
            open_path(program, user)
        open_path(Path(sys.executable).resolve(), user)
        for name in hosts.HOSTS:
            folder, own = self.home.root / name, addresses[name]
            folder.mkdir()
            programs = embedded.postgres_program("postgres").parent
            files = {
                "etcd": ("", ""),
                "haproxy": ("haproxy.cfg", hosts.haproxy(addresses, own)),
                "valkey": ("valkey.conf", hosts.valkey(own, folder, primary)),
                "sentinel": ("sentinel.conf", hosts.sentinel(own, folder, primary)),
                "patroni": (
                    "patroni.json",
                    hosts.patroni(name, addresses, folder, programs, str(self.network.subnet)),
                ),
            }
            for part in hosts.PROCESSES[name]:
                file, text = files.get(part, ("", ""))
                if file:
                    (folder / file).write_text(text)
                    shutil.chown(folder / file, user, user)
            shutil.chown(folder, user, user)

    def is_now(self, code: Path) -> None:
        """From now on commands of the house are run from this checkout."""
        self.root = code
        self.environment = self._of(code)

    # --- asking ----------------------------------------------------------------------------------

    def answer(self, name: str) -> int:
        """The status of a host's page for balancers; 0 if it does not answer."""
        return self.standing.answer(name)

    def wait_until_well(self) -> None:
        """Wait until every host does its part. Raises `HouseDown`."""
        self.until("not everything is well", lambda: not self.standing.faults())

    def until(self, what: str, reached: Callable[[], bool]) -> None:
        """Wait until something is reached; what ended meanwhile is started again."""
        end = time.monotonic() + START_SECONDS
        while not self.closed and not reached():
            for name in tuple(self.running):
                self.restart_ended(name)
            if time.monotonic() > end:
                wrong = "; ".join(self.standing.faults())
                raise HouseDown(f"{what} after {START_SECONDS} s: {wrong}\n{self._ended()}")
            time.sleep(0.25)

    def _ended(self) -> str:
        """The last lines of the processes that had to be started again."""
        return "\n".join(
            f"{name}: {self.said(name)}" for name, count in self.starts.items() if count > 1
        )

    def _postgres_url(self, name: str) -> str:
        return self.home.database_url().replace("/pasch?", f"/{name}?")


def fetch_packages() -> None:
    """Install Patroni beside the house's packages, once."""
    if (PACKAGES / "patroni").exists():
        return
    fetch = ["-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "-r", str(LOCK)]
    subprocess.run([sys.executable, *fetch, "--target", str(PACKAGES)], check=True)


def _valkey() -> Path:
    return embedded.valkey_program()
