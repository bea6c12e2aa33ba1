"""The measured house, and meters for what its parts spend.

Both servers, and as many web servers as a stage needs, each a process with the settings of a
house on the internet (only https is off). No worker and no beat: they are not measured.
"""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psutil

from harness.house import WEB, WholeHouse
from pasch.servers import embedded

#: pgbench runs with 200 clients, in addition to other connections.
POSTGRES: Final = {"max_connections": "300"}

#: open files of a process: an idle socket is one, and what the house keeps for it.
FILES: Final = 65_536


@contextmanager
def opened() -> Iterator[WholeHouse]:
    """A house with its two servers and its database, and no web server."""
    files_raise()
    house = WholeHouse(hurried=True, parts=())
    house.environment["DATABASE_POOL_MAX"] = "24"
    try:
        embedded.postgres_start(house.home, settings=POSTGRES)
        house.open_servers()
        yield house
    finally:
        house.close()


@contextmanager
def serving(house: WholeHouse, processes: int) -> Iterator[list[int]]:
    """Web servers for one stage; yields their ports."""
    house.parts = WEB[:processes]
    try:
        house.open()
        yield [house.ports[name] for name in house.web]
    finally:
        for name in house.web:
            house.kill(name)


def files_raise() -> None:
    """Let this process and its children open as many files as the machine allows, up to `FILES`."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, max(FILES, hard)))
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# --- what is spent -------------------------------------------------------------------------------


def cpu_seconds(house: WholeHouse, generator: subprocess.Popen[str]) -> dict[str, float]:
    """Processor time so far, user and system, by part of the whole."""
    valkey = _pid_of(house, "valkey.pid")
    postgres = embedded.postgres_pid(house.home)
    return {
        "web": sum(_family(pid) for pid in web_pids(house)),
        "postgres": _family(postgres) if postgres else 0.0,
        "valkey": _family(valkey) if valkey else 0.0,
        "generator": _family(generator.pid),
    }


def web_pids(house: WholeHouse) -> list[int]:
    """The processes of the web servers that run now."""
    return [house.running[name].pid for name in house.web if name in house.running]


def memory_bytes(house: WholeHouse, part: str = "web") -> int:
    """Resident memory of the web servers, or of Valkey."""
    pids = web_pids(house)
    if part == "valkey":
        pids = [_pid_of(house, "valkey.pid") or os.getpid()]
    return sum(psutil.Process(pid).memory_info().rss for pid in pids)


def _pid_of(house: WholeHouse, name: str) -> int | None:
    with suppress(OSError, ValueError):
        return int((house.home.run / name).read_text())
    return None


def _family(pid: int) -> float:
    """A process with its children, those that have ended included."""
    spent = 0.0
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        own = process.cpu_times()
        spent = own.user + own.system + own.children_user + own.children_system
        for child in process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                times = child.cpu_times()
                spent += times.user + times.system
    return spent
