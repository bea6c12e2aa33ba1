"""A house whose tables are played by the bench, with workers that analyse the ended matches."""

import sys
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from bench.live.house import LiveHouse
from bench.live.load import Plan
from bench.live.stages import furnish, played

WORKERS: Final = ("analysis0", "analysis1")
#: each match is looked at quickly, fully and deeply (`analysis.queue.EVERY`).
ANALYSES: Final = 3
TABLES_MOST: Final = 200
#: the time in which a few matches end, and how many more end in a second.
FEW_SECONDS: Final = 0.8
ENDED_PER_SECOND: Final = 10.0

_ENDED: Final = "SELECT count(*) FROM games_match WHERE ended_at IS NOT NULL"
#: the second engine's opinions are none of the three analyses.
_DONE: Final = """SELECT count(*) FROM analysis_job
    WHERE done_at IS NOT NULL AND depth <> 'second'"""
#: a worker is inside a transaction for as long as it has a match in hand.
_IN_HAND: Final = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND state = 'idle in transaction' AND now() - state_change > interval '20 ms'"""

Json = dict[str, Any]


@dataclass(slots=True)
class WorkedHouse(LiveHouse):
    """The bench's house, in which workers of the analysis can be started by their names.

    `rest` is the workers' option of this name; None leaves it to them.
    """

    rest: float | None = None

    def command(self, name: str, clock_s: int = 0) -> list[str]:
        """A worker is started as every house starts it; everything else as in `LiveHouse`."""
        if name in WORKERS:
            own = [] if self.rest is None else ["--rest", str(self.rest)]
            return [sys.executable, "manage.py", "analysis_worker", *own]
        return LiveHouse.command(self, name, clock_s)

    def matches_play(self, ports: list[int], count: int) -> None:
        """Let players play until so many matches have ended in this house.

        They come to new tables each time: what they have committed to for the dice ends with them.
        """
        wanted = self.ended() + count
        while (missing := wanted - self.ended()) > 0:
            tables = furnish(self, min(missing, TABLES_MOST), "normal")
            seconds = FEW_SECONDS + missing / ENDED_PER_SECOND
            played(self, Plan(ports, tables, seconds, 0.0))

    def ended(self) -> int:
        """How many matches have ended."""
        return self._number(_ENDED)

    def done(self) -> int:
        """How many analyses are done; each match has a quick, a full and a deep one."""
        return self._number(_DONE)

    def in_hand(self) -> int:
        """How many workers have a match in hand now."""
        return self._number(_IN_HAND)

    def _number(self, query: str) -> int:
        with psycopg.connect(self.home.database_url(), autocommit=True) as db:
            row = db.execute(query).fetchone()
        assert row is not None
        return int(row[0])
