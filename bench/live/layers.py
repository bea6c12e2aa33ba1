"""Where the processor time of a web server goes, by layer, from samples of its Python stacks.

Samples come from py-spy where that program is installed (`pip install py-spy`; it is no dependency
of ours): it counts threads that run, and leaves out those that wait. Without it a thread of the
server itself samples all the others (`bench.live.launch --samples`): it cannot distinguish whether
the event loop works or waits, and disturbs more, so its shares are of Python's own frames alone.
"""

import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

RATE_HZ: Final = 200

#: the first layer that has a frame, searched from the innermost frame outwards.
LAYERS: Final[dict[str, tuple[str, ...]]] = {
    "view and JSON": (
        "games/wire/", "games/table/view.py", "games/selectors.py", "msgspec", "json/",
    ),
    "rules and machine": ("backgammon/rules/", "games/table/"),
    "dice": (
        "backgammon/dice/", "games/services/dice/", "games/services/dice_parts.py", "cryptography",
    ),
    "database": ("psycopg", "django/db/", "games/models", "pasch/postgresql/pool.py"),
    "delivery": (
        "games/live/", "games/broadcast.py", "channels/", "uvicorn/", "websockets/", "asyncio/",
        "asgiref/", "redis/", "concurrent/", "uvloop",
        "pasch/observability/tracing.py", "pasch/observability/security_log.py",
    ),
}  # fmt: skip
REST: Final = "rest"

#: innermost functions in which a thread of Python only waits.
WAITING: Final = (
    "wait (", "Condition.wait (", "_worker (", "select (", "PollSelector.select (",
    "EpollSelector.select (", "Connection.wait (", "AsyncConnection.wait (",
)  # fmt: skip


def shares(lines: Iterable[str]) -> dict[str, float]:
    """The share of each layer, from collapsed stacks: `outer;inner;innermost COUNT`."""
    counts: Counter[str] = Counter()
    for line in lines:
        stack, _, count = line.rpartition(" ")
        frames = stack.split(";")
        if not _waits(frames[-1]):
            counts[layer_of(frames)] += int(count)
    total = counts.total() or 1
    return {layer: counts[layer] / total for layer in (*LAYERS, REST)}


def _waits(innermost: str) -> bool:
    """Whether a sampled thread waits; for the event loop only py-spy can see it (`Runner.run`)."""
    seen_from_inside = innermost.startswith("run (") and "asyncio/runners.py" in innermost
    return seen_from_inside or innermost.startswith(WAITING)


def layer_of(frames: list[str]) -> str:
    """The layer that a stack works for."""
    for frame in reversed(frames):
        place = frame.partition("(")[2]
        for layer, known in LAYERS.items():
            if any(each in place for each in known):
                return layer
    return REST


def innermost(lines: Iterable[str], most: int = 12) -> list[tuple[str, float]]:
    """The functions in which most samples end, with their share."""
    counts: Counter[str] = Counter()
    for line in lines:
        stack, _, count = line.rpartition(" ")
        name = stack.split(";")[-1].rsplit(":", 1)[0] + ")"
        if not _waits(name):
            counts[name] += int(count)
    total = counts.total() or 1
    return [(name, count / total) for name, count in counts.most_common(most)]


def since(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """The counts between two readings of a file of stacks that only grows."""
    counts: Counter[str] = Counter()
    for lines, sign in ((after, 1), (before, -1)):
        for line in lines:
            stack, _, count = line.rpartition(" ")
            counts[stack] += sign * int(count)
    return [f"{stack} {count}" for stack, count in counts.items() if count > 0]


def spy() -> str | None:
    """Where py-spy is, if it is installed."""
    return shutil.which("py-spy")


def spying(pid: int, stacks: Path) -> subprocess.Popen[bytes]:
    """Let py-spy look at what a process does, until `spied` is called."""
    program = spy()
    assert program is not None, "asked for only where it is installed"
    command = [program, "record", "-p", str(pid), "-d", "unlimited", "-r", str(RATE_HZ)]
    command += ["-f", "raw", "-o", str(stacks), "--full-filenames"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def spied(looking: subprocess.Popen[bytes]) -> None:
    """End it; what it has seen is written. Raises `RuntimeError` if it could not look."""
    looking.send_signal(signal.SIGINT)
    said = looking.communicate(timeout=60)[1]
    if looking.returncode:
        raise RuntimeError(f"py-spy cannot look: {said.decode()[-500:]}")
