"""The rate limit of one socket: a bucket of frames that refills with time."""

from dataclasses import dataclass
from typing import Final

FRAMES_PER_SECOND: Final = 20.0
FRAMES_BURST: Final = 40.0


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
