"""Gammon and backgammon: when a win counts double or triple."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import Lesson, LessonChoice, Step, Wrong, stand

ONE, TWO, THREE = _("One point"), _("Two points"), _("Three points")

LESSON = Lesson(
    key="gammon",
    title=_("Gammon and backgammon"),
    line=_("When a win counts double or triple."),
    minutes=1,
    steps=(
        Step(
            key="single",
            text=_(
                "You have borne off all fifteen, and the other side one. "
                "[How many points is the game worth?]"
            ),
            position=stand({}, {24: 5, 23: 5, 22: 4}),
            choices=(
                LessonChoice(
                    "1",
                    ONE,
                    _("Yes: a player with a checker off loses only one point."),
                    right=True,
                ),
                LessonChoice("2", TWO, _("Only if they had borne off none.")),
                LessonChoice(
                    "3",
                    THREE,
                    _("Only if none were borne off and one were on the bar or in your home."),
                ),
            ),
        ),
        Step(
            key="gammon",
            text=_("This time the other side has borne off [none]. How many points now?"),
            position=stand({}, {24: 5, 23: 5, 18: 3, 12: 2}),
            choices=(
                LessonChoice("1", ONE, _("They have none off: that counts more.")),
                LessonChoice(
                    "2", TWO, _("Yes: that is a gammon, and it counts double."), right=True
                ),
                LessonChoice(
                    "3", THREE, _("For that one would have to be on the bar or in your home.")
                ),
            ),
        ),
        Step(
            key="backgammon",
            text=_("None is borne off, and one still stands in [your home]. How many points?"),
            position=stand({}, {24: 5, 23: 5, 18: 4, 3: 1}),
            choices=(
                LessonChoice("1", ONE, _("They have none off: that counts more.")),
                LessonChoice("2", TWO, _("A gammon would be two, but one is in your home.")),
                LessonChoice(
                    "3",
                    THREE,
                    _("Yes: that is a backgammon, and it counts triple."),
                    right=True,
                ),
            ),
        ),
        Step(
            key="save",
            text=_(
                "You are about to lose, and you have none off. "
                "Bear one off, so that you lose one point instead of two."
            ),
            position=stand({7: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}, {24: 1}),
            dice=(6, 1),
            accepts=("7/6 6/off",),
            right=_("Saved: with one checker off you lose only one point."),
            wrong=(
                Wrong("6/off", _("Not before the one on 7 is home."), illegal=True),
                Wrong(
                    "7/1",
                    _(
                        "All home, but none off. Bring it home with the one, and bear off with "
                        "the six."
                    ),
                ),
            ),
            otherwise=_("None is off yet: you lose a gammon."),
        ),
    ),
)
