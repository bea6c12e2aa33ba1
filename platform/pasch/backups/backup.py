"""Making backups of a whole PostgreSQL: copies of its data folder, and its log since then.

This module never loads Django. Every failure is an `EmbeddedError` of one sentence, and leaves the
house as it was.
"""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pasch.backups.folder import STAMP, Backups, Base
from pasch.servers.embedded import EmbeddedError, postgres_program
from pasch.servers.processes import cause, open_path, server_user

#: a segment of the log is archived after this time at the latest, full or not
PIECE_SECONDS: Final = 60


def key_mark(key: str) -> str:
    """A fingerprint of a key, to compare keys without revealing them."""
    return hashlib.sha256(b"pasch backup\0" + key.encode()).hexdigest()[:16]


def archive_settings(root: Path) -> dict[str, str]:
    """The server settings with which an embedded PostgreSQL archives its log in a folder.

    Creates the folder. A segment is archived only when it is complete and on the disk.
    """
    wal = Backups(root).wal
    user = server_user()
    try:
        wal.mkdir(parents=True, exist_ok=True, mode=0o700)
        if user is not None:
            open_path(wal, user)
            shutil.chown(wal, user, user)
    except OSError as error:
        raise EmbeddedError(
            "no_right", f"The folder of backups {wal} cannot be used ({error.strerror})."
        ) from error
    place = shlex.quote(str(wal)).replace("%", "%%")
    # an existing segment is accepted if it is the same; a different one is never overwritten
    lay_down = 'cp "$OLDPWD/%p" %f.part && sync %f.part && mv %f.part %f && sync .'
    return {
        "archive_mode": "on",
        "archive_command": (
            f'cd {place} && {{ cmp -s "$OLDPWD/%p" %f || {{ test ! -e %f && {lay_down}; }}; }}'
        ),
        "archive_timeout": str(PIECE_SECONDS),
    }


def base_backup(url: str, root: Path, *, keys: Mapping[str, str], keep: int) -> Base:
    """Copy the data of a running server, check the copy, and delete all but the newest `keep`.

    The user of `url` needs the right to replicate. `keys` are the house's keys by name; only their
    fingerprints are stored. Raises `EmbeddedError`.
    """
    began = datetime.now(tz=UTC)
    folder = root / "base" / began.strftime(STAMP)
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True, mode=0o700)
    data = unfinished / "data"
    options = ["--checkpoint=fast", "--wal-method=stream", "--no-password"]
    options += ["--manifest-checksums=SHA256"]
    run("pg_basebackup", "-d", url, "-D", data, *options)
    run("pg_verifybackup", "--quiet", data)
    marks = {name: key_mark(key) for name, key in keys.items()}
    about = {"ended_at": datetime.now(tz=UTC).isoformat(), **marks}
    (unfinished / "about.json").write_text(json.dumps(about))
    os.sync()
    unfinished.rename(folder)
    _forget(Backups(root), keep)
    return Base(folder)


def _forget(backups: Backups, keep: int) -> None:
    """Delete old copies, and the segments of the log that only they needed."""
    for old in backups.bases()[:-keep]:
        shutil.rmtree(old.folder)
    for folder in (backups.wal, *backups.left):
        if folder.is_dir():
            run("pg_archivecleanup", folder, backups.bases()[0].first_piece())


def run(program: str, *arguments: str | Path) -> str:
    """Run one of PostgreSQL's programs and return its output. Raises `EmbeddedError`."""
    command = [str(postgres_program(program)), *map(str, arguments)]
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if result.returncode:
        reason = cause(result.stderr or result.stdout)
        raise EmbeddedError("backup_failed", f"{program} failed: {reason}.")
    return result.stdout
