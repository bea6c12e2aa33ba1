"""The archive of PostgreSQL's log, and the copies of the database."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from pasch.backups.folder import Backups
from pasch.doctor.inside.postgresql import row
from pasch.doctor.registry import Result, inside, ok, warning, wrong

#: heartbeats write every second, and archive_timeout is a minute
ARCHIVED_WITHIN: Final = timedelta(hours=1)
COPY_WITHIN: Final = timedelta(days=2)


@inside("postgresql")
def archive() -> Result:
    """PostgreSQL archives its log, and lately."""
    mode, archived_at, failed_at, now = row(
        "SELECT current_setting('archive_mode'), last_archived_time, last_failed_time,"
        " clock_timestamp() FROM pg_stat_archiver"
    )
    if mode == "off":
        return warning(
            "archive_mode is off: a broken disk loses everything since the last copy",
            "set up the archive (docs/operations.md, Backups)",
        )
    if failed_at and (archived_at is None or failed_at > archived_at):
        return wrong(
            f"the archive has failed since {archived_at or 'the start'}",
            "look at PostgreSQL's log, at archive_command and at the space in its folder",
        )
    if archived_at is None:
        return warning("nothing was archived yet", "wait a minute, or look at archive_timeout")
    text = f"the log was last archived {_ago(now - archived_at)} ago"
    if now - archived_at > ARCHIVED_WITHIN:
        return warning(text, "set archive_timeout = 60")
    return ok(text)


@inside()
def last_copy() -> Result:
    """The last copy of the database, where the folder of backups can be seen from here."""
    folder = os.environ.get("BACKUP_FOLDER")
    if not folder:
        return ok("BACKUP_FOLDER is not set here, so the age of the copies cannot be seen")
    bases = Backups(Path(folder)).bases()
    if not bases:
        return wrong(f"there is no copy in {folder}", "run manage.py backup, every night")
    age = datetime.now(tz=UTC) - bases[-1].ended_at
    text = f"the last copy is {_ago(age)} old"
    if age > COPY_WITHIN:
        return warning(text, "look why the nightly backup does not run")
    return ok(text)


def _ago(age: timedelta) -> str:
    seconds = int(age.total_seconds())
    return f"{seconds} s" if seconds < 600 else f"{seconds // 60} min"
