"""Refusals of the services, beside those of the engine (`tournaments/engine/errors.py`)."""

from games.table.errors import TableError


class NoSuchTournament(TableError):
    """There is no tournament with this id."""

    code = "no_such_tournament"


class FeeNotPossible(TableError):
    """The entry fee cannot go into escrow; `fields["reason"]` says why."""

    code = "insufficient_credits"


class PlaysNow(TableError):
    """The player has a running match of this tournament; leaving its table forfeits it."""

    code = "plays_now"


class PaidByTheHouse(TableError):
    """Only the house holds tournaments with an entry fee."""

    code = "paid_by_the_house"


class OwnTournaments(TableError):
    """One person holds so many open tournaments at most."""

    code = "tournaments_too_many"


class Refused(TableError):
    """A refusal of the engine, with its code."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code
