"""A locked tournament at work: the engine decides, and what follows is stored in one transaction.

Locks: the tournament first, then tables, then the books (docs/locking.md). Reports of a change
carry no state, and go out after the commit; sockets pass them on (`tournaments/live.py`).
"""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from games.broadcast import publish, publish_on_commit
from games.modes.terms import Terms as TableTerms
from games.services.commit import row_lock
from games.wire import encode
from kit.database import database_now_ms, moment
from kit.events import TimedEvent
from kit.journal import Journal
from tournaments.engine import events as ev
from tournaments.engine.state import TournamentState, evolve
from tournaments.engine.terms import TournamentTerms
from tournaments.engine.tournament import TournamentJournal
from tournaments.errors import NoSuchTournament
from tournaments.models import Meeting, Tournament, TournamentEvent

#: the channel of the calendar and of the sit-and-gos that fill
CALENDAR_CHANNEL: Final = "tournaments"


def channel(tournament_id: object) -> str:
    """The name of a tournament's channel."""
    return f"tournament:{tournament_id}"


def change_tell(tournament: Tournament, *, listed: bool) -> None:
    """Report a change to those who follow the tournament, once it is committed.

    `listed`: the calendar shows it as well.
    """
    publish_on_commit(channel(tournament.pk), changed(tournament.seq))
    if listed:
        publish_on_commit(CALENDAR_CHANNEL, changed())


def score_tell(table_id: UUID) -> None:
    """Report the end of a game to those who follow the tournament of its table."""
    found = Meeting.objects.filter(table=table_id, undone=False)
    row = found.values_list("tournament", "tournament__seq").first()
    if row is not None:
        publish(channel(row[0]), encode(changed(row[1])))


def changed(seq: int | None = None) -> dict[str, str | int]:
    """The frame; `seq` is the number of the newest event of the tournament."""
    return {"type": "changed"} if seq is None else {"type": "changed", "seq": seq}


#: the events that the calendar shows, beside beginnings and ends
LISTED: Final = (ev.Entered, ev.Withdrew)


def terms_of(tournament: Tournament) -> TournamentTerms:
    """The engine's terms of a tournament."""
    return TournamentTerms(**tournament.terms)


def table_terms_of(tournament: Tournament) -> TableTerms:
    """The terms of its tables, which say whether it has anything of value to win."""
    terms = msgspec.convert(tournament.table_terms, TableTerms)
    return msgspec.structs.replace(terms, for_prize=tournament.has_value)


JOURNAL: Final = Journal[Tournament, TournamentState](
    events=TournamentEvent,
    owner="tournament",
    event=ev.AnyEvent,
    state=TournamentState,
    begin=lambda tournament: TournamentState(terms=terms_of(tournament)),
    evolve=evolve,
)
state_of = JOURNAL.stored


class TournamentWork:
    """One transaction's work on a locked tournament; `store` writes the new events.

    `moved` is set where something else changes that everybody sees: a table opened, a new call.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.now_ms = database_now_ms()
        self.engine = TournamentJournal(terms_of(tournament), state_of(tournament))
        self._kept = 0
        self.moved = False

    @property
    def now(self) -> datetime:
        """The database's time as this work began."""
        return moment(self.now_ms)

    def unkept(self) -> list[TimedEvent]:
        """The events since the last call, for rows that follow from them."""
        new, self._kept = self.engine.journal[self._kept :], len(self.engine.journal)
        return new

    def store(self) -> None:
        """Write the new events, the state, and when to wake; report it after the commit."""
        row, state, new = self.tournament, self.engine.state, self.engine.journal
        JOURNAL.append(row, new, state)
        began_or_ended = row.phase != state.phase
        row.phase = state.phase
        row.save()
        if new or self.moved:
            change_tell(row, listed=began_or_ended or any(isinstance(each, LISTED) for each in new))
        self.engine.journal, self._kept, self.moved = [], 0, False


def tournament_lock(tournament_id: UUID) -> Tournament:
    """The row, locked until the transaction ends. Raises `NoSuchTournament`, `Busy`."""
    return row_lock(Tournament, tournament_id, NoSuchTournament)
