"""Errors of PostgreSQL: a log of them without values, and their cause in one sentence."""

import re
from typing import Final

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
