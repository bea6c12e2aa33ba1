"""Refusals of the engine: what was wrong, and nothing has changed."""


class ChouetteError(Exception):
    """A command that cannot be carried out now."""

    code = "chouette_error"


class NotNow(ChouetteError):
    """Something else is due first; `phase` of the state says what."""

    code = "wrong_phase"


class NotYours(ChouetteError):
    """The decision belongs to somebody else, or is made already."""

    code = "not_your_turn"


class NotAtThisTable(ChouetteError):
    """The player does not sit at this table."""

    code = "not_seated"


class NoSeat(ChouetteError):
    """The player sits here already, or all places are taken."""

    code = "no_seat"


class BadAnswer(ChouetteError):
    """An answer or a play that the rules do not allow."""

    code = "bad_answer"
