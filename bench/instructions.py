"""Instructions of this thread outside the kernel, counted by the processor.

Times depend on what else the machine does. The number of instructions hardly does (about 1 %), so
two versions of a piece of code can be compared on a busy machine. Only Linux has this counter, and
some virtual machines and containers do not give it.
"""

import ctypes
import os
import platform
import struct
from collections.abc import Callable
from time import thread_time_ns
from typing import Any, Final

_PERF_EVENT_OPEN: Final = {"x86_64": 298, "aarch64": 241}
_HARDWARE, _INSTRUCTIONS = 0, 1
_ATTRIBUTES_BYTES: Final = 112
_NO_KERNEL_NO_HYPERVISOR: Final = 1 << 5 | 1 << 6
_EMPTY_CALLS: Final = 500


Cost = tuple[int, int]
"""Instructions and nanoseconds of processor time."""


class Counter:
    """Notes what each call of a named part costs, in order.

    Without the processor's counter `counts` is False and all instructions are 0.
    """

    def __init__(self) -> None:
        self._fd = _opened()
        self._own: Cost = (0, 0)
        self._own = min(self._once(int)[1] for _ in range(_EMPTY_CALLS))
        self.costs: dict[str, list[Cost]] = {}

    @property
    def counts(self) -> bool:
        """Whether this machine counts instructions for us."""
        return self._fd >= 0

    def __call__(self, part: str, work: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of `work(*arguments)`; what it costs is noted under `part`."""
        answer, (instructions, ns) = self._once(work, *arguments)
        cost = (instructions - self._own[0], ns - self._own[1])
        self.costs.setdefault(part, []).append(cost)
        return answer

    def _once(self, work: Callable[..., Any], *arguments: Any) -> tuple[Any, Cost]:
        began, before = thread_time_ns(), self._read()
        answer = work(*arguments)
        after, ended = self._read(), thread_time_ns()
        return answer, (after - before, ended - began)

    def _read(self) -> int:
        return int.from_bytes(os.read(self._fd, 8), "little") if self._fd >= 0 else 0


def _opened() -> int:
    """A descriptor that counts this thread's instructions from now on; -1 without a counter."""
    number = _PERF_EVENT_OPEN.get(platform.machine())
    if number is None or platform.system() != "Linux":
        return -1
    attributes = struct.pack(
        "IIQQQQQ", _HARDWARE, _ATTRIBUTES_BYTES, _INSTRUCTIONS, 0, 0, 0, _NO_KERNEL_NO_HYPERVISOR
    ).ljust(_ATTRIBUTES_BYTES, b"\0")
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    return int(syscall(number, attributes, 0, -1, -1, 0))
