"""A process that sends one part of the dice and dies at a chosen moment.

    python -m tests.services.dying MOMENT TABLE USER FRAME

FRAME is the JSON of a frame about the dice, or of a command that rolls. The moments are those of
`MOMENTS`; the dice that were drawn are written to standard output, which only the test reads.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from uuid import UUID

MOMENTS = ("asked", "drawn", "stored", "committed")


def die(*_: Any, **__: Any) -> None:
    """End as a power cut would."""
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


def telling(draw: Callable[..., tuple[int, ...]], *, last: bool) -> Callable[..., tuple[int, ...]]:
    """Draw, print the dice, and die if this is the chosen moment."""

    def told(dice: Any, state: Any) -> tuple[int, ...]:
        drawn = draw(dice, state)
        sys.stdout.write(" ".join(map(str, drawn)) + "\n")
        if last:
            die()
        return drawn

    return told


def main(moment: str, table: str, user: str, text: str) -> None:
    """Handle the frame up to the moment."""
    import django

    django.setup()
    from django.db.backends.base.base import BaseDatabaseWrapper

    from games import broadcast
    from games.services.dice.fair import FairDice
    from games.services.dice_parts import dice_part_give
    from games.services.tables import table_command
    from games.wire import CommandFrame, parse_client

    frame = parse_client(text)
    patches = [patch.object(FairDice, "draw", telling(FairDice.draw, last=moment == "drawn"))]
    if moment == "stored":
        patches.append(patch.object(BaseDatabaseWrapper, "commit", die))
    elif moment in ("asked", "committed"):
        patches.append(patch.object(broadcast, "publish", die))
    for each in patches:
        each.start()
    if isinstance(frame, CommandFrame):
        table_command(
            table_id=UUID(table),
            user_id=int(user),
            command_id=frame.id,
            seen_seq=frame.seq,
            command=frame.command,
        )
    else:
        dice_part_give(table_id=UUID(table), user_id=int(user), frame=frame)
    die()


if __name__ == "__main__":
    main(*sys.argv[1:])
