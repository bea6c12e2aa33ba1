"""The system user that the embedded servers run as when root starts them."""

import os
import pwd
import stat
import subprocess
from pathlib import Path

SERVER_USER = "pasch"


class ServerUserError(Exception):
    """The system user cannot be created; the text is the reason in one sentence."""


def open_path(path: Path, user: str) -> None:
    """Let `user` enter the folder or run the program `path`.

    Where the right to pass through a folder above is missing it is added, never the right to read.
    """
    passing, program = stat.S_IXOTH, stat.S_IXOTH | stat.S_IROTH
    for place in (path, *path.resolve().parents):
        about = place.stat()
        needed = program if place.is_file() else passing
        if about.st_uid != uid(user) and about.st_mode & needed != needed:
            place.chmod(about.st_mode | needed)


def server_user() -> str | None:
    """The system user of the servers if root starts them, else None."""
    if os.geteuid() != 0:
        return None
    if uid(SERVER_USER) is None:
        command = [
            "useradd",
            "--system",
            "--user-group",
            "--no-create-home",
            "--shell",
            "/usr/sbin/nologin",
        ]
        try:
            subprocess.run([*command, SERVER_USER], check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise ServerUserError(
                f"PostgreSQL does not run as root, and the system user '{SERVER_USER}' could not be"
                f" made ({str(getattr(error, 'stderr', '') or error).strip()});"
                " make it, or start as an ordinary user.",
            ) from error
    return SERVER_USER


def uid(user: str | None) -> int | None:
    """The number of a system user, None when there is none of that name."""
    try:
        return pwd.getpwnam(user).pw_uid if user else None
    except KeyError:
        return None
