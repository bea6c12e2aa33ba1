"""The faults of a position, in the reader's language, with their place in the pasted text.

The errors of the rules are sentences in English for programs; each one that a pasted text can lead
to has its template here; those of a match file are in `analysis.pages.file_faults`.
"""

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from backgammon.rules.errors import NotationError, RulesError

Row = dict[str, Any]
#: the sentence of an error, and what the page says; the groups of the one fill the other.
Templates = tuple[tuple[re.Pattern[str], Any], ...]

_PLACE: Final = re.compile(r" \(column \d+ of .*\)$", re.DOTALL)

_TEMPLATES: Final[Templates] = tuple(
    (re.compile(pattern, re.DOTALL), template)
    for pattern, template in (
        (
            r"an XGID has (?P<wanted>\d+) fields, .* has (?P<count>\d+)",
            gettext_lazy("An XGID has %(wanted)s fields, this one has %(count)s."),
        ),
        (
            r"an XGID position has (?P<wanted>\d+) characters, .* has (?P<count>\d+)",
            gettext_lazy(
                "The first field of an XGID has %(wanted)s characters, this one has %(count)s."
            ),
        ),
        (
            r"(?P<what>XGID|FIBS) field (?P<field>\d+)[^:]*: (?P<given>.*) is no number",
            gettext_lazy("%(what)s, field %(field)s: %(given)s is no number."),
        ),
        (
            r"(?P<what>XGID|FIBS) field (?P<field>\d+)[^:]*: (?P<given>.*) is not in"
            r" (?P<low>-?\d+)\.\.(?P<high>\d+)",
            gettext_lazy(
                "%(what)s, field %(field)s: %(given)s does not lie between %(low)s and %(high)s."
            ),
        ),
        (
            r"XGID field (?P<field>\d+) .*must be 1 or -1",
            gettext_lazy("XGID, field %(field)s: the player on roll is 1 or -1."),
        ),
        (
            r"XGID field 5 .*: (?P<given>'.*') is neither dice nor an offer",
            gettext_lazy("XGID, field 5: %(given)s is neither dice nor an offer."),
        ),
        (
            r"XGID field 5 .*no beaver and no raccoon",
            gettext_lazy("XGID, field 5: the board answers no beaver and no raccoon."),
        ),
        (
            r"XGID position: (?P<given>.*) is no number of checkers",
            gettext_lazy("%(given)s is no number of checkers."),
        ),
        (
            r"XGID position: (?P<given>.*) stands on the other player's bar",
            gettext_lazy("%(given)s stands on the other player's bar."),
        ),
        (
            r".* gives the player on roll (?P<count>\d+) checkers of (?P<wanted>\d+)",
            gettext_lazy(
                "One side has %(count)s checkers on the board, but only %(wanted)s in all."
            ),
        ),
        (
            r".* gives the opponent (?P<count>\d+) checkers of (?P<wanted>\d+)",
            gettext_lazy(
                "One side has %(count)s checkers on the board, but only %(wanted)s in all."
            ),
        ),
        (
            r"FIBS board: (?P<count>\d+) checkers on one side of (?P<wanted>\d+)",
            gettext_lazy(
                "One side has %(count)s checkers on the board, but only %(wanted)s in all."
            ),
        ),
        (
            r".* puts both sides on point (?P<point>\d+)",
            gettext_lazy("Both sides have checkers on point %(point)s."),
        ),
        (
            r"(?P<what>Position ID|Match ID): (?P<given>.*) is no digit of base64",
            gettext_lazy("%(what)s: %(given)s is no character of an ID."),
        ),
        (
            r"(?P<what>Position ID|Match ID) .* has (?P<count>\d+) characters, not (?P<wanted>\d+)",
            gettext_lazy("A %(what)s has %(wanted)s characters, this one has %(count)s."),
        ),
        (
            r"(?P<what>Position ID|Match ID): the last digit says too much",
            gettext_lazy("%(what)s: this last character is impossible."),
        ),
        (
            r"Position ID .* (goes on after|stops before) both bars.*",
            gettext_lazy("This Position ID describes no board."),
        ),
        (
            r"Match ID '(?P<given>[^']*)': .*",
            gettext_lazy("The Match ID %(given)s describes no match: its values are impossible."),
        ),
        (
            r"a Match ID has no board.*",
            gettext_lazy("A Match ID has no board: put a Position ID and a colon before it."),
        ),
        (r"an XGID knows no resignation", gettext_lazy("A resignation cannot be analysed.")),
        (
            r"a FIBS board line is 'board' and (?P<count>\d+) more fields",
            gettext_lazy("A FIBS line is “board” and %(count)s more fields, parted by colons."),
        ),
        (
            r"FIBS fields? (?P<field>\d+)(-| and )(?P<last>\d+): .*",
            gettext_lazy("FIBS, fields %(field)s to %(last)s do not fit each other."),
        ),
        (r"FIBS field 32 turn: .*", gettext_lazy("FIBS, field 32: the game is over.")),
        (r"FIBS board: .*", gettext_lazy("FIBS: the dice or the bar are impossible.")),
        (
            r"nobody plays on at (?P<first>\d+):(?P<second>\d+) in a match to (?P<length>\d+)",
            gettext_lazy(
                "Nobody plays on at %(first)s : %(second)s in a match to %(length)s points."
            ),
        ),
        (
            r"a player needs (?P<points>\d+) points; the match table ends at (?P<most>\d+)",
            gettext_lazy(
                "A player still needs %(points)s points: only up to %(most)s points are judged."
            ),
        ),
        (
            r"the game is over: .*",
            gettext_lazy("The game is over: one side has borne off all of its checkers."),
        ),
        (
            r"the cube shows (?P<value>\d+), more than (?P<most>\d+)",
            gettext_lazy("The cube shows %(value)s, more than %(most)s."),
        ),
        (
            r"nobody needs one point only.*",
            gettext_lazy("It is Crawford's game only if a player needs one point."),
        ),
        (
            r"nobody doubles in Crawford's game.*",
            gettext_lazy("Nobody doubles in Crawford's game, so the cube shows 1."),
        ),
        (
            r"a cube at (?P<value>\d+) belongs to a player",
            gettext_lazy("A cube at %(value)s belongs to a player."),
        ),
        (
            r"XGID: (?P<name>cube|cube cap) (?P<value>\d+) is no power of two",
            gettext_lazy("The cube shows no power of two."),
        ),
        (
            r"a position has at most (?P<most>\d+) characters",
            gettext_lazy("A position has at most %(most)s characters."),
        ),
        (r"there is nothing to read", gettext_lazy("There is nothing to read.")),
    )
)


def problem_shown(error: RulesError, pasted: str) -> Row:
    """The fault, with the number of the character in the pasted text where that is known."""
    place = None
    if isinstance(error, NotationError) and error.column is not None:
        begins = pasted.find(error.text)
        if begins >= 0:
            place = begins + error.column
    sentence = _PLACE.sub("", str(error))
    words = in_words(sentence, _TEMPLATES)
    if words is None:
        words = _("This cannot be read: %(problem)s") % {"problem": sentence}
    if place is not None:
        words = _("Character %(place)d: %(problem)s") % {"place": place, "problem": words}
    return {"code": error.code, "message": words, "column": place}


def in_words(sentence: str, templates: Templates) -> str | None:
    """A sentence of the library as the page says it; None if no template fits."""
    for pattern, template in templates:
        found = pattern.fullmatch(sentence)
        if found:
            return str(template) % found.groupdict()
    return None
