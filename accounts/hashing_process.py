"""Hashes passwords of one process of the house, one after the other, until that process ends.

Run as a program, without Django: `accounts.hashing` writes a line of JSON for each, and reads one.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Any, Final

from argon2 import PasswordHasher, Type, low_level
from argon2.exceptions import Argon2Error, InvalidHashError

#: a tenth of the time of what else wants to run, so that a login in a crowd is slow and not late.
NICE: Final = 10


def answer(password: str, asked: dict[str, Any]) -> str | bool:
    """Return the hash of a password, or whether it is the password of a hash."""
    if "encoded" not in asked:
        salt = asked.pop("salt").encode()
        return low_level.hash_secret(password.encode(), salt, type=Type.ID, **asked).decode()
    try:
        return PasswordHasher().verify(asked["encoded"], password)
    except (Argon2Error, InvalidHashError):
        return False


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(NICE)
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(answer(**json.loads(line)))}\n")
        sys.stdout.flush()
