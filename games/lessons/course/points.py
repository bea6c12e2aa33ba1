"""Making points: two checkers are safe, and six points in a row are a wall."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, LessonChoice, Step, Wrong, stand

_WALL = {13: 2, 10: 1, 9: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 1}

LESSON = Lesson(
    key="points",
    title=_("Making points"),
    line=_("Two checkers are safe. Six points in a row are a prime."),
    minutes=2,
    steps=(
        Step(
            key="four",
            text=_(
                "Two checkers of yours make a point: they are safe, and it is closed to others. "
                "Make your [4 point] from 8 and 6."
            ),
            position=OPENING,
            dice=(4, 2),
            accepts=("8/4 6/4",),
            right=_("The 4 point is yours, and nobody lands there any more."),
            wrong=(
                Wrong("8/4", _("One is there, alone. The two from 6 brings the second.")),
                Wrong("6/4", _("One is there, alone. The four from 8 brings the second.")),
            ),
            otherwise=_("No point was made on 4. Use the four from 8 and the two from 6."),
        ),
        Step(
            key="bar",
            text=_(
                "The next good point is right in front of your home board: your "
                "[7-point], called the bar point."
            ),
            position=OPENING,
            dice=(6, 1),
            accepts=("13/7 8/7",),
            right=_("8, 7 and 6 are yours now: three in a row are hard to pass."),
            wrong=(
                Wrong("13/7 7/6", _("One checker has passed through. Two must stay on 7.")),
                Wrong("13/7", _("One is there, alone. Play the one from 8.")),
                Wrong("8/7", _("One is there, alone. Play the six from 13.")),
            ),
            otherwise=_("Two of yours must stand on 7: one from 13, and one from 8."),
        ),
        Step(
            key="safe",
            text=_("You have blots on [10] and [9]. Play so that none of your checkers is alone."),
            position=stand({24: 2, 13: 4, 10: 1, 9: 1, 8: 2, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}),
            dice=(2, 1),
            accepts=("10/8 9/8",),
            right=_("All safe: four on 8, and no blot anywhere."),
            wrong=(
                Wrong("10/9", _("10 and 9 are together, but the two leaves another one alone.")),
                Wrong("9/8", _("One is safe. What can the two do for the other?")),
                Wrong("10/8", _("One is safe. What can the one do for the other?")),
            ),
            otherwise=_("The blots on 10 and 9 are still alone."),
        ),
        Step(
            key="wall",
            text=_("Now build the wall: six points in a row. [4] is the one that is missing."),
            position=stand({**_WALL, 5: 3, 4: 0}, {2: 2, 12: 5, 17: 3, 19: 5}),
            dice=(6, 1),
            accepts=("10/4 5/4",),
            right=_("From 9 to 4 all is closed. The two behind the wall cannot get out."),
            wrong=(
                Wrong("10/4", _("One checker is not a point. The one from 5 helps.")),
                Wrong("5/4", _("One checker is not a point. The six from 10 helps.")),
            ),
            otherwise=_("Bring two checkers to 4: one from 10, and one from 5."),
        ),
        Step(
            key="held",
            text=_("[How long does the wall hold the two checkers behind it?]"),
            position=stand({**_WALL, 10: 0, 4: 2}, {2: 2, 12: 5, 17: 3, 19: 5}),
            choices=(
                LessonChoice(
                    "stays",
                    _("As long as I can keep it"),
                    _("Right. No roll leads over it; only you can open it."),
                    right=True,
                ),
                LessonChoice(
                    "six",
                    _("Until they roll a six"),
                    _("Six points further on is 8, which is yours, too."),
                ),
                LessonChoice(
                    "double",
                    _("Until they roll a double"),
                    _("Then, too, each of the moves must land somewhere."),
                ),
            ),
        ),
    ),
)
