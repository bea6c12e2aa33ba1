"""Play both if you can: what the rules ask for when points are blocked."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import Lesson, LessonChoice, Step, Wrong, stand

LESSON = Lesson(
    key="both",
    title=_("Play both if you can"),
    line=_("Blocked points and forced plays."),
    minutes=2,
    steps=(
        Step(
            key="touch",
            text=_(
                "A checker that takes both dice must touch down in between. "
                "[You rolled 6 and 5: can one from 24 get to 13?]"
            ),
            position=stand({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 4, 17: 2, 18: 2, 19: 5}),
            dice=(6, 5),
            choices=(
                LessonChoice(
                    "no",
                    _("No, it cannot touch down"),
                    _("Right: 18 and 19 are both blocked, so it stays on 24."),
                    right=True,
                ),
                LessonChoice(
                    "yes", _("Yes, 13 is free"), _("On its way it would stop on 18 or on 19.")
                ),
            ),
        ),
        Step(
            key="both",
            text=_(
                "Both dice must be played if there is a way. "
                "The five from 20 would leave no six, so find another."
            ),
            position=stand({20: 1, 16: 1, 4: 5, 3: 5, 2: 3}, {9: 2, 10: 2, 17: 3, 18: 4, 19: 4}),
            dice=(6, 5),
            accepts=("20/14 16/11", "16/5"),
            right=_("Both are played. Moves that would waste a die cannot be chosen at all."),
            wrong=(
                Wrong("20/15", _("After that no six could be played."), illegal=True),
                Wrong("16/10", _("10 is blocked."), illegal=True),
            ),
        ),
        Step(
            key="higher",
            text=_(
                "If either die can be played but not both, the higher one must be played. Make the "
                "only legal play."
            ),
            position=stand({20: 1, 4: 5, 3: 5, 2: 4}, {9: 2, 12: 2, 17: 3, 18: 4, 19: 4}),
            dice=(6, 5),
            accepts=("20/14",),
            right=_("Right. The five is lost: after the six it is blocked on 9."),
            wrong=(
                Wrong("20/15", _("That is the five. The six is the higher one."), illegal=True),
            ),
        ),
        Step(
            key="wall",
            text=_(
                "Six blocked points in a row are a prime, a wall. [Your checkers on "
                "24 face one: which roll gets them past it?]"
            ),
            position=stand(
                {24: 2, 13: 4, 8: 4, 6: 5}, {1: 2, 18: 2, 19: 3, 20: 2, 21: 2, 22: 2, 23: 2}
            ),
            choices=(
                LessonChoice(
                    "six", _("Double six"), _("Six points further on is 18, and it is blocked.")
                ),
                LessonChoice("one", _("Six and one"), _("Neither die has a place to touch down.")),
                LessonChoice(
                    "none",
                    _("No roll does"),
                    _("Right. Nothing jumps over six in a row: you wait until the wall opens."),
                    right=True,
                ),
            ),
        ),
    ),
)
