"""How fast a worker goes: it rests for a while whenever others want its core.

The lowest priority alone still slows down one answer in a hundred at a table (docs/analysis.md). A
worker that is pushed aside again and again therefore works only a part of the time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

#: a worker is in the way if it was pushed aside more often than this in a second of its own work.
PUSHES_MOST: Final = 20.0

#: the rest after a slice, as a multiple of the processor time of the slice.
REST: Final = 4.0

#: a slice lasts at least this long, so that pushes can be counted.
SLICE_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Usage:
    """The time that a process has used since it began.

    `pushes` counts how often it lost its core to another process although it wanted to go on.
    """

    wall_s: float
    cpu_s: float
    pushes: int


@dataclass(slots=True)
class Pace:
    """The pace of one worker; `step` is called often while it works.

    `rest` waits for so many seconds, or less. With `multiple` 0 the worker never rests.
    """

    used: Callable[[], Usage]
    rest: Callable[[float], object]
    multiple: float = REST
    _since: Usage = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.used()

    def step(self) -> None:
        """Rest if others wanted the core during the slice that ends here."""
        now, since = self.used(), self._since
        if now.wall_s - since.wall_s < SLICE_S:
            return
        seconds = rest_s(since, now, self.multiple)
        if seconds > 0:
            self.rest(seconds)
        self._since = self.used() if seconds > 0 else now


def rest_s(since: Usage, now: Usage, multiple: float = REST) -> float:
    """How many seconds to rest after the work between these two moments."""
    worked_s = now.cpu_s - since.cpu_s
    pushed = now.pushes - since.pushes
    return worked_s * multiple if pushed > PUSHES_MOST * worked_s else 0.0
