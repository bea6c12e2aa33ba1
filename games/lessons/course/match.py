"""A match: games to a number of points, and the Crawford game."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import OPENING, Lesson, LessonChoice, ShownCube, Step, stand

LESSON = Lesson(
    key="match",
    title=_("A match"),
    line=_("First to a number of points. The Crawford game."),
    minutes=2,
    steps=(
        Step(
            key="score",
            text=_(
                "The first player to reach the points of a match wins it. This one goes to 5, you "
                "lead 3 to 2 and win a gammon. [What is the score?]"
            ),
            position=stand({}, {24: 5, 23: 5, 18: 3, 12: 2}),
            cube=ShownCube(),
            score=(3, 2, 5),
            choices=(
                LessonChoice(
                    "4", _("4 to 2, the next game follows"), _("A gammon counts two points.")
                ),
                LessonChoice(
                    "5",
                    _("5 to 2, and the match is mine"),
                    _("Yes. Points beyond the fifth would not count."),
                    right=True,
                ),
                LessonChoice(
                    "6", _("6 to 3"), _("The loser gets nothing, and a gammon is two points.")
                ),
            ),
        ),
        Step(
            key="crawford",
            text=_(
                "As soon as a player needs just one more point, one game is played without the "
                "cube: the Crawford game. You lead 4 to 2 in a match to 5. [May the other side "
                "double now?]"
            ),
            position=OPENING,
            score=(4, 2, 5),
            choices=(
                LessonChoice(
                    "no",
                    _("No, not in this game"),
                    _("Right: this is the Crawford game, and a match has at most one."),
                    right=True,
                ),
                LessonChoice(
                    "yes", _("Yes, as always"), _("The Crawford game is played without the cube.")
                ),
            ),
        ),
        Step(
            key="after",
            text=_(
                "You lost the Crawford game and now lead 4 to 3. The cube is back. [What will the "
                "other side do?]"
            ),
            position=OPENING,
            cube=ShownCube(),
            score=(4, 3, 5),
            choices=(
                LessonChoice(
                    "double",
                    _("Double soon"),
                    _("Right: if they lose, the match is over anyway, so they risk nothing."),
                    right=True,
                ),
                LessonChoice(
                    "wait", _("Never double"), _("They have nothing to lose by doubling.")
                ),
            ),
        ),
        Step(
            key="gammon",
            text=_("You lead 4 to 3 in a match to 5. [Is it worth taking risks to win a gammon?]"),
            position=OPENING,
            cube=ShownCube(),
            score=(4, 3, 5),
            choices=(
                LessonChoice(
                    "no",
                    _("No, one point is all I need"),
                    _("Right. The score decides what a gammon is worth to you."),
                    right=True,
                ),
                LessonChoice("yes", _("Yes, always"), _("Points beyond the fifth do not count.")),
            ),
        ),
    ),
)
