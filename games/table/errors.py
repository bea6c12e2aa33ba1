"""The errors of commands at a table, one class per cause."""


class TableError(Exception):
    """A command that the table refuses; `code` is what programs read, the text is for people."""

    code = "refused"

    def __init__(self, message: str, **fields: object) -> None:
        super().__init__(message)
        self.fields = fields


class NotSeated(TableError):
    """The command needs a seat and its author has none at this table."""

    code = "not_seated"


class NotYourTurn(TableError):
    """The decision belongs to the other player."""

    code = "not_your_turn"


class WrongPhase(TableError):
    """The table is not in a phase in which this command means anything."""

    code = "wrong_phase"


class IllegalTablePlay(TableError):
    """The moves are not a complete legal play of these dice."""

    code = "illegal_play"


class MayNotDouble(TableError):
    """This player may not double now; `fields["reason"]` has the reason."""

    code = "may_not_double"


class MayNotResign(TableError):
    """A resignation at this level cannot be offered now."""

    code = "may_not_resign"


class BadSetup(TableError):
    """A game cannot begin from this position; `fields["field"]` names what is wrong."""

    code = "bad_setup"


class OnlyInPractice(TableError):
    """Hints and taking back belong to practice; this table is played for something."""

    code = "only_in_practice"


class MatchOver(TableError):
    """The match has ended and takes no more commands."""

    code = "match_over"


class TableFull(TableError):
    """Somebody else took the seat."""

    code = "table_full"


class OwnTable(TableError):
    """A player cannot take the second seat of a table they opened."""

    code = "own_table"


class TimeOver(TableError):
    """A time limit of the table passed before the command came."""

    code = "time_over"


class TooEarly(TableError):
    """The win cannot be claimed yet; `fields["claim_ms"]` is the time from which it can."""

    code = "too_early"


class ImpossibleResult(TableError):
    """No way of playing on leads to this result."""

    code = "impossible_result"


class NothingDue(TableError):
    """A wake-up came although no time limit of the table has passed."""

    code = "nothing_due"


class BadTerms(TableError):
    """A table cannot be opened on these terms."""

    code = "bad_terms"


class Later(TableError):
    """Refused for a while; `fields["until_ms"]` is the end (milliseconds since 1970)."""

    code = "later"


class Busy(TableError):
    """A row that is needed has been locked for too long; try again."""

    code = "busy"
