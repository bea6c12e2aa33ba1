"""The faults of a match file, in the reader's language, with its place and what was kept.

The reasons are sentences of the library; the usual ones have a template here, the others stay in
English.
"""

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.pages.problems import Templates, in_words
from backgammon.counting.situation import AWAY_MOST

Row = dict[str, Any]

_TEMPLATES: Final[Templates] = tuple(
    (re.compile(pattern, re.DOTALL), template)
    for pattern, template in (
        (r"cannot read (?P<text>.*)", gettext_lazy("%(text)s cannot be read.")),
        (r"no point", gettext_lazy("A point is missing here, or there is no such point.")),
        (r"a move is written from/to", gettext_lazy("A move is written from/to, like 8/5.")),
        (
            r"a checker moves to a lower point",
            gettext_lazy("A checker moves to a lower point, as in 8/5."),
        ),
        (
            r"expected the end of the move or \(1\) to \(4\)",
            gettext_lazy("Here the move should end, or (1) to (4) should follow."),
        ),
        (
            r"(?P<move>\S+): no checker on (?P<point>\S+)",
            gettext_lazy("%(move)s: there is no checker on %(point)s."),
        ),
        (
            r"(?P<move>.+): that (?:point cannot be reached|checker cannot be moved) by this roll",
            gettext_lazy("%(move)s cannot be played with this roll."),
        ),
        (
            r"(?P<move>.+): nothing can be moved with this roll",
            gettext_lazy("%(move)s: nothing can be moved with this roll."),
        ),
        (
            r"(?P<move>.+): together no legal play; .*",
            gettext_lazy(
                "%(move)s: together no legal play of this roll; as many dice as possible count."
            ),
        ),
        (
            r"(?P<move>.+): a checker on the bar has to enter first",
            gettext_lazy("%(move)s: a checker on the bar has to enter first."),
        ),
        (
            r"a legal play exists, so the turn cannot be passed",
            gettext_lazy("There is a legal play, so the turn cannot be passed."),
        ),
        (
            r"no checker is hit on (?P<point>\d+)",
            gettext_lazy("No checker is hit on %(point)s."),
        ),
        (
            r"a die shows 1 to 6, not (?P<face>.+)",
            gettext_lazy("A die shows 1 to 6, not %(face)s."),
        ),
        (
            r"\w+ is played with (?P<wanted>\d+) dice, not (?P<count>\d+)",
            gettext_lazy("There are %(wanted)s dice, not %(count)s."),
        ),
        (r"a row has two cells", gettext_lazy("A row has one entry for each player.")),
        (r"it is not (?P<name>.+)'s turn", gettext_lazy("It is not %(name)s’s turn.")),
        (
            r"the roll before was never played",
            gettext_lazy("The roll before was never played."),
        ),
        (
            r"the double has not been answered|a double waits for the opponent's answer",
            gettext_lazy("The double has not been answered."),
        ),
        (
            r"(?P<name>.+) has no double to answer",
            gettext_lazy("%(name)s has no double to answer."),
        ),
        (
            r"the opponent owns the cube, so it cannot be offered",
            gettext_lazy("The opponent owns the cube."),
        ),
        (
            r"a (?:beaver|raccoon) belongs to unlimited play, not to a match",
            gettext_lazy("Beavers and raccoons belong to unlimited play, not to a match."),
        ),
        (
            r"the game is over, nothing can follow but its result",
            gettext_lazy("The game is over; nothing can follow but its result."),
        ),
        (
            r"the game is worth .+ points, not (?P<points>\d+)",
            gettext_lazy("The game cannot be worth %(points)s points."),
        ),
        (
            r"the game does not end with (?P<name>.+) winning",
            gettext_lazy("%(name)s has not won this game on the board."),
        ),
        (
            r"a new game begins before the last one has a result",
            gettext_lazy("A new game begins here, but the one before has no result."),
        ),
        (
            r"the next game begins at (?P<score>\S+), so this result is not",
            gettext_lazy("The next game begins at %(score)s, so the result of this one is wrong."),
        ),
        (
            r"the score is (?P<told>\S+), but the games before make it (?P<right>\S+)",
            gettext_lazy("The score is %(told)s, but the games before make it %(right)s."),
        ),
        (
            r"the match to (?P<length>\d+) is over before this game",
            gettext_lazy("The match to %(length)s points is over before this game."),
        ),
        (
            r"no game has begun that this could belong to",
            gettext_lazy("No game has begun that this could belong to."),
        ),
        (
            r"a game begins before the line 'n point match'",
            gettext_lazy("A game begins before the line “n point match”."),
        ),
        (
            r"after 'Game n' comes 'left : score   right : score'",
            gettext_lazy("After “Game n” comes “name : score   name : score”."),
        ),
        (
            r"the players were (?P<names>.+) before",
            gettext_lazy("The players were %(names)s before."),
        ),
        (
            r"(?P<names>.+) have changed sides",
            gettext_lazy("The players have changed sides: %(names)s."),
        ),
        (
            r"the file ends before (?:a game has begun|the game's score)",
            gettext_lazy("The file ends before a game has begun."),
        ),
        (
            r"an illegal play, as the file says, without its moves",
            gettext_lazy("The file itself says that this play is illegal."),
        ),
        (r"a value is not closed", gettext_lazy("A value is not closed.")),
        (
            r"property (?P<name>\w+) has no value",
            gettext_lazy("Property %(name)s has no value."),
        ),
        (
            r"(?P<value>.+) is no play and no word of the cube",
            gettext_lazy("%(value)s is no play and no word of the cube."),
        ),
    )
)


def file_shown(found: Row) -> Row:
    """The decisions of a file or why it is refused, and its faults; a long list of them is cut."""
    told: Row = {
        "faults": [_fault_shown(fault) for fault in found.get("faults", [])],
        "faults_count": found.get("faults_count", 0),
    }
    if "error" in found:
        return told | {"error": {"message": problem_in_words(found["error"])}}
    return told | {"file": {name: value for name, value in found.items() if name not in told}}


def _fault_shown(fault: Row) -> Row:
    """A fault in words, with its place and what was kept of its game."""
    places = ("line", "column", "path", "match", "game")
    return {
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
    return in_words(sentence, _TEMPLATES) or sentence


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
