"""The pause for players who stand up repeatedly before the first roll."""

from collections.abc import Iterable
from typing import Final

#: standing up this often within the window leads to a pause.
STAND_UPS_MAX: Final = 3
WINDOW_MS: Final = 10 * 60_000

#: the first pause; every further one is twice as long as the one before, up to the longest.
PAUSE_MS: Final = 10 * 60_000
LONGEST_MS: Final = 24 * 3_600_000

#: older moments do not count.
MEMORY_MS: Final = 7 * 24 * 3_600_000


def paused_until_ms(stood_up_ms: Iterable[int]) -> int | None:
    """When a player who stood up at these moments may sit down again; None without a pause.

    Moments are in milliseconds, in any order, and none is older than `MEMORY_MS`. The answer may
    lie in the past.
    """
    until: int | None = None
    pauses = 0
    recent: list[int] = []
    for at_ms in sorted(stood_up_ms):
        recent = [each for each in recent if at_ms - each < WINDOW_MS] + [at_ms]
        if len(recent) == STAND_UPS_MAX:
            until = at_ms + min(PAUSE_MS * 2**pauses, LONGEST_MS)
            pauses += 1
            recent = []
    return until
