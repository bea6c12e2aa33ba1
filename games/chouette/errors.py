"""Refusals of the services: what was wrong, and nothing has changed."""

from games.table.errors import TableError


class NoSuchChouette(TableError):
    """There is no such table."""

    code = "no_such_chouette"


class ChouetteRefused(TableError):
    """The engine refuses the command; `code` is its reason."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


class ChouetteStale(TableError):
    """The decision that the command answers is not due any more; the view is old."""

    code = "stale"


class Closed(TableError):
    """The table is closed."""

    code = "chouette_closed"


class GameOver(TableError):
    """The game has ended, and its stakes are paid."""

    code = "game_over"


class CrewSilent(TableError):
    """This person may not write to the crew of that game now; the message was sent to nobody."""

    code = "crew_silent"


class SitsElsewhere(TableError):
    """A person sits at one chouette at a time, `fields["circle"]`."""

    code = "sits_elsewhere"


class ChouetteStakeNotPossible(TableError):
    """The player's stake for a game cannot go into escrow; `fields["reason"]` is the books'."""

    code = "stake_not_possible"
