"""Doubles: equal dice are played four times."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, Step, Wrong

LESSON = Lesson(
    key="doubles",
    title=_("Doubles"),
    line=_("Equal dice are played four times."),
    minutes=1,
    steps=(
        Step(
            key="four",
            text=_(
                "Rolling the same number twice is called doubles, and gives you four "
                "moves instead of two. Play two threes from [8] and two from [6]."
            ),
            position=OPENING,
            dice=(3, 3),
            accepts=("8/5(2) 6/3(2)",),
            right=_("Four moves, and two new points in your home."),
            wrong=(
                Wrong("8/5 5/2", _("One went too far. Two checkers from 8 move one three each.")),
                Wrong("24/21", _("Leave the checkers on 24 for now. Move from 8 and from 6.")),
                Wrong("13/10", _("Leave the checkers on 13 for now. Move from 8 and from 6.")),
            ),
            otherwise=_("Two checkers from 8 to 5, and two from 6 to 3."),
        ),
        Step(
            key="far",
            text=_("One checker may make all four moves. Move one from [24] to [16]."),
            position=OPENING,
            dice=(2, 2),
            accepts=("24/16",),
            right=_("Four times two makes eight points for one checker."),
            wrong=(Wrong("24/22 22/20", _("Go on with the same checker until it is on 16.")),),
            otherwise=_("All four moves belong to one checker from 24."),
        ),
        Step(
            key="six",
            text=_(
                "Double six is one of the best rolls to begin with. Bring both from [24] to [18], "
                "and two from [13] to [7]."
            ),
            position=OPENING,
            dice=(6, 6),
            accepts=("24/18(2) 13/7(2)",),
            right=_("Your last two are on their way, and 7 and 18 are yours."),
            wrong=(
                Wrong("8/2", _("The checkers on 8 can stay. Move from 24 and from 13.")),
                Wrong("24/18", _("One from 24 is on its way. Two from 24 and two from 13.")),
            ),
            otherwise=_("Two checkers from 24, and two from 13."),
        ),
    ),
)
