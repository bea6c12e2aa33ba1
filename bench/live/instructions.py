"""Instructions that processes execute, counted by the processor: the same on a busy machine.

Linux counts for processes with the permission (`perf_event_open(2)`); many containers and virtual
machines have no such counters. Then only times are left to compare.
"""

import ctypes
import os
import platform
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

#: the number of the system call, by architecture.
PERF_EVENT_OPEN: Final = {"x86_64": 298, "aarch64": 241}

#: the counters: `type` and `config` of `struct perf_event_attr`.
INSTRUCTIONS: Final = (0, 1)
TASK_CLOCK_NS: Final = (1, 1)

_ATTRIBUTES_BYTES: Final = 128
_INHERIT: Final = 1 << 1


class Counters:
    """One counter for each thread of some processes; threads that begin later count as well."""

    def __init__(self, pids: Iterable[int], event: tuple[int, int] = INSTRUCTIONS) -> None:
        """Begin to count; raises `OSError` where the kernel does not allow or have it."""
        self._files: list[int] = []
        try:
            for pid in pids:
                self._files += [_opened(thread, event) for thread in _threads(pid)]
        except OSError:
            self.close()
            raise

    def read(self) -> int:
        """The counts so far."""
        return sum(struct.unpack("Q", os.read(each, 8))[0] for each in self._files)

    def close(self) -> None:
        """End counting."""
        for each in self._files:
            os.close(each)
        self._files = []


@contextmanager
def counted(pids: Iterable[int]) -> Iterator[Counters | None]:
    """Counters of instructions for these processes; None where there are none."""
    counters = None
    with suppress(OSError):
        counters = Counters(pids)
    try:
        yield counters
    finally:
        if counters is not None:
            counters.close()


def _threads(pid: int) -> list[int]:
    return [int(each.name) for each in Path(f"/proc/{pid}/task").iterdir()]


def _opened(thread: int, event: tuple[int, int]) -> int:
    """A counter of one thread, as an open file."""
    number = PERF_EVENT_OPEN.get(platform.machine())
    if number is None:
        raise OSError(f"the number of perf_event_open is unknown on {platform.machine()}")
    kind, config = event
    attributes = bytearray(_ATTRIBUTES_BYTES)
    struct.pack_into("<IIQ", attributes, 0, kind, _ATTRIBUTES_BYTES, config)
    struct.pack_into("<Q", attributes, 40, _INHERIT)
    place = (ctypes.c_char * _ATTRIBUTES_BYTES).from_buffer(attributes)
    kernel = ctypes.CDLL(None, use_errno=True)
    made = int(kernel.syscall(number, place, thread, -1, -1, 0))
    if made < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    return made
