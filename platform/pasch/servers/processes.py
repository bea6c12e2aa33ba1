"""Processes of the embedded servers: their system user, their end, and the cause of an error."""

import os
import pwd
import re
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import psutil

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


_FULL: Final = "No space left on device"
_CAUSE: Final = re.compile(r"\b(?:FATAL|PANIC|error|could not)\b")
_PROGRAM: Final = re.compile(r"^(?:\w+: )?(?:(?:FATAL|PANIC|error|fatal): +)?")

#: the log has what went wrong, and no values: `deploy/postgres/roles.sh` sets the same.
NO_VALUES: Final = {
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}


def cause(text: str) -> str:
    """The cause: a full disk, else the first error, else the last line."""
    lines = [line.split("] ", 1)[-1].strip() for line in text.strip().splitlines()]
    if not lines:
        return "no reason given"
    if any(_FULL in line for line in lines):
        return f"the disk is full ({_FULL})"
    first = next((line for line in lines if _CAUSE.search(line)), lines[-1])
    return _PROGRAM.sub("", first).strip().rstrip(".")


ASK_SECONDS = 0.01


def wait_until_ended(processes: Iterable[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait until all have ended, `seconds` at most; those that live on.

    One that is dead has ended, also while its number stands in the system's table: it stands there
    until the parent takes note, which the first process of a container may do late or never. While
    a thread of it still dies, it lives: until then its files and its port are held.
    """
    deadline = time.monotonic() + seconds
    living = [process for process in processes if _lives(process)]
    while living and time.monotonic() < deadline:
        time.sleep(ASK_SECONDS)  # there is no signal for the end of another process's child
        living = [process for process in living if _lives(process)]
    return living


def _lives(process: psutil.Process) -> bool:
    try:
        if not process.is_running():
            return False
        if process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1:
            return True
        process.wait(0)  # if it is a child of ours, taking note is up to us
    except (psutil.NoSuchProcess, psutil.TimeoutExpired):
        pass
    return False


def run_as(user: str | None, command: list[str | Path]) -> None:
    """Run one of PostgreSQL's programs as a system user; `CalledProcessError` if it fails.

    Output goes to files: a pipe would be inherited by the server and never end.
    """
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        result = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            cwd="/",
            user=user,
            group=user,
            extra_groups=[] if user else None,
            env={**os.environ, "LC_ALL": "C", "LANG": "C"},
            check=False,
        )
        stdout.seek(0)
        stderr.seek(0)
        if result.returncode:
            raise subprocess.CalledProcessError(
                result.returncode, command[0], stdout.read(), stderr.read()
            )
