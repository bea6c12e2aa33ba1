"""The sentences of the library about files that are seldom read, in the reader's language."""

from typing import Any, Final

from django.utils.translation import gettext_lazy

#: what a sentence looks like, and what the page says.
RARE: Final[tuple[tuple[str, Any], ...]] = (
    (
        r"the game has no board|an entry belongs to no player|numbers? should stand in .*"
        r"|a number should stand in .*|a record belongs to no game|.* is no (?:player|seat)"
        r"|.* is no length of this kind of match|.* is no (?:date|time|\d+)",
        gettext_lazy("A value is missing here, or it is of the wrong kind."),
    ),
    (
        r"this is not a .* of version .*|.* is not backgammon, which is GM\[6\]"
        r"|the file holds no game|the file has an analysis without its match",
        gettext_lazy("There is no match in the file."),
    ),
    (
        r"the score .* cannot be negative|the score after the game .*"
        r"|the game ends, but the score stays the same",
        gettext_lazy("The score after this game is impossible."),
    ),
    (
        r"no game has begun|a game begins before its match",
        gettext_lazy("No game has begun that this could belong to."),
    ),
    (r".*too large a number", gettext_lazy("This number is too large.")),
    (
        r"the content is nested too deeply|a (?:record|section) ends too early"
        r"|a text is not UTF-8|the checksum does not fit.*|this is no OGXM file",
        gettext_lazy("The file is damaged."),
    ),
    (r"the file is cut off", gettext_lazy("The file is cut off: its end is missing.")),
    (
        r"the file is OGXM of version (?P<version>\d+), .*",
        gettext_lazy("OGXM of version %(version)s cannot be read."),
    ),
    (
        r"a cube that is set within a game .*|a board that is set up within a game .*"
        r"|the position is edited in the middle of a game",
        gettext_lazy("Board or cube are set up anew in the middle of the game."),
    ),
    (
        r"a game that was settled has no result .*",
        gettext_lazy("The game was settled, so it has no result."),
    ),
    (
        r"the length of the match is said twice",
        gettext_lazy("The length of the match is said twice."),
    ),
    (
        r"one loses (?P<lost>\d+) points, but the other wins (?P<won>\d+)",
        gettext_lazy("One player loses %(lost)s points, but the other wins %(won)s."),
    ),
    (
        r"it is not said who won how many points",
        gettext_lazy("It is not said who won how many points."),
    ),
    (
        r"who gave up cannot have won|RE\[.*\]: who resigned cannot have won",
        gettext_lazy("Who gave up cannot have won."),
    ),
    (r"a second match begins", gettext_lazy("A second match begins here.")),
    (
        r"a game cannot begin with the cube at .*|a cube at .* has no owner .*"
        r"|CV\[.*\] is no value of a cube|a cube (?:shows|belongs) .*|the next offer is a .*"
        r"|the cube cannot go beyond .*|a raccoon can only be taken or dropped",
        gettext_lazy("The cube cannot be turned or stand like this here."),
    ),
    (
        r"this match is played without a cube",
        gettext_lazy("This match is played without a cube."),
    ),
    (
        r".+ belongs? to unlimited play, not to a match",
        gettext_lazy("This rule belongs to unlimited play, not to a match."),
    ),
    (
        r"raccoons answer beavers.*|the Holland rule comes .*|.* does not offer the option .*"
        r"|.* is on or off, not .*|max_stack is .*"
        r"|the number of automatic doubles cannot be negative",
        gettext_lazy("These rules do not fit together, or not this game."),
    ),
    (
        r"nobody can resign level .*|XR\[.*\] is no offer to resign",
        gettext_lazy("Nobody can resign so many points."),
    ),
    (
        r"the game did not end by .*|a draw gives no points|RE\[.*\] is no result"
        r"|Game .* Ending: .* is no ending",
        gettext_lazy("The game cannot have ended like this."),
    ),
    (
        r"the game ends, but has no result RE",
        gettext_lazy("The game ends, but has no result."),
    ),
    (
        r".* is neither White nor Black",
        gettext_lazy("A player is White or Black."),
    ),
    (
        r"DI\[.*\] are no dice|DI says dice, but not PL who rolled them",
        gettext_lazy("Dice, or who rolled them, are missing here."),
    ),
    (r"MI\[.*\]: .* is no number", gettext_lazy("A number is missing here.")),
    (
        r".* checkers of one colour instead of .*|.*: no checker can stand there|Game .* Start: .*"
        r"|a board has 24 points, .*|no checker is ever pinned .*|pinned points must .*"
        r"|.* has a negative number of checkers .*|.* has .* checkers instead of .*"
        r"|.* has checkers (?:on the bar|in hand), but .*|point .*: nothing lies on top .*"
        r"|point .*: .* is no number of checkers|point .*: .* checkers are more than .*"
        r"|after the points come .*|expected '.*' a b'.*|expected '.* a b', found .*"
        r"|.*: two numbers from 0 to .*",
        gettext_lazy("This board is impossible."),
    ),
    (
        r"nothing is hit at the start|more moves than any play has"
        r"|(?:.*) does not tell whether it hits on .*",
        gettext_lazy("This play can be read in two ways, or in none."),
    ),
    (
        r"the play is not complete: (?P<die>.+) can still be played",
        gettext_lazy("The play is not complete: %(die)s can still be played."),
    ),
)
