"""A locked table at work: the engine decides, and what follows is stored in one transaction.

Locks: the table first, then the books (docs/locking.md).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

import msgspec

from games.broadcast import publish_on_commit
from games.chouette.engine import events as ev
from games.chouette.engine.state import State, evolve
from games.chouette.engine.table import Chouette
from games.chouette.engine.terms import ChouetteTerms
from games.chouette.errors import NotAtChouette
from games.chouette.models import Circle, CircleEvent, Game, Place
from games.chouette.pace import PAUSE_MS, Pace
from games.modes.terms import Terms as TableTerms
from games.selectors import terms_offered
from games.services.house_bots import bot_strengths
from kit.database import database_now_ms, moment
from kit.journal import Journal

#: where it is published that the list of open tables has changed.
LIST_CHANNEL: Final = "chouettes"


def channel(circle_id: object) -> str:
    """The name of a table's channel."""
    return f"chouette:{circle_id}"


def terms_of(circle: Circle) -> ChouetteTerms:
    """The engine's terms of a table."""
    return msgspec.convert(circle.terms, ChouetteTerms)


def as_staked(circle: Circle) -> TableTerms:
    """The terms of a table for two with the limit as its stake: the same people may play."""
    return msgspec.structs.replace(terms_offered(mode="normal"), stake_cents=circle.limit_cents)


JOURNAL: Final = Journal[Circle, State](
    events=CircleEvent,
    owner="circle",
    event=ev.AnyEvent,
    state=State,
    begin=lambda circle: State(terms=terms_of(circle)),
    evolve=evolve,
)
state_of = JOURNAL.stored


def pace_of(circle: Circle) -> Pace:
    """The pace cached in the row."""
    return msgspec.convert(circle.pace, Pace, strict=False)


class Work:
    """One transaction's work on a locked table; `store` writes what has changed.

    `booking` is what is left to be done in the books, as the last thing of the transaction; `bots`
    are the house bots at the table with their strengths, `paced` is how many of the new events the
    pace has followed, and `has_parts` whether somebody gave a part in the dice.
    """

    def __init__(self, circle: Circle) -> None:
        self.circle = circle
        self.now_ms = database_now_ms()
        self.engine = Chouette(terms_of(circle), state=state_of(circle))
        self.pace = pace_of(circle)
        self.booking: Callable[[], None] | None = None
        bots = Place.objects.filter(circle=circle, is_bot=True, stood_up_at=None)
        self.bots = bot_strengths(bots.values_list("user_id", flat=True))
        self.paced = 0
        self.has_parts = False
        self._game: Game | None = None
        self._before = (self.pace, circle.wake_at, circle.closed_at)
        self._listed_before = self._listed

    @property
    def now(self) -> datetime:
        """The database's time as this work began."""
        return moment(self.now_ms)

    @property
    def state(self) -> State:
        """The engine's state."""
        return self.engine.state

    @property
    def seq(self) -> int:
        """The number of the newest event, stored or not."""
        return self.circle.seq + len(self.engine.journal)

    @property
    def game(self) -> Game:
        """The row of the running game."""
        if self._game is None:
            self._game = self.circle.games.get(ended_at=None)
        return self._game

    @game.setter
    def game(self, game: Game) -> None:
        self._game = game

    @property
    def _listed(self) -> tuple[object, ...]:
        """All that changes in a row of the list of open tables (`games.chouette.selectors`)."""
        return frozenset(self.state.people), self.state.games, self.circle.closed_at

    def seated_check(self, user_id: int) -> None:
        """Raise `NotSeated` for somebody who does not sit here."""
        if user_id not in self.state.people:
            raise NotAtChouette("you do not sit at this table")

    def put_off(self) -> None:
        """Let the next game wait once more."""
        if self.pace.next_game_ms is not None:
            self.set_pace(next_game_ms=self.now_ms + PAUSE_MS)

    def set_pace(self, **changes: object) -> None:
        """Change the pace."""
        self.pace = msgspec.structs.replace(self.pace, **changes)

    def store(self, wake_at: datetime | None) -> None:
        """Write the new events, the caches, and when to wake; move credits; publish.

        Where nothing has changed nothing is written or published; parts in the dice are stored with
        the game, and published.
        """
        circle, new = self.circle, self.engine.journal
        changed = bool(new) or (self.pace, wake_at, circle.closed_at) != self._before
        if changed or self.has_parts:
            publish_on_commit(channel(circle.pk), {"type": "changed"})
        if not changed:
            return
        JOURNAL.append(circle, new, self.state)
        circle.pace = msgspec.to_builtins(self.pace, str_keys=True)
        circle.wake_at = wake_at
        fields = ["seq", "state", "pace", "wake_at"]
        circle.save(update_fields=[*fields, "closed_at"] if circle.closed_at else fields)
        if self.booking is not None:
            self.booking()
        if self._listed != self._listed_before:
            publish_on_commit(LIST_CHANNEL, {"type": "changed"})
