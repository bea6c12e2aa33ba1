"""Two dice, two moves: each die moves one checker, and blocked points are out of reach."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, LessonChoice, Step, Wrong

LESSON = Lesson(
    key="dice",
    title=_("Two dice, two moves"),
    line=_("Move two checkers, or one checker twice."),
    minutes=1,
    steps=(
        Step(
            key="two",
            text=_(
                "Each die moves one checker by as many points as it shows. "
                "Move one from [8] with the three and one from [6] with the one."
            ),
            position=OPENING,
            dice=(3, 1),
            accepts=("8/5 6/5",),
            right=_("Both stand on 5 now. That is the best way to play this roll."),
            wrong=(
                Wrong("8/5", _("The three is right. The one is for a checker on 6.")),
                Wrong("6/5", _("The one is right. The three is for a checker on 8.")),
            ),
            arrows=((8, 5), (6, 5)),
        ),
        Step(
            key="same",
            text=_(
                "One checker may take both dice, one after the other. "
                "Move one from [24] to [18] this way."
            ),
            position=OPENING,
            dice=(4, 2),
            accepts=("24/18",),
            right=_("Six points in two moves. It touched down once on its way."),
            wrong=(
                Wrong("24/22 24/20", _("Those were two checkers. Let one take both dice.")),
                Wrong("8/4 6/4", _("A fine play, but here one checker from 24 takes both dice.")),
            ),
            otherwise=_("Take one checker on 24 and move it with both dice."),
        ),
        Step(
            key="blocked",
            text=_(
                "Two or more opposing checkers block a point: you may not stop there. [19] is "
                "blocked, so play the five from [13] and the two from [24]."
            ),
            position=OPENING,
            dice=(5, 2),
            accepts=("24/22 13/8",),
            right=_("The five went to 8, and the two to the empty 22."),
            wrong=(
                Wrong("24/19", _("Five opposing checkers hold 19: it is blocked."), illegal=True),
                Wrong("13/8", _("The five is right. Now a checker from 24 takes the two.")),
                Wrong("24/22", _("The two is right. The five is for a checker on 13.")),
            ),
            otherwise=_("The five from 13 to 8, and the two from 24 to 22."),
        ),
        Step(
            key="done",
            text=_(
                "At a table a play counts once you press Done. "
                "[You moved the wrong checker and have not pressed Done: what can you do?]"
            ),
            position=OPENING,
            choices=(
                LessonChoice(
                    "undo",
                    _("Undo the move and play another"),
                    _("Right. Until Done you may try out everything."),
                    right=True,
                ),
                LessonChoice(
                    "stays", _("Nothing, the move stands"), _("It stands only after Done.")
                ),
                LessonChoice("roll", _("Roll again"), _("A roll is final. The moves are not yet.")),
            ),
        ),
    ),
)
