"""The sentences of the library about what it cannot read, in the reader's language.

Errors of positions and files are sentences in English for programs. The usual ones have a template
here, the rare ones of files in `rare_sentences`.
"""

import re
from typing import Any, Final

from django.utils.translation import gettext_lazy

from analysis.pages.rare_sentences import RARE

#: the sentence of an error, and what the page says; the groups of the one fill the other.
Templates = tuple[tuple[re.Pattern[str], Any], ...]

_POSITIONS: Final = (
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
        gettext_lazy("One side has %(count)s checkers on the board, but only %(wanted)s in all."),
    ),
    (
        r".* gives the opponent (?P<count>\d+) checkers of (?P<wanted>\d+)",
        gettext_lazy("One side has %(count)s checkers on the board, but only %(wanted)s in all."),
    ),
    (
        r"FIBS board: (?P<count>\d+) checkers on one side of (?P<wanted>\d+)",
        gettext_lazy("One side has %(count)s checkers on the board, but only %(wanted)s in all."),
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
        gettext_lazy("Nobody plays on at %(first)s : %(second)s in a match to %(length)s points."),
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

_FILES: Final = (
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
    (
        r"Expecting .* delimiter|Expecting value|Expecting property name .*|Extra data"
        r"|Unterminated string .*|Invalid (?:control character|\\escape).*",
        gettext_lazy("This is no JSON any more."),
    ),
    (
        r".* is no (?:int|str|list|bool)|.* should stand here|a move is \[from, to, die\]",
        gettext_lazy("A value is missing here, or it is of the wrong kind."),
    ),
    (r".* is not known here|there is no such field", gettext_lazy("This is not known here.")),
    (
        r"'(?P<sign>.*)' where .* should stand",
        gettext_lazy("“%(sign)s” has no place here."),
    ),
    (r"(?P<text>.*) is no property", gettext_lazy("%(text)s is no property.")),
    (
        r"several actions stand in one node",
        gettext_lazy("Several actions stand in one node."),
    ),
    (r"a game tree is not closed", gettext_lazy("The file ends in the middle of a game.")),
    (
        r"no variant '(?P<name>.*)'; there are: .*",
        gettext_lazy("There is no variant %(name)s."),
    ),
    (r".*: (?P<text>'.*') is no number.*", gettext_lazy("%(text)s is no number.")),
    (
        r"(?P<name>.+): (?P<text>'.*') is neither On nor Off",
        gettext_lazy("%(name)s: %(text)s is neither On nor Off."),
    ),
    (
        r"move \d+ of \d+: (?P<move>\S+) with (?P<die>\d+) is not legal here",
        gettext_lazy("%(move)s with a %(die)s is not legal here."),
    ),
    (r"the game ends, but has no result", gettext_lazy("The game ends, but has no result.")),
    (
        r"no play of (?P<roll>\d+) leads to this board",
        gettext_lazy("No play of the roll %(roll)s leads to the board that follows."),
    ),
    (
        r"the (?:archive|content) is cut off.*",
        gettext_lazy("The file is cut off: its end is missing."),
    ),
    (
        r"the (?:archive|content) (?:is damaged|cannot be (?:read|unpacked)).*",
        gettext_lazy("The file is damaged."),
    ),
    (
        r"the archive contains no match|the content is no match",
        gettext_lazy("There is no match in the file."),
    ),
    (r"the file is encrypted", gettext_lazy("The file is encrypted.")),
    (
        r"the file is too large|the archive unpacks to more than any match has",
        gettext_lazy("The file is too large."),
    ),
    (
        r"a (?P<kind>\w+) archive cannot be read; a ZIP can",
        gettext_lazy("An archive of the kind %(kind)s cannot be read; a ZIP can."),
    ),
    (r"a ZIP inside a ZIP is not read", gettext_lazy("A ZIP inside a ZIP is not read.")),
    (
        r"the file (?:is packed in a way that cannot be read|cannot be unpacked: .*)"
        r"|the ZIP cannot be read: .*",
        gettext_lazy("This cannot be unpacked."),
    ),
    (
        r"the ZIP has (?:too much in it|more than \d+ files)",
        gettext_lazy("The ZIP has too much in it: the rest was not read."),
    ),
)

_TEMPLATES: Final[Templates] = tuple(
    (re.compile(pattern, re.DOTALL), template)
    for pattern, template in (*_POSITIONS, *_FILES, *RARE)
)


def in_words(sentence: str) -> str | None:
    """A sentence of the library as the page says it; None if no template fits."""
    for pattern, template in _TEMPLATES:
        found = pattern.fullmatch(sentence)
        if found:
            return str(template) % found.groupdict()
    return None
