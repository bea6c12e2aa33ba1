"""The cause in one sentence from the error output of PostgreSQL's programs."""

import re
from typing import Final

_FULL: Final = "No space left on device"
_CAUSE: Final = re.compile(r"\b(?:FATAL|PANIC|error|could not)\b")
_PROGRAM: Final = re.compile(r"^(?:\w+: )?(?:(?:FATAL|PANIC|error|fatal): +)?")


def cause(text: str) -> str:
    """The cause: a full disk, else the first error, else the last line."""
    lines = [line.split("] ", 1)[-1].strip() for line in text.strip().splitlines()]
    if not lines:
        return "no reason given"
    if any(_FULL in line for line in lines):
        return f"the disk is full ({_FULL})"
    first = next((line for line in lines if _CAUSE.search(line)), lines[-1])
    return _PROGRAM.sub("", first).strip().rstrip(".")
