"""A locked tournament at work: the engine decides, and what follows is stored in one transaction.

Locks: the tournament first, then tables, then the books (docs/locking.md).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from games.modes.terms import Terms as TableTerms
from games.services.commit import locking
from kit.database import database_now_ms, moment
from tournaments.engine import events as ev
from tournaments.engine.errors import TournamentError
from tournaments.engine.terms import TournamentTerms
from tournaments.engine.tournament import TournamentJournal as Engine
from tournaments.engine.tournament import replayed
from tournaments.errors import NoSuchTournament, TournamentRefused
from tournaments.models import Tournament, TournamentEvent
from tournaments.services.news import change_tell

#: the events that the calendar shows, beside beginnings and ends
LISTED: Final = (ev.Entered, ev.Withdrew)


def terms_of(tournament: Tournament) -> TournamentTerms:
    """The engine's terms of a tournament."""
    return TournamentTerms(**tournament.terms)


def table_terms_of(tournament: Tournament) -> TableTerms:
    """The terms of its tables, which say whether it has anything of value to win."""
    terms = msgspec.convert(tournament.table_terms, TableTerms)
    return msgspec.structs.replace(terms, for_prize=tournament.has_value)


def engine_of(tournament: Tournament) -> Engine:
    """The engine, by replay of the stored journal."""
    rows = tournament.events.order_by("seq").values_list("payload", flat=True)
    return replayed(terms_of(tournament), [ev.from_payload(payload) for payload in rows])


class TournamentWork:
    """One transaction's work on a locked tournament; `store` writes the new events.

    `moved` is set where something else changes that everybody sees: a table opened, a new call.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.now_ms = database_now_ms()
        self.engine = engine_of(tournament)
        self._stored = self._kept = len(self.engine.journal)
        self.moved = False

    @property
    def now(self) -> datetime:
        """The database's time as this work began."""
        return moment(self.now_ms)

    @property
    def news(self) -> list[ev.JournalEvent]:
        """The events that came and are not stored."""
        return self.engine.journal[self._stored :]

    def unkept(self) -> list[ev.JournalEvent]:
        """The events since the last call, for rows that follow from them."""
        new, self._kept = self.engine.journal[self._kept :], len(self.engine.journal)
        return new

    def store(self) -> None:
        """Write the new events, the phase, and when to wake; report it after the commit."""
        row = self.tournament
        new = self.news
        TournamentEvent.objects.bulk_create(
            TournamentEvent(
                tournament=row, seq=self._stored + number, payload=msgspec.to_builtins(event)
            )
            for number, event in enumerate(new, start=1)
        )
        self._stored = row.seq = len(self.engine.journal)
        began_or_ended = row.phase != self.engine.state.phase
        row.phase = self.engine.state.phase
        row.save()
        if new or self.moved:
            change_tell(row, listed=began_or_ended or any(isinstance(each, LISTED) for each in new))
            self.moved = False


def tournament_lock(tournament_id: UUID, *, skip: bool = False) -> Tournament | None:
    """The row, locked until the transaction ends; with `skip` None where somebody else has it.

    Raises `NoSuchTournament`, `Busy`.
    """
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=skip)
    with locking("tournament"):
        found = rows.filter(pk=tournament_id).first()
    if found is None and not skip:
        raise NoSuchTournament("there is no such tournament")
    return found


@contextmanager
def refusals_named() -> Iterator[None]:
    """Raise refusals of the engine with their codes, as the faces expect them."""
    try:
        yield
    except TournamentError as error:
        raise TournamentRefused(str(error), code=error.code) from error
