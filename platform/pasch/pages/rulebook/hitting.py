"""Games in which a lone checker is hit, in words."""

from typing import Final

from django.utils.translation import gettext_noop as _

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

#: the chapters by the key of their variant
CHAPTERS: Final[dict[str, Chapter]] = {}

CHAPTERS["backgammon"] = Chapter(
    lead=_(
        "The game against which all others here are described: hit, block, race home, and double."
    ),
    turn=WorkedTurn(
        dice=(3, 1),
        play="8/5 6/5",
        words=(
            _("A 3 and a 1 bring two checkers together on your point 5."),
            _("The point is closed now: no opposing checker may land there."),
        ),
    ),
    own_rules=(
        _(
            "Both dice must be played if that is possible. If only one of them can be played,"
            " it must be the larger one where either could be."
        ),
        _("Equal dice count four times."),
    ),
)

CHAPTERS["nackgammon"] = Chapter(
    lead=_("Backgammon with four checkers far back instead of two: longer games, more contact."),
    turn=WorkedTurn(
        dice=(3, 1),
        play="8/5 6/5",
        words=(
            _("The 3 and the 1 close your point 5, as in backgammon."),
            _("Two checkers stay on 8 and three on 6, so both points are still closed."),
        ),
    ),
)

CHAPTERS["hypergammon"] = Chapter(
    lead=_(
        "Backgammon with three checkers a side: a game takes a few rolls, and every one of "
        "them matters."
    ),
    turn=WorkedTurn(
        dice=(6, 5),
        play="24/18 23/18",
        words=(
            _("With 6 and 5 two checkers meet on 18 and are safe there."),
            _("The third one on 22 may still be hit."),
        ),
    ),
    own_rules=(
        _("It is a gammon if the loser has borne off none of the three checkers."),
        _(
            "Where games are settled one by one, the Jacoby rule holds unless the table says "
            "otherwise: gammons count only after a double was taken."
        ),
    ),
)

CHAPTERS["misere"] = Chapter(
    lead=_("Backgammon to lose: the player who bears off everything first loses."),
    turn=WorkedTurn(
        dice=(6, 3),
        play="24/18 13/10",
        words=(
            _("Both numbers must be played, as always."),
            _(
                "Three lone checkers invite hits: a checker that is hit has a longer way, and here "
                "that is good."
            ),
        ),
    ),
    own_rules=(
        _("All rules of moving hold, including the duty to play both dice."),
        _("The player who has borne off all checkers loses. There are no gammons."),
    ),
)

CHAPTERS["portes"] = Chapter(
    lead=_("Greek backgammon without the cube; the first game of Tavli."),
    turn=WorkedTurn(
        dice=(4, 2),
        play="8/4 6/4",
        words=(_("The 4 and the 2 close your point 4, inside your home."),),
    ),
    own_rules=(
        _("A backgammon counts as a gammon: two points."),
        _(
            "A table may rule out hit-and-run: a checker that hits in its own home then stays"
            " there for the turn."
        ),
    ),
    names=(Name("Tavli", "", _("Portes, Plakoto and Fevga in turn.")),),
)

CHAPTERS["short_nardi"] = Chapter(
    lead=_("The Russian name of standard backgammon: the same rules, with ratings of its own."),
    turn=WorkedTurn(
        dice=(6, 1),
        play="13/7 8/7",
        words=(_("The 6 and the 1 close your point 7, directly in front of your home."),),
    ),
    names=(Name("Backgammon", "en", _("The same game under its international name.")),),
)

CHAPTERS["acey_deucey"] = Chapter(
    lead=_(
        "The game of the American navy: both players begin with an empty board, and 1-2 is the "
        "luckiest roll."
    ),
    turn=WorkedTurn(
        dice=(2, 1),
        play="hand/24 hand/23",
        words=(_("The 1 enters a checker on 24, the 2 one on 23."),),
    ),
    own_rules=(
        _(
            "Checkers enter from the hand on 24 to 19, as the dice say. Those that have entered "
            "may move before the others enter."
        ),
        _("A checker that was hit enters before anything else."),
        _(
            "After 1-2, played in full, you name any double and play it; if that is played in"
            " full too, you roll again."
        ),
        _("Other doubles played in full give another roll, unless the table switches that off."),
    ),
)

CHAPTERS["russian"] = Chapter(
    lead=_(
        "Both sides enter on an empty board and run the same way; a double is followed by that of "
        "the opposite side of the die."
    ),
    turn=WorkedTurn(
        dice=(2, 2),
        play="hand/23(4)",
        words=(_("Four checkers enter on 23."),),
    ),
    own_rules=(
        _(
            "Checkers enter from the hand on 24 to 19. Those that were hit must enter before "
            "anything else; the others when you like."
        ),
        _(
            "A double played in full is followed by the double on the other side of the die, "
            "seven minus its number, and then by another roll."
        ),
    ),
)

CHAPTERS["tabula"] = Chapter(
    lead=_(
        "The Roman game of Emperor Zeno's unlucky throw: three dice, one common path, an "
        "empty board."
    ),
    turn=WorkedTurn(
        position=("0 1 0 -2 2 2 -2 0 0 -2 -2 -1 -2 -2 2 1 -2 0 7 0 0 0 0 0 | bar 0 0 | off 0 0"),
        dice=(2, 5, 6),
        play="15/9 6/1 5/3",
        words=(
            _("Emperor Zeno threw 2, 5 and 6 about the year 480; a poem has kept the position."),
            _("It is the one legal play, and it leaves eight lone checkers."),
        ),
    ),
    own_rules=(
        _("Three dice are rolled and each is played once. Equal dice earn nothing more."),
        _(
            "While you have checkers in hand, none of yours may go beyond the first half, to "
            "12 or lower."
        ),
    ),
)
