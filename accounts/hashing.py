"""How passwords are hashed, so that many at once take no time from those who play.

A file of its own: the settings name it, and it is loaded wherever a password is checked.
"""

import json
import os
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.hashers import Argon2PasswordHasher

PROGRAM: Final = Path(__file__).with_name("hashing_process.py")


class HashingProcess:
    """A process of low priority that hashes for this one; started when it is first needed.

    A thread of low priority would wait for its turn with the interpreter's lock in its hands, and
    a hash takes and gives back 100 MiB, for which all threads of a process have to stop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None

    def ask(self, password: str, asked: dict[str, Any]) -> Any:
        """Return its answer, when it is this password's turn."""
        with self._lock:
            said = self._asked(password, asked) or self._asked(password, asked)
        if not said:
            raise RuntimeError("the process that hashes passwords ends at once")
        return json.loads(said)

    def _asked(self, password: str, asked: dict[str, Any]) -> str:
        """Return a line from the process; an empty one if it has ended."""
        running = self._running = self._running or self._begin()
        assert running.stdin is not None
        assert running.stdout is not None
        try:
            line = json.dumps({"password": password, "asked": asked})
            running.stdin.write(f"{line}\n")
            running.stdin.flush()
            said = running.stdout.readline()
        except BrokenPipeError:
            said = ""
        except BaseException:  # the answer that still comes would be taken for the next password's
            running.kill()
            running.wait()
            self._running = None
            raise
        if not said:
            running.wait()
            self._running = None
        return said

    def _begin(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-I", str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # what a terminal sends is for the house, which ends this one
        )


@cache
def _hashing_of(_process: int) -> HashingProcess:
    """The one of this process: one that was forked must not talk to its parent's."""
    return HashingProcess()


class PacedArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id in one process of low priority beside each, one password after the other.

    Django's own takes eight threads for each: a crowd of sign-ups took all cores of a small house.
    """

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password, when it is its turn."""
        known = self.params()
        asked = {"salt": salt, "time_cost": known.time_cost, "memory_cost": known.memory_cost}
        lengths = {"parallelism": known.parallelism, "hash_len": known.hash_len}
        said = _hashing_of(os.getpid()).ask(password, asked | lengths)
        return f"{self.algorithm}{said}"

    def verify(self, password: str, encoded: str) -> bool:
        """Return True if this is the password, when it is its turn."""
        stored = f"${encoded.partition('$')[2]}"
        return bool(_hashing_of(os.getpid()).ask(password, {"encoded": stored}))
