"""The doubling cube: raise the stakes, or take, or drop."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, LessonChoice, ShownCube, Step, stand

_TAKE, _DROP = _("Take"), _("Drop")

LESSON = Lesson(
    key="cube",
    title=_("The doubling cube"),
    line=_("Raise the stakes, or take, or drop."),
    minutes=3,
    steps=(
        Step(
            key="worth",
            text=_(
                "The cube multiplies what a game is worth. It shows 2, and you win a gammon. "
                "[How many points do you get?]"
            ),
            position=stand({}, {24: 5, 23: 5, 18: 3, 12: 2}),
            cube=ShownCube(2, "me"),
            choices=(
                LessonChoice(
                    "2", _("Two points"), _("The gammon alone is two, and the cube doubles it.")
                ),
                LessonChoice("3", _("Three points"), _("The cube multiplies, it does not add.")),
                LessonChoice(
                    "4", _("Four points"), _("Yes: two for the gammon, times two."), right=True
                ),
            ),
        ),
        Step(
            key="when",
            text=_("The cube lies in the middle, so both may double. [When may you do so?]"),
            position=OPENING,
            cube=ShownCube(),
            choices=(
                LessonChoice(
                    "before",
                    _("On my turn, before I roll"),
                    _("Right: double first, and roll once the double is taken."),
                    right=True,
                ),
                LessonChoice(
                    "after", _("After a good roll"), _("Too late: you double before you roll.")
                ),
                LessonChoice("any", _("At any time"), _("Only on your own turn.")),
            ),
        ),
        Step(
            key="double",
            text=_(
                "A race: you need 63 pips, the other side 70, and you are on roll. [Do you double?]"
            ),
            position=stand({6: 4, 5: 4, 4: 3, 3: 1, 2: 2}, {19: 5, 20: 4, 21: 3, 22: 2, 23: 1}),
            cube=ShownCube(),
            choices=(
                LessonChoice(
                    "double",
                    _("Double"),
                    _("Right: you are far enough ahead to play for more."),
                    right=True,
                ),
                LessonChoice(
                    "roll", _("Roll"), _("You win this race most of the time. Raise the stakes.")
                ),
            ),
        ),
        Step(
            key="take",
            text=_(
                "The other side doubles. If you drop, you lose one point for sure; if you take, "
                "you play on for two. You still win a little more than one game in four. "
                "[Take or drop?]"
            ),
            position=stand({6: 4, 5: 4, 4: 3, 3: 3, 2: 1}, {19: 3, 20: 3, 21: 4, 22: 3, 23: 2}),
            cube=ShownCube(2, None, offered=True),
            choices=(
                LessonChoice(
                    "take",
                    _TAKE,
                    _(
                        "Right: with more than one game in four, playing on costs less than "
                        "dropping."
                    ),
                    right=True,
                ),
                LessonChoice(
                    "drop",
                    _DROP,
                    _("One game in four is enough to take, and you win more than that."),
                ),
            ),
        ),
        Step(
            key="drop",
            text=_(
                "The other side doubles again, but this time you need 83 pips and they need 62. "
                "[Take or drop?]"
            ),
            position=stand({8: 1, 7: 1, 6: 6, 5: 4, 4: 3}, {19: 3, 20: 3, 21: 4, 22: 3, 23: 2}),
            cube=ShownCube(2, None, offered=True),
            choices=(
                LessonChoice(
                    "drop",
                    _DROP,
                    _("Right: you lose one point, and most likely it would have been two."),
                    right=True,
                ),
                LessonChoice("take", _TAKE, _("You win far less than one game in four from here.")),
            ),
        ),
        Step(
            key="owner",
            text=_("You took, and the cube shows 2. [Who may double next?]"),
            position=OPENING,
            cube=ShownCube(2, "me"),
            choices=(
                LessonChoice(
                    "me",
                    _("Only I"),
                    _("Right: the cube is yours, and that is worth something."),
                    right=True,
                ),
                LessonChoice("op", _("Only the other side"), _("It lies on your side now.")),
                LessonChoice(
                    "both",
                    _("Both of us"),
                    _("Only the player who took the last double may double."),
                ),
            ),
        ),
    ),
)
