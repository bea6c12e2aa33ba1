"""Gul Bara, "the crazy game": a double sets off a chain of all higher doubles."""

from collections.abc import Sequence

from backgammon.rules.families import Blocking
from backgammon.rules.naming import gettext_noop
from backgammon.rules.variant import PLAIN, TURN_OVER, Options, TurnFlow

_PLAIN_TURNS = 3


class GulBara(Blocking):
    """Blocking without further rules; from the fourth own turn on d-d runs on up to 6-6."""

    key = "gul_bara"
    name = gettext_noop("Gul Bara")

    def flow(
        self,
        dice: Sequence[int],
        *,
        all_played: bool,
        own_turns_before: int,
        options: Options = PLAIN,
    ) -> TurnFlow:
        if not all_played or dice[0] != dice[1] or own_turns_before < _PLAIN_TURNS:
            return TURN_OVER
        return TurnFlow(rolls=tuple((face, face) for face in range(dice[0] + 1, 7)))
