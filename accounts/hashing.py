"""How passwords are hashed, so that many at once take no time from those who play.

A file of its own: the settings name it, and it is loaded wherever a password is checked.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher

#: a tenth of the time of what else wants to run, so that a login in a crowd is slow and not late.
NICE: Final = 10


def _last() -> None:
    """Give way to others, where a thread has a priority of its own."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


@cache
def _thread_of(_process: int) -> ThreadPoolExecutor:
    """The thread of this process: one that was forked has none of its parent's."""
    return ThreadPoolExecutor(1, thread_name_prefix="hashing", initializer=_last)


class PacedArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id in one thread of low priority in each process, one password after the other.

    Django's own takes eight threads for each: a crowd of sign-ups took all cores of a small house.
    """

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password, when it is its turn."""
        return _thread_of(os.getpid()).submit(super().encode, password, salt).result()

    def verify(self, password: str, encoded: str) -> bool:
        """Return True if this is the password, when it is its turn."""
        return _thread_of(os.getpid()).submit(super().verify, password, encoded).result()
