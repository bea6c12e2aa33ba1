"""How a game begins: as its variant has it, or from a position."""

from typing import Final

import msgspec

from backgammon.rules.cube import Cube
from backgammon.rules.variant import Variant
from games.table import events as ev
from games.table.setup import Setup
from games.table.state import Game

#: both sides count as having had a turn, so no rule about first turns applies.
TURNS_BEFORE: Final = (1, 1)


def setup_of(event: ev.PositionSet) -> Setup:
    """The position in an event."""
    return Setup(
        position=event.position,
        on_roll=event.on_roll,
        cube_value=event.cube_value,
        cube_owner=event.cube_owner,
        score=event.score,
        crawford=event.crawford,
    )


def game_begun(event: ev.GameStarted, setup: Setup | None, variant: Variant) -> Game:
    """The game as it begins; the first one of a match from its position, where it has one."""
    game = Game(
        number=event.game,
        starter=event.starter,
        crawford=event.crawford,
        position=variant.start,
        on_roll=0 if event.starter is None else event.starter,
        cube=Cube(),
    )
    if setup is None or event.game > 1:
        return game
    return msgspec.structs.replace(
        game,
        position=setup.seen(variant.way),
        cube=setup.cube,
        turns=TURNS_BEFORE,
        double_taken=setup.cube_owner is not None,
    )
