"""The rate limit of one socket: a bucket of frames that refills with time."""

from dataclasses import dataclass
from typing import Final

FRAMES_PER_SECOND: Final = 20.0
FRAMES_BURST: Final = 40.0

#: a refused command of a player is stored (`games.services.answers`), and costs as much as so many
#: more frames: a socket has at most four of them a second stored, and eight at once.
REFUSED_COSTS: Final = 4.0


@dataclass(slots=True)
class FrameBucket:
    """A token bucket; times in seconds of any steady clock."""

    left: float = FRAMES_BURST
    at: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more frame is allowed at `now`."""
        self.left = min(FRAMES_BURST, self.left + (now - self.at) * FRAMES_PER_SECOND)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def charge(self, frames: float) -> None:
        """Count so many frames more for the last one."""
        self.left = max(self.left - frames, -FRAMES_BURST)
