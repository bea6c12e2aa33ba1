"""The command as its readers see it: its output, and what it refuses."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from backgammon.command.main import main


class Refused(Exception):
    """The exit status was not 0; the text is what the command said on standard error."""

    def __init__(self, said: str, output: str, status: int) -> None:
        super().__init__(said)
        self.output, self.status = output, status


def ask(*arguments: str) -> str:
    """The output of `backgammon` with these arguments."""
    out, complaints = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(complaints):
        status = main(arguments)
    if status:
        raise Refused(complaints.getvalue(), out.getvalue(), status)
    return out.getvalue()


def lines(*arguments: str) -> list[dict[str, Any]]:
    """The lines of JSON that are the answer."""
    return [json.loads(line) for line in ask(*arguments, "--json").splitlines()]
