"""Reading what a command line names, and the error for what it does not say well."""

from __future__ import annotations

import sys
from pathlib import Path


class BadQuestion(ValueError):
    """A question that is not put as the command expects it."""

    code = "bad_question"


def read_bytes(name: str) -> bytes:
    """The content of a file; `-` is the standard input.

    :raises BadQuestion: if it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise BadQuestion(f"{name}: {error.strerror}") from error


def dice_of(text: str) -> tuple[int, int]:
    """Two dice, written like `3-1` or `31`.

    :raises BadQuestion: for anything else.
    """
    pips = [int(sign) for sign in text if sign in "123456"]
    if len(pips) != 2 or len(text.strip("123456")) > 1:
        raise BadQuestion(f"dice are written like 3-1, not {text!r:.20}")
    return pips[0], pips[1]
