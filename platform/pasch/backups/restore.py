"""Restoring a house to any moment since its oldest backup.

The state of a moment is made from the newest copy before it and the log since then: it has every
commit before the moment and none after. The house continues on a new branch (branches.py), and
every older branch can still be restored.

This module never loads Django. Every failure is an `EmbeddedError` of one sentence, and leaves the
house as it was.
"""

import os
import shlex
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Final

import psycopg

from pasch.backups.backup import archive_settings, run
from pasch.backups.branches import HISTORY, PIECE, branches, is_log
from pasch.backups.folder import STAMP, Backups, Base, Reach, aim, reaches
from pasch.servers.embedded import (
    EmbeddedError,
    Home,
    check_version,
    postgres_pid,
    postgres_start,
    postgres_stop,
)
from pasch.servers.processes import open_path, server_user

REPLAY_SECONDS_MAX: Final = 4 * 60 * 60


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore: the copy, the branch, the last commit, the place of the old data."""

    base: Base
    reach: Reach
    goes_on_as: int
    """The number of the branch that begins now."""
    last_commit_at: datetime | None
    set_aside: Path | None


def restore(
    home: Home, root: Path, *, to: datetime | None = None, branch: int | None = None
) -> Restored:
    """Restore a closed embedded house to a moment (None: to the end of the log).

    The moment is looked up on every branch, or on the given one. The old data is set aside, never
    deleted, and the end of its log that was not archived yet is used. Raises `EmbeddedError`.
    """
    if postgres_pid(home) is not None:
        raise EmbeddedError("house_open", "This house is open; close it first.")
    backups = Backups(root)
    chosen = aim(within_reach(home, root), to=to, number=branch, current=_current(home))
    check_version(chosen.base.data)
    run("pg_verifybackup", "--quiet", chosen.base.data)
    with _set_aside(home) as aside:
        _unpack(chosen.base, home)
        settings = {**archive_settings(root), **_target(to, chosen.reach.branch.number)}
        goes_on_as, last_commit_at = _replay(home, _log_folders(home, backups), to, settings)
        if aside is not None:
            _keep_the_end(aside / "pg_wal", backups)
    return Restored(chosen.base, chosen.reach, goes_on_as, last_commit_at, aside)


def within_reach(home: Home, root: Path) -> list[Reach]:
    """Every branch to which a house can be restored. Raises `EmbeddedError`."""
    backups = Backups(root)
    if not backups.bases():
        raise EmbeddedError("no_backup", f"There is no backup in {root}.")
    copied = [base.data / "pg_wal" for base in backups.bases()]
    return reaches(backups.bases(), branches([*_log_folders(home, backups), *copied]))


def _log_folders(home: Home, backups: Backups) -> list[Path]:
    """Folders with segments of the log: the archive, and `pg_wal` of present and former data."""
    aside = sorted(home.root.glob("postgres.*Z*/pg_wal"), reverse=True)
    return [backups.wal, home.postgres_data / "pg_wal", *aside, *backups.left]


def _current(home: Home) -> int | None:
    """The branch that the house is on; None without any data."""
    if not (home.postgres_data / "PG_VERSION").exists():
        return None
    check_version(home.postgres_data)
    said = run("pg_controldata", home.postgres_data)
    return int(said.split("Latest checkpoint's TimeLineID:")[1].split()[0])


def _target(to: datetime | None, branch: int) -> dict[str, str]:
    """The server settings that lead to a moment on a branch, or to the end of that branch."""
    settings = {"recovery_target_timeline": str(branch), "recovery_target_action": "promote"}
    if to is not None:
        settings["recovery_target_time"] = to.astimezone(UTC).isoformat()
        settings["recovery_target_inclusive"] = "off"
    return settings


def _keep_the_end(pieces: Path, backups: Backups) -> None:
    """Archive the segments of a branch that was left, unless its server had done so."""
    into = backups.root / "left" / datetime.now(tz=UTC).strftime(STAMP)
    for path in sorted(pieces.iterdir()):
        is_ours = HISTORY.fullmatch(path.name) or (PIECE.fullmatch(path.name) and is_log(path))
        if is_ours and not (backups.wal / path.name).exists():
            into.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.copy2(path, into / path.name)
    os.sync()


def _name_free(path: Path) -> Path:
    """This path, with a number where an earlier restore of the same second has taken it."""
    names = chain([path], (path.with_name(f"{path.name}.{number}") for number in count(2)))
    return next(name for name in names if not name.exists())


@contextmanager
def _set_aside(home: Home) -> Iterator[Path | None]:
    """Move the data folder away; bring it back if what follows fails."""
    data = home.postgres_data
    aside = None
    if data.exists():
        aside = _name_free(data.with_name(f"postgres.{datetime.now(tz=UTC).strftime(STAMP)}"))
        data.rename(aside)
    try:
        yield aside
    except BaseException:
        postgres_stop(home, at_once=True)
        shutil.rmtree(data, ignore_errors=True)
        if aside is not None:
            aside.rename(data)
        raise


def _unpack(base: Base, home: Home) -> None:
    home.root.mkdir(parents=True, exist_ok=True)
    shutil.copytree(base.data, home.postgres_data, symlinks=True)
    (home.postgres_data / "recovery.signal").touch()
    user = server_user()
    for path in (home.postgres_data, *home.postgres_data.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if user is not None:
            os.chown(path, *_ids(user), follow_symlinks=False)


def _ids(user: str) -> tuple[int, int]:
    import pwd

    entry = pwd.getpwnam(user)
    return entry.pw_uid, entry.pw_gid


def _replay(
    home: Home, pieces: list[Path], to: datetime | None, target: dict[str, str]
) -> tuple[int, datetime | None]:
    """Replay the log up to the target in a server that has stopped when this returns.

    From there on the server writes a new branch and archives it as well. Returns the number of the
    new branch and the time of the last commit.
    """
    user = server_user()
    places = [
        folder for folder in pieces if folder.is_dir() and home.postgres_data not in folder.parents
    ]
    for folder in places:
        if user is not None:
            open_path(folder, user)
            for path in (folder, *folder.iterdir()):
                os.chown(path, *_ids(user))
    fetch = " || ".join(f"cp {shlex.quote(str(folder))}/%f %p" for folder in places)
    log = home.logs / "postgres.log"
    log_bytes = log.stat().st_size if log.exists() else 0
    try:
        postgres_start(home, settings={**target, "restore_command": fetch})
        return _replayed(home)
    except EmbeddedError as error:
        with log.open(errors="replace") as lines:
            lines.seek(log_bytes)
            if to is not None and "recovery ended before" in lines.read():
                raise _not_reached(to) from error
        raise
    finally:
        postgres_stop(home)


def _replayed(home: Home) -> tuple[int, datetime | None]:
    """Wait until the server has replayed the log; its branch and its last commit."""
    ends = time.monotonic() + REPLAY_SECONDS_MAX
    while time.monotonic() < ends:
        try:
            with psycopg.connect(home.database_url(name="postgres"), connect_timeout=5) as server:
                ask = "SELECT pg_is_in_recovery(), pg_last_xact_replay_timestamp()"
                (replays, last) = server.execute(ask).fetchone() or (True, None)
                if not replays:
                    name = server.execute("SELECT pg_walfile_name(pg_current_wal_lsn())").fetchone()
                    return int(str(name[0] if name else "0")[:8], 16), last
        except psycopg.OperationalError:
            if postgres_pid(home) is None:
                break
        time.sleep(0.1)
    raise EmbeddedError("backup_failed", f"The log could not be replayed; see {home.logs}.")


def _not_reached(to: datetime) -> EmbeddedError:
    return EmbeddedError(
        "not_reached",
        f"The log ends before {to:%Y-%m-%d %H:%M:%S} UTC;"
        " leave the moment out to restore all there is.",
    )
