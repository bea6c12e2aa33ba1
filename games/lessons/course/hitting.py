"""Hitting and the bar: a lone checker is sent back to the start."""

from backgammon.rules.naming import gettext_noop as _
from games.lessons.lesson import Lesson, LessonChoice, Step, Wrong, stand

#: the opponent has opened with 6-2, played 24/18 13/11 in their numbers
_BLOTS = stand({24: 2, 13: 5, 8: 3, 6: 5}, {1: 1, 7: 1, 12: 4, 14: 1, 17: 3, 19: 5})
_HIT = {24: 1, 13: 5, 8: 3, 6: 5}

LESSON = Lesson(
    key="hitting",
    title=_("Hitting and the bar"),
    line=_("Send a lone checker back to the start."),
    minutes=2,
    steps=(
        Step(
            key="blots",
            text=_(
                "A checker alone on its point is a blot, and a blot can be hit. [How many blots do "
                "the dark checkers have here?]"
            ),
            position=_BLOTS,
            choices=(
                LessonChoice("one", _("One blot"), _("There are more. Look at 1, 7 and 14.")),
                LessonChoice("two", _("Two blots"), _("There is one more. Look at 1, 7 and 14.")),
                LessonChoice("three", _("Three blots"), _("Yes: on 1, 7 and 14."), right=True),
            ),
        ),
        Step(
            key="hit",
            text=_("The blot on your [7 point] is six away from 13: hit it with the six."),
            position=_BLOTS,
            dice=(6, 1),
            first_only=True,
            accepts=("13/7",),
            right=_("Hit: it waits on the bar and must start again."),
            wrong=(
                Wrong("24/18", _("24/18 hits nothing. The arrow shows the checker that does.")),
                Wrong("8/7", _("That hits as well, but with the one. This time use the six.")),
            ),
            otherwise=_("That hits nothing. The arrow shows the checker that reaches 7."),
            arrows=((13, 7),),
        ),
        Step(
            key="cover",
            text=_(
                "Your hitting checker would be a blot itself. "
                "Hit on [7] with the six and bring a second checker there with the one."
            ),
            position=_BLOTS,
            dice=(6, 1),
            accepts=("13/7* 8/7",),
            right=_("Hit, and safe: two of yours stand on 7, and nobody can hit them."),
            wrong=(
                Wrong("13/7 7/6", _("Hit and gone on: 7 is empty again. Stay there, in company.")),
                Wrong("13/7", _("A hit, but the checker on 7 is alone. Play the one from 8.")),
                Wrong("8/7", _("A hit, but the checker on 7 is alone. Play the six from 13.")),
            ),
            otherwise=_("That does not hit on 7."),
        ),
        Step(
            key="enter",
            text=_(
                "Now one of yours waits on the [bar], and nothing else may move before it enters. "
                "A die of four enters on 21, a six on 19. Bring it in."
            ),
            position=stand(_HIT, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(1, 0)),
            dice=(6, 4),
            first_only=True,
            accepts=("bar/21",),
            right=_("In again. With the six you may now move any checker."),
            wrong=(
                Wrong("bar/19", _("19 is blocked by five. The four leads to 21."), illegal=True),
                Wrong("24/20", _("First the one on the bar, then the others."), illegal=True),
                Wrong("13/7", _("First the one on the bar, then the others."), illegal=True),
            ),
        ),
        Step(
            key="back",
            text=_("You may also hit as you enter. Enter on the blot with the right die."),
            position=stand(_HIT, {1: 2, 12: 5, 17: 3, 19: 4, 22: 1}, bar=(1, 0)),
            dice=(3, 2),
            first_only=True,
            accepts=("bar/22",),
            right=_("In, and hit: now the other side waits on the bar."),
            wrong=(Wrong("bar/23", _("23 is free, but the blot stands on 22: use the three.")),),
        ),
        Step(
            key="closed",
            text=_(
                "Here all six points on which you could enter are blocked. [You rolled 5 and 3: "
                "what happens?]"
            ),
            position=stand(
                {13: 5, 8: 4, 6: 5}, {24: 2, 23: 2, 22: 2, 21: 3, 20: 3, 19: 3}, bar=(1, 0)
            ),
            dice=(5, 3),
            choices=(
                LessonChoice(
                    "pass",
                    _("My turn is over, and the one on the bar waits"),
                    _("Right. You wait until a point opens."),
                    right=True,
                ),
                LessonChoice(
                    "other",
                    _("I move another checker instead"),
                    _("Nothing else may move while one of yours is on the bar."),
                ),
                LessonChoice("again", _("I roll again"), _("There is one roll in a turn.")),
            ),
        ),
    ),
)
