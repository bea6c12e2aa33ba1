"""Bearing off: all fifteen home, then off the board."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import Lesson, Step, Wrong, stand

_THEIRS = {19: 5, 20: 5, 21: 5}

LESSON = Lesson(
    key="off",
    title=_("Bearing off"),
    line=_("Bring all fifteen home, then off the board."),
    minutes=2,
    steps=(
        Step(
            key="home",
            text=_(
                "You may bear off as soon as all your checkers are home. "
                "Bring the last one in from [7] and bear one off from [6]."
            ),
            position=stand({7: 1, 6: 4, 5: 4, 4: 3, 3: 3}, _THEIRS),
            dice=(6, 1),
            accepts=("7/6 6/off",),
            right=_("All home, and the first one is off."),
            wrong=(
                Wrong("6/off", _("Not before the one on 7 is home."), illegal=True),
                Wrong("7/1", _("Home, but the six is spent. Bring it home with the one.")),
            ),
            otherwise=_("Use the one for the checker on 7, and the six to bear off."),
        ),
        Step(
            key="exact",
            text=_(
                "A die bears off a checker from the point of its number. "
                "Bear one off with each die."
            ),
            position=stand({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, _THEIRS),
            dice=(5, 3),
            accepts=("5/off 3/off",),
            right=_("Two off with one roll. That is as fast as it gets without a double."),
            wrong=(
                Wrong("5/off", _("One is off. The three can bear off as well, from 3.")),
                Wrong("3/off", _("One is off. The five can bear off as well, from 5.")),
            ),
            otherwise=_("None was borne off. Tap the checkers on 5 and on 3."),
        ),
        Step(
            key="higher",
            text=_(
                "If a die is higher than all your points, it bears off from the highest one. "
                "Bear two off from [4] with 6 and 5."
            ),
            position=stand({4: 3, 3: 2, 2: 2, 1: 2}, _THEIRS),
            dice=(6, 5),
            accepts=("4/off(2)",),
            right=_("Nothing was wasted: high numbers take from the highest point."),
            wrong=(Wrong("3/off", _("The highest point comes first: that is 4."), illegal=True),),
        ),
        Step(
            key="gap",
            text=_(
                "Your [4 point] is empty, and you have checkers behind it: the four must move one "
                "of them. Play it, and bear one off with the one."
            ),
            position=stand({6: 2, 5: 2, 3: 2, 2: 1, 1: 1}, _THEIRS),
            dice=(4, 1),
            accepts=("6/2 1/off", "5/1 1/off"),
            right=_("The four moved inside, and the one took a checker off."),
            wrong=(Wrong("3/off", _("A four bears off from 4, not from 3."), illegal=True),),
            otherwise=_("None was borne off. The one takes the checker on 1."),
        ),
        Step(
            key="win",
            text=_("The first player to bear off everything wins. Two are left: finish the game."),
            position=stand({2: 1, 1: 1}, {19: 1, 20: 1}),
            dice=(3, 1),
            accepts=("2/off 1/off",),
            right=_("All fifteen are off. You have won."),
            wrong=(Wrong("2/1", _("One is left on 1. Bear off with both dice.")),),
        ),
    ),
)
