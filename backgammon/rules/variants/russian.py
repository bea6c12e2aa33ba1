"""Russian backgammon: both sides enter at the same end and run the same way."""

from collections.abc import Sequence

from backgammon.rules.families import Entering
from backgammon.rules.naming import gettext_noop
from backgammon.rules.position import Way
from backgammon.rules.variant import PLAIN, TURN_OVER, Options, TurnFlow


class Russian(Entering):
    """A double is followed by its complement (7 - d) and, if that is played too, a new roll."""

    key = "russian"
    name = gettext_noop("Russian backgammon")
    way = Way.SAME

    def flow(
        self,
        dice: Sequence[int],
        *,
        all_played: bool,
        own_turns_before: int,
        options: Options = PLAIN,
    ) -> TurnFlow:
        if not all_played or dice[0] != dice[1]:
            return TURN_OVER
        other_side = 7 - dice[0]
        return TurnFlow(rolls=((other_side, other_side),), roll_again=True)
