"""The clock of a table: simple delay and reserve, as arithmetic on integers of milliseconds.

Each turn has a free delay; time beyond it comes out of the player's reserve for the match (the
rule of the United States tournament clock). The clock of the player who owes a decision runs, so
while a double waits for its answer the answering player's time runs. Rolling does not restart it.
"Now" is always an argument.
"""

import msgspec

Seat = int


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """Time left per seat, and since when whose time runs."""

    delay_left_ms: tuple[int, int]
    reserve_ms: tuple[int, int]
    running: Seat | None = None
    since_ms: int = 0

    @classmethod
    def full(cls, delay_ms: int, reserve_ms: int) -> "Clock":
        """Both seats with all of their time, and nobody's running."""
        return cls(delay_left_ms=(delay_ms, delay_ms), reserve_ms=(reserve_ms, reserve_ms))

    def deadline_ms(self) -> int | None:
        """When the running player's reserve ends; None while neither clock runs."""
        if self.running is None:
            return None
        seat = self.running
        return self.since_ms + self.delay_left_ms[seat] + self.reserve_ms[seat]

    def stopped(self, now_ms: int) -> "Clock":
        """The clock stopped, with the time until now charged to the side that was running."""
        if self.running is None:
            return self
        seat = self.running
        elapsed_ms = max(0, now_ms - self.since_ms)
        from_delay_ms = min(elapsed_ms, self.delay_left_ms[seat])
        from_reserve_ms = min(elapsed_ms - from_delay_ms, self.reserve_ms[seat])
        return msgspec.structs.replace(
            self,
            delay_left_ms=_less(self.delay_left_ms, seat, from_delay_ms),
            reserve_ms=_less(self.reserve_ms, seat, from_reserve_ms),
            running=None,
            since_ms=now_ms,
        )

    def started(self, seat: Seat, now_ms: int, *, fresh_delay_ms: int | None = None) -> "Clock":
        """The clock with this seat's time running from now; with a new delay in a new turn."""
        clock = self.stopped(now_ms)
        delays = clock.delay_left_ms
        if fresh_delay_ms is not None:
            delays = (fresh_delay_ms, delays[1]) if seat == 0 else (delays[0], fresh_delay_ms)
        return msgspec.structs.replace(clock, delay_left_ms=delays, running=seat, since_ms=now_ms)

    def resumed(self, seat: Seat, now_ms: int) -> "Clock":
        """The clock with this seat's time running, from now if neither side's ran."""
        return self if self.running is not None else self.started(seat, now_ms)

    def credited(self, began_ms: int, ended_ms: int, grace_ms: int) -> "Clock":
        """The clock after the house was down: that time is not charged, and a grace is added."""
        if self.running is None or ended_ms <= self.since_ms:
            return self
        lost_ms = ended_ms - max(began_ms, self.since_ms)
        return msgspec.structs.replace(
            self,
            since_ms=self.since_ms + lost_ms,
            delay_left_ms=_less(self.delay_left_ms, self.running, -grace_ms),
        )


def _less(pair: tuple[int, int], seat: Seat, amount: int) -> tuple[int, int]:
    return (pair[0] - amount, pair[1]) if seat == 0 else (pair[0], pair[1] - amount)
