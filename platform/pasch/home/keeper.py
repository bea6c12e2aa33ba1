"""Keeping the programs of a house running: one that dies is started again.

Each death is one line. The pause before a new start doubles from death to death. A program that
dies again and again, or fails at its very first start, closes the house: it would only die once
more. Servers that are not children of this process (PostgreSQL, Valkey) are checked every half
second.
"""

import multiprocessing
import queue
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from honcho.manager import KILL_WAIT, SIGNALS, Manager
from honcho.printer import Printer

from pasch.servers.embedded import EmbeddedError

DEATHS_MAX: Final = 5
DEATHS_SECONDS: Final = 60
PAUSE_SECONDS: Final = 0.5  # doubles with each death within DEATHS_SECONDS
FIRST_SECONDS: Final = 30  # a program that ends with an error sooner has failed to start
LOOK_SECONDS: Final = 0.5


class TooManyDeaths(Exception):
    """A program cannot be kept running; the text names it, and how often it died."""


@dataclass
class Deaths:
    """The latest deaths of one program, and when it may be started again."""

    name: str
    at: deque[float] = field(default_factory=lambda: deque(maxlen=DEATHS_MAX))

    def add(self) -> float:
        """Count one; the seconds to wait before the next start. Raises `TooManyDeaths`."""
        now = time.monotonic()
        self.at.append(now)
        recent = [each for each in self.at if now - each < DEATHS_SECONDS]
        if len(recent) >= DEATHS_MAX:
            raise TooManyDeaths(f"{self.name} died {DEATHS_MAX} times within {DEATHS_SECONDS} s")
        return PAUSE_SECONDS * float(2 ** (len(recent) - 1))


@dataclass
class Server:
    """A server of the house that is no child of this process."""

    name: str
    lives: Callable[[], bool]
    start: Callable[[], None]
    deaths: Deaths = field(init=False)
    start_at: float | None = None
    """When to start it again; None while it lives."""

    def __post_init__(self) -> None:
        self.deaths = Deaths(self.name)

    def look(self) -> str:
        """Start it again if it is dead and its pause is over; the lines for the log."""
        if self.start_at is None:
            if self.lives():
                return ""
            pause = self.deaths.add()
            self.start_at = time.monotonic() + pause
            return f"{self.name} died; it is started again in {pause:g} s"
        if time.monotonic() < self.start_at:
            return ""
        try:
            self.start()
        except EmbeddedError as error:
            self.start_at = time.monotonic() + self.deaths.add()
            return str(error)
        self.start_at = None
        return f"{self.name} runs again"


class Keeper(Manager):
    """honcho's manager of processes, which starts again what has died instead of ending all."""

    def __init__(self, printer: Printer, servers: list[Server]) -> None:
        super().__init__(printer)
        self.servers = servers
        self._deaths: dict[str, Deaths] = {}
        self._start_at: dict[str, float] = {}
        self._began_at: dict[str, float] = {}
        self._has_lived: set[str] = set()
        self._killed_at = float("inf")

    def loop(self) -> None:
        """Run everything until a signal comes or something cannot be kept."""
        for number in SIGNALS:
            signal.signal(number, self._asked_to_end)
        for name in self._processes:
            self._begin(name)
        look_at = 0.0
        while not (self._terminating and self._all_ended()):
            self._hear()
            try:
                if not self._terminating and time.monotonic() >= look_at:
                    look_at = time.monotonic() + LOOK_SECONDS
                    self._keep()
            except TooManyDeaths as death:
                self._system_print(f"{death}; closing\n")
                self.returncode = 1
                self.terminate()
            if time.monotonic() > self._killed_at:
                self.kill()
        self._drain()

    def terminate(self) -> None:
        """Terminate all programs; those still running a little later are killed."""
        self._killed_at = min(self._killed_at, time.monotonic() + KILL_WAIT)
        super().terminate()

    def _asked_to_end(self, number: int, _frame: object) -> None:
        asked = SIGNALS[signal.Signals(number)]
        self._system_print(f"{asked['name']} received\n")
        self.returncode = asked["rc"]
        self.terminate()

    def _begin(self, name: str) -> None:
        program = self._processes[name]
        program.pop("returncode", None)
        program.pop("pid", None)
        self._began_at[name] = time.monotonic()
        program["process"] = multiprocessing.Process(
            name=name, target=program["obj"].run, args=(self.events, True)
        )
        program["process"].start()

    def _hear(self) -> None:
        """Deal with one message of a process, if one comes soon."""
        try:
            message = self.events.get(timeout=0.1)
        except queue.Empty:
            return
        if message.type == "line":
            self._printer.write(message)
        elif message.type == "start":
            self._processes[message.name]["pid"] = message.data["pid"]
            self._system_print(f"{message.name} started (pid={message.data['pid']})\n")
            if self._terminating:  # it began in the very moment of the signal
                self._procmgr.terminate(message.data["pid"])
        elif message.type == "stop":
            self._ended(message.name, message.data["returncode"])

    def _ended(self, name: str, status: int) -> None:
        """Note that a process has ended; unless all shall end, it has died."""
        self._processes[name]["returncode"] = status
        if self._terminating:
            self._system_print(f"{name} stopped (rc={status})\n")
            return
        lived = time.monotonic() - self._began_at[name]
        if status >= 0 and name not in self._has_lived and lived < FIRST_SECONDS:
            self._system_print(f"{name} ended by itself (rc={status}); closing\n")
            self.returncode = 1
            self.terminate()
            return
        self._has_lived.add(name)
        try:
            pause = self._deaths.setdefault(name, Deaths(name)).add()
        except TooManyDeaths as death:
            self._system_print(f"{death}; closing\n")
            self.returncode = 1
            self.terminate()
            return
        self._start_at[name] = time.monotonic() + pause
        how = f"signal {-status}" if status < 0 else f"rc={status}"
        self._system_print(f"{name} died ({how}); it is started again in {pause:g} s\n")

    def _keep(self) -> None:
        """Start again what is dead: the servers first, since nothing starts without them."""
        for server in self.servers:
            if said := server.look():
                self._system_print(f"{said}\n")
        now = time.monotonic()
        for name, program in self._processes.items():
            if name not in self._start_at and not program["process"].is_alive():
                self._orphaned(name, program)
        if any(server.start_at is not None for server in self.servers):
            return
        for name in [name for name, at in self._start_at.items() if at <= now]:
            del self._start_at[name]
            self._begin(name)

    def _orphaned(self, name: str, program: dict[str, Any]) -> None:
        """End a program whose output has no reader any longer: the process between was killed."""
        if self.events.empty() and "pid" in program and "returncode" not in program:
            self._procmgr.kill(program["pid"])
            self._ended(name, -signal.SIGKILL)

    def _all_ended(self) -> bool:
        return all(
            "returncode" in program or not program["process"].is_alive()
            for program in self._processes.values()
        )

    def _drain(self) -> None:
        """Print the last lines."""
        while not self.events.empty():
            self._hear()
