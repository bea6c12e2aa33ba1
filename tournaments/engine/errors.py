"""Refusals of the engine: what was wrong, and nothing has changed."""

from backgammon.rules.naming import gettext_noop
from games.table.errors import BadTerms
from kit.errors import Refusal


class TournamentError(Refusal):
    """A command that cannot be carried out now."""

    code = "tournament_error"


class BadTournamentTerms(BadTerms, TournamentError):
    """Terms that no tournament can have; `field` names the wrong one."""


class WrongTournamentPhase(TournamentError):
    """The tournament is not in the phase in which this can be done."""

    code = "wrong_phase"
    sentence = gettext_noop("The registration is closed.")
    staff_sentence = gettext_noop("The tournament has gone on: this is not possible any more.")


class NotEntered(TournamentError):
    """The player takes no part, or no longer."""

    code = "not_entered"
    sentence = gettext_noop("You have not entered.")


class Full(TournamentError):
    """All places are taken."""

    code = "full"
    sentence = gettext_noop("All places are taken.")


class NoSuchPairing(TournamentError):
    """There is no such pairing, or it cannot have this result."""

    code = "no_such_pairing"
    sentence = gettext_noop("There is no such match, or it has its result.")


class WouldUnravel(TournamentError):
    """A correction would change who played matches that have a result already.

    `numbers` are the pairings that no longer fit.
    """

    code = "would_unravel"
    sentence = gettext_noop("Later results rest on this one.")

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(f"pairings {', '.join(map(str, numbers))} rest on this result")
        self.numbers = numbers
