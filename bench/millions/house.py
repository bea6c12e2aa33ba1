"""The size of the house that was asked for, and its PostgreSQL.

Filling flushes nothing (`fsync=off`); measuring only reads.
"""

import os
import sys
from dataclasses import dataclass
from typing import Final

POSTGRES: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "autovacuum": "off",  # VACUUM ANALYZE follows the filling, once
    "max_connections": "50",
    "max_parallel_workers_per_gather": "0",  # others would pay for what they hide
    "random_page_cost": "1.1",
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is in the house."""

    players: int
    matches: int
    entries: int
    big_matches: int
    """Matches of each of the `BIG` players who play much more than all others."""
    open_tables: int
    running_tables: int
    present: int
    """People in the house now, in Valkey."""
    samples: int
    """Matches that were really played, with all their events."""


FULL: Final = Size(1_000_000, 5_000_000, 10_000_000, 50_000, 2_000, 50_000, 100_000, 40)
SHORT: Final = Size(4_000, 8_000, 24_000, 400, 100, 200, 1_000, 4)
BIG: Final = 4


def postgres_settings() -> dict[str, str]:
    """Settings at any size; the memory of the server is a twelfth of the machine's."""
    total_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return {
        **POSTGRES,
        "shared_buffers": f"{total_mb // 12}MB",
        "effective_cache_size": f"{total_mb // 3}MB",
        "maintenance_work_mem": f"{total_mb // 48}MB",
        "max_parallel_maintenance_workers": "1",
    }


def said(text: str) -> None:
    """A line about what is being done, beside the figures."""
    print(text, file=sys.stderr, flush=True)
