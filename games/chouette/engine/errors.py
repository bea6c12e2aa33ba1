"""Refusals of the engine: what was wrong, and nothing has changed."""

from backgammon.rules.naming import gettext_noop
from games.table.errors import TableError


class ChouetteError(TableError):
    """A command that cannot be carried out now."""

    code = "chouette_error"


class NotNow(ChouetteError):
    """Something else is due first; `phase` of the state says what."""

    code = "wrong_phase"


class NotYours(ChouetteError):
    """The decision belongs to somebody else, or is made already."""

    code = "not_your_turn"
    sentence = gettext_noop("Somebody else decides now.")


class NotAtThisTable(ChouetteError):
    """The player does not sit at this table."""

    code = "not_seated"
    sentence = gettext_noop("You do not sit at this table.")


class NoSeat(ChouetteError):
    """The player sits here already, or all places are taken."""

    code = "no_seat"
    sentence = gettext_noop("All places are taken.")


class BadAnswer(ChouetteError):
    """An answer or a play that the rules do not allow."""

    code = "bad_answer"
    sentence = gettext_noop("The rules do not allow that.")
