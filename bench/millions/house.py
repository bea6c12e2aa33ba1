"""The servers of the house, and the size that was asked for.

PostgreSQL and Valkey are started in a folder of their own, which is removed at the end unless a
folder is named (`--keep`). Filling flushes nothing (`fsync=off`); measuring only reads.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "harness.settings")

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
"""Settings at any size; the memory of the server is a twelfth of the machine's."""


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


@contextmanager
def opened(keep: Path | None) -> Iterator[Path]:
    """Start the servers and migrate the database; the folder of the house."""
    home = keep or Path(mkdtemp(prefix=f"pasch-test-{os.getpid()}-"))
    home.mkdir(parents=True, exist_ok=True)
    os.environ["PASCH_TEST_HOME"] = str(home)
    from pasch.servers.embedded import Home, start, stop

    start(Home(home), postgres_settings={**POSTGRES, **_memory()})
    try:
        import django

        django.setup()
        _counts_as_a_web_process()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield home
    finally:
        stop(Home(home), at_once=keep is None)
        if keep is None:
            shutil.rmtree(home, ignore_errors=True)


def _counts_as_a_web_process() -> None:
    """Tests count anew for each page; a version that does so everywhere has no such setting."""
    from django.conf import settings

    from pasch import settings as site

    settings.COUNTS_SECONDS = getattr(site, "COUNTS_SECONDS", 0)


def _memory() -> dict[str, str]:
    total_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return {
        "shared_buffers": f"{total_mb // 12}MB",
        "effective_cache_size": f"{total_mb // 3}MB",
        "maintenance_work_mem": f"{total_mb // 48}MB",
        "max_parallel_maintenance_workers": "1",
    }


def said(text: str) -> None:
    """A line about what is being done, beside the figures."""
    print(text, file=sys.stderr, flush=True)
