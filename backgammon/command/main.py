"""`backgammon QUESTION …`: legal plays, IDs, match files, pictures, analyses, dice to check.

Exit status: 0; 1 if the question cannot be answered or a record of dice is wrong; 2 if the command
line cannot be read; 3 if a match file has faults and what is sound in it was answered; 141 if the
reader of the output has gone.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, Final

from backgammon.analysis.questions import NoEngine
from backgammon.command import analysing, files, rules
from backgammon.command.asking import BadQuestion
from backgammon.counting.situation import MatchTooLong
from backgammon.dice.errors import FairnessError
from backgammon.formats.errors import FormatError
from backgammon.rules.errors import RulesError

_ERRORS: Final = (RulesError, FormatError, FairnessError, MatchTooLong, NoEngine, BadQuestion)

#: how a shell says that a program ended by SIGPIPE.
_PIPE_BROKEN: Final = 141


def parser() -> ArgumentParser:
    """The parser of the whole command line."""
    about, _, statuses = (__doc__ or "").partition("\n")
    whole = ArgumentParser(prog="backgammon", description=about, epilog=statuses)
    questions = whole.add_subparsers(dest="question", required=True, metavar="QUESTION")
    for group in (rules, files, analysing):
        group.add_to(questions)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer the question of a command line, and return the exit status."""
    options = parser().parse_args(arguments)
    try:
        status = int(options.answer(options) or 0)
        sys.stdout.flush()
    except _ERRORS as error:
        return _refused(options, error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_BROKEN
    return status


def _refused(options: Namespace, error: Exception) -> int:
    code = getattr(error, "code", "error")
    if getattr(options, "json", False):
        print(json.dumps({"error": error_line(error)}))
    print(f"backgammon: {code}: {error}", file=sys.stderr)
    return 1


def error_line(error: Exception) -> dict[str, Any]:
    """An error with its place in the file or in the text, where it has one."""
    line = {"code": getattr(error, "code", "error"), "message": str(error)}
    places = {name: getattr(error, name, None) for name in ("line", "column", "path")}
    return {**line, **{name: place for name, place in places.items() if place is not None}}
