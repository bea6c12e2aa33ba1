"""The faults of positions and match files, with their place and what was kept, in words."""

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.pages.sentences import in_words
from backgammon.counting.situation import AWAY_MOST
from backgammon.rules.errors import NotationError, RulesError

Row = dict[str, Any]

_PLACE: Final = re.compile(r" \(column \d+ of .*\)$", re.DOTALL)


def problem_shown(error: RulesError, pasted: str) -> Row:
    """The fault, with the number of the character in the pasted text where that is known."""
    place = None
    if isinstance(error, NotationError) and error.column is not None:
        begins = pasted.find(error.text)
        if begins >= 0:
            place = begins + error.column
    sentence = _PLACE.sub("", str(error))
    words = in_words(sentence)
    if words is None:
        words = _("This cannot be read: %(problem)s") % {"problem": sentence}
    if place is not None:
        words = _("Character %(place)d: %(problem)s") % {"place": place, "problem": words}
    return {"code": error.code, "message": words, "column": place}


def file_shown(found: Row) -> Row:
    """The decisions of a file or why it is refused, and its faults; a long list of them is cut."""
    told: Row = {
        "faults": [fault_shown(fault) for fault in found.get("faults", [])],
        "faults_count": found.get("faults_count", 0),
    }
    if "error" in found:
        return told | {"error": {"message": problem_in_words(found["error"])}}
    return told | {"file": {name: value for name, value in found.items() if name not in told}}


def fault_shown(fault: Row) -> Row:
    """A fault in words, with its place and what was kept of its game."""
    places = ("line", "column", "path", "match", "game")
    return {
        "code": fault["code"],
        "message": problem_in_words(fault),
        "kept": _kept(fault),
        **{name: fault.get(name) for name in places},
    }


def problem_in_words(error: Row) -> str:
    """The fault and its place."""
    if error["code"] == "nothing_found":
        return _("The file has no decision of backgammon.")
    if error["code"] == "match_too_long":
        return _("The match was read, but only matches to %(most)s points or fewer are judged.") % {
            "most": AWAY_MOST
        }
    if error["code"] == "too_much":
        return _("Reading the file would take too much time or memory.")
    values = {**error, "problem": _reason(error)}
    if "line" in error and "column" in error:
        return _("Line %(line)d, character %(column)d: %(problem)s") % values
    if "line" in error:
        return _("Line %(line)d: %(problem)s") % values
    if "path" in error:
        return _("At %(path)s: %(problem)s") % values
    return _("The file cannot be read: %(problem)s") % values


def _reason(error: Row) -> str:
    sentence = error["message"]
    return in_words(sentence) or sentence


def _kept(fault: Row) -> str:
    """The part of the game at fault that was kept, in words; "" if the fault is in none."""
    state, values = fault.get("state"), {"game": fault.get("game")}
    if state is None:
        return ""
    if state == "unreadable" or (state == "cut_off" and not fault["actions"]):
        return _("Nothing of game %(game)d is kept.") % values
    if state == "cut_off":
        kept = ngettext(
            "Of game %(game)d the first entry is kept.",
            "Of game %(game)d the first %(count)d entries are kept.",
            fault["actions"],
        )
        return kept % {**values, "count": fault["actions"]}
    return _("All of game %(game)d is kept.") % values
