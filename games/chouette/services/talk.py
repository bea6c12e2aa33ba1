"""The talk of a chouette: to everybody at the table, or to the crew of the running game alone.

What is written to the crew is for the people who are its team at that moment, for good. It names
the game that its author saw, and is stored under the table's lock: so it never reaches the crew of
another game, and no game can begin or end between the choice of its readers and its commit. The
box of a game never receives a line of its crew, in that game or later.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from games.chouette.engine.rights import crew_of, may_confer
from games.chouette.errors import CrewSilent, NoSuchChouette, NotAtChouette
from games.chouette.models import Circle
from games.chouette.services.store import state_of
from games.services.chat import Address, Heard
from games.services.commit import row_lock

TO_TABLE: Final = "everybody"
TO_CREW: Final = "crew"


@dataclass(frozen=True, slots=True)
class CircleRoom:
    """The talk at a chouette."""

    circle_id: UUID

    @property
    def key(self) -> str:
        """The table's name among all rooms."""
        return f"chouette:{self.circle_id}"

    @property
    def place(self) -> Mapping[str, Any]:
        """Messages name their room."""
        return {"room": self.key}

    def seats(self) -> tuple[int | None, int | None]:
        """Nobody: watchers of a chouette do not write."""
        return None, None

    def is_open_to(self, _user_id: int | None, /) -> bool:
        """Everybody may watch a chouette."""
        return True

    def admit(self, user_id: int, to: Address) -> Heard:
        """Raises `NoSuchChouette`, `Busy`, `NotSeated`, `CrewSilent`; `ValueError` for others."""
        if to.audience not in (TO_TABLE, TO_CREW):
            raise ValueError(f"a message at a chouette names its audience, not {to.audience!r}")
        state = state_of(row_lock(Circle, self.circle_id, NoSuchChouette))
        if user_id not in state.people:
            raise NotAtChouette("those who sit at this table talk here")
        if to.audience != TO_CREW:
            return Heard(audience="everybody")
        game = state.game
        if game is None or game.number != to.game or not may_confer(state, user_id):
            raise CrewSilent("you may not write to the crew of this game now")
        return Heard(audience="crew", readers=crew_of(state))
