"""A match: games to a number of points, and the Crawford game."""

from games.lessons.lesson import OPENING, Choice, Lesson, ShownCube, Step, stand
from games.rules.naming import gettext_noop as _

LESSON = Lesson(
    key="match",
    title=_("A match"),
    line=_("Play to points. The Crawford game."),
    minutes=2,
    steps=(
        Step(
            key="score",
            text=_(
                "A match is won by the first to reach its points. It goes to 5, you lead 3 to 2 "
                "and win a gammon. [What is the score?]"
            ),
            position=stand({}, {24: 5, 23: 5, 18: 3, 12: 2}),
            cube=ShownCube(),
            score=(3, 2, 5),
            choices=(
                Choice("4", _("4 to 2, the next game follows"), _("A gammon counts two points.")),
                Choice(
                    "5",
                    _("5 to 2, and the match is mine"),
                    _("Yes. Points beyond the fifth would count nothing."),
                    right=True,
                ),
                Choice("6", _("6 to 3"), _("The loser gets nothing, and a gammon is two points.")),
            ),
        ),
        Step(
            key="crawford",
            text=_(
                "As soon as somebody needs just one more point, one game is played without the "
                "cube: the Crawford game. It stands 4 to 2, to 5. [May you be doubled now?]"
            ),
            position=OPENING,
            score=(4, 2, 5),
            choices=(
                Choice(
                    "no",
                    _("No, not in this game"),
                    _("Right: this is the Crawford game, and it happens once in a match."),
                    right=True,
                ),
                Choice("yes", _("Yes, as always"), _("In the Crawford game the cube rests.")),
            ),
        ),
        Step(
            key="after",
            text=_(
                "You lost the Crawford game: 4 to 3. Now the cube is back. "
                "[What will the other side do, who trails?]"
            ),
            position=OPENING,
            cube=ShownCube(),
            score=(4, 3, 5),
            choices=(
                Choice(
                    "double",
                    _("Double soon"),
                    _("Right: if they lose, the match is over anyway, so they risk nothing."),
                    right=True,
                ),
                Choice("wait", _("Never double"), _("They have nothing to lose by doubling.")),
            ),
        ),
        Step(
            key="gammon",
            text=_("You lead 4 to 3, to 5. [Is it worth a risk to win this game as a gammon?]"),
            position=OPENING,
            cube=ShownCube(),
            score=(4, 3, 5),
            choices=(
                Choice(
                    "no",
                    _("No, one point is all I need"),
                    _("Right. The score decides what a gammon is worth to you."),
                    right=True,
                ),
                Choice("yes", _("Yes, always"), _("Points beyond the fifth count nothing.")),
            ),
        ),
    ),
)
