"""The archive of PostgreSQL's log, and the copies of the database."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from games.services.outages import COPY, OFFSITE, copied_at
from pasch.backups.folder import Backups
from pasch.doctor.inside.postgresql import row
from pasch.doctor.registry import Diagnosis, inside, ok, unseen, warning, wrong

#: heartbeats write every second, and archive_timeout is a minute
ARCHIVED_WITHIN: Final = timedelta(hours=1)
COPY_WITHIN: Final = timedelta(days=2)
OFFSITE_WITHIN: Final = timedelta(hours=2)


@inside("postgresql")
def archive() -> Diagnosis:
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


@inside("postgresql")
def last_copy() -> Diagnosis:
    """The last copy of the database: in the folder of backups, or as its command noted it."""
    made_at = copied_at(COPY)
    if folder := os.environ.get("BACKUP_FOLDER"):
        bases = Backups(Path(folder)).bases()
        if not bases:
            return wrong(f"there is no copy in {folder}", "run manage.py backup, every night")
        made_at = bases[-1].ended_at
    if made_at is None:
        return unseen(
            "no copy was noted, and BACKUP_FOLDER is not set here",
            "see that a copy is made every night (docs/operations.md, Backups)",
        )
    text = f"the last copy is {_ago(datetime.now(tz=UTC) - made_at)} old"
    if datetime.now(tz=UTC) - made_at > COPY_WITHIN:
        return wrong(text, "look why the nightly backup does not run")
    return ok(text)


@inside("postgresql")
def offsite() -> Diagnosis:
    """The copies and the log have lately been sent to another place."""
    sent_at = copied_at(OFFSITE)
    if sent_at is None:
        return unseen(
            "nothing was noted about another place for the copies",
            "send them there (deploy/one-host.md); deploy/postgres/note.sh notes it",
        )
    text = f"the copies were last sent to another place {_ago(datetime.now(tz=UTC) - sent_at)} ago"
    if datetime.now(tz=UTC) - sent_at > OFFSITE_WITHIN:
        return wrong(text, "look at the log of what sends them")
    return ok(text)


def _ago(age: timedelta) -> str:
    seconds = int(age.total_seconds())
    return f"{seconds} s" if seconds < 600 else f"{seconds // 60} min"
