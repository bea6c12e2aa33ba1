"""The way round: where the checkers start, and where they go."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, LessonChoice, Step, Wrong

LESSON = Lesson(
    key="way",
    title=_("Which way you move"),
    line=_("Where your checkers start and where they are going."),
    minutes=1,
    steps=(
        Step(
            key="run",
            text=_(
                "The light checkers are yours, and they go from 24 down to 1, never back. "
                "Run one from [24] to [13]: first six points, then five."
            ),
            position=OPENING,
            dice=(6, 5),
            accepts=("24/13",),
            right=_("That is the way: along the far side, round the corner, and home."),
            wrong=(
                Wrong("24/18", _("A good start. Go on with the same checker, from 18 to 13.")),
                Wrong(
                    "24/19",
                    _("Five opposing checkers hold 19, so play the six first."),
                    illegal=True,
                ),
            ),
            otherwise=_("Take one of the two checkers on 24, your rearmost ones."),
            arrows=((24, 18), (18, 13)),
        ),
        Step(
            key="home",
            text=_(
                "Points 6 to 1 are your home board, and all your checkers must get "
                "there. Bring one home from [13] to [5]."
            ),
            position=OPENING,
            dice=(5, 3),
            accepts=("13/5",),
            right=_("Home. Once all fifteen are there, you take them off the board and win."),
            wrong=(
                Wrong("8/3 6/3", _("Both are home now, but this time move the one on 13.")),
                Wrong("13/8", _("Halfway. The same checker goes on from 8 to 5.")),
                Wrong("13/10", _("Halfway. The same checker goes on from 10 to 5.")),
            ),
            otherwise=_("Move a single checker from 13: three points and five points."),
            arrows=((13, 5),),
        ),
        Step(
            key="against",
            text=_(
                "The dark checkers go the other way, past yours. Their first point is your 1. "
                "[Where is their home?]"
            ),
            position=OPENING,
            choices=(
                LessonChoice(
                    "mine", _("On points 1 to 6"), _("That is your home. Look across it.")
                ),
                LessonChoice(
                    "theirs",
                    _("On points 19 to 24"),
                    _("Right: opposite yours. Your last two checkers must get out of there."),
                    right=True,
                ),
                LessonChoice(
                    "outer",
                    _("On points 7 to 12"),
                    _("Those lie in front of your home. Theirs is opposite yours."),
                ),
            ),
        ),
    ),
)
