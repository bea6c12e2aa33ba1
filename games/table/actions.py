"""The commands each seat may give now; `games.table.rights` decides it."""

from games.table.resigning import resignable_levels
from games.table.rights import rights
from games.table.state import TableState

__all__ = ["actions", "resignable_levels"]


def actions(state: TableState, seat: int) -> tuple[str, ...]:
    """The names of the commands that `seat` may give now, in the order they are shown."""
    return rights(state, seat).actions
