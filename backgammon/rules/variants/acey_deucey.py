"""Acey-deucey, the navy's game: enter all checkers, and 1-2 is the luckiest roll."""

from collections.abc import Sequence

from backgammon.rules.families import Entering
from backgammon.rules.naming import gettext_noop
from backgammon.rules.position import Position
from backgammon.rules.variant import PLAIN, TURN_OVER, Options, TurnFlow


class AceyDeucey(Entering):
    """1-2 earns any double and another roll; the loser pays a point for each checker left."""

    key = "acey_deucey"
    name = gettext_noop("Acey-deucey")
    levels = tuple(range(1, 16))
    options_offered = frozenset({"extra_roll_on_doubles"})

    def level(self, position: Position) -> int:
        return self.checkers - position.off[1]

    def most_to_lose(self, position: Position) -> int:
        return self.checkers - position.off[0]

    def flow(
        self,
        dice: Sequence[int],
        *,
        all_played: bool,
        own_turns_before: int,
        options: Options = PLAIN,
    ) -> TurnFlow:
        if not all_played:
            return TURN_OVER
        if sorted(dice) == [1, 2]:
            return TurnFlow(choose_double=True, roll_again=True)
        is_double = dice[0] == dice[1]
        return TurnFlow(roll_again=is_double and options.extra_roll_on_doubles)
