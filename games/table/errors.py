"""The errors of commands at a table, one class per cause, and why a command may not be given now.

The codes of `Reason` are part of the protocol: in `View.why_not`, and in the `reason` of a refusal.
"""

from enum import StrEnum

from backgammon.rules.naming import gettext_noop
from kit.errors import Refusal


class TableError(Refusal):
    """A command that the table refuses."""


class NotSeated(TableError):
    """The command needs a seat and its author has none at this table."""

    code = "not_seated"
    sentence = gettext_noop("You’re watching. Only the players can move.")


class NotYourTurn(TableError):
    """The decision belongs to the other player."""

    code = "not_your_turn"
    sentence = gettext_noop("It is not your turn.")


class WrongPhase(TableError):
    """The table is not in a phase in which this command means anything."""

    code = "wrong_phase"
    staff_sentence = gettext_noop("This match is already decided.")


class IllegalTablePlay(TableError):
    """The moves are not a complete legal play of these dice."""

    code = "illegal_play"
    sentence = gettext_noop("That play is not legal.")


class MayNotDouble(TableError):
    """This player may not double now; `fields["reason"]` has the reason."""

    code = "may_not_double"
    sentence = gettext_noop("You may not double now.")


class MayNotResign(TableError):
    """A resignation at this level cannot be offered now."""

    code = "may_not_resign"
    sentence = gettext_noop("You can’t resign for that much now.")


class BadSetup(TableError):
    """A game cannot begin from this position; `fields["field"]` names what is wrong."""

    code = "bad_setup"


class OnlyInPractice(TableError):
    """Hints and taking back belong to practice; this table is played for something."""

    code = "only_in_practice"


class MatchOver(TableError):
    """The match has ended and takes no more commands."""

    code = "match_over"
    sentence = gettext_noop("The match is over.")
    staff_sentence = gettext_noop("This match is already decided.")


class MatchBegun(WrongPhase):
    """A table is closed before its match begins."""

    sentence = gettext_noop("The match has begun; the table cannot be closed any more.")


class ClosedAlready(MatchOver):
    """The table was closed before."""

    sentence = gettext_noop("This table is closed already.")


class TableFull(TableError):
    """Somebody else took the seat."""

    code = "table_full"
    sentence = gettext_noop("Somebody else sat down at this table first.")


class OwnTable(TableError):
    """A player cannot take the second seat of a table they opened."""

    code = "own_table"
    sentence = gettext_noop("This is your own table: somebody else has to sit down.")


class TimeOver(TableError):
    """A time limit of the table passed before the command came."""

    code = "time_over"
    sentence = gettext_noop("Your time had run out.")


class TooEarly(TableError):
    """The win cannot be claimed yet; `fields["claim_ms"]` is the time from which it can."""

    code = "too_early"
    sentence = gettext_noop("Your opponent may still come back.")


class ImpossibleResult(TableError):
    """No way of playing on leads to this result."""

    code = "impossible_result"
    staff_sentence = gettext_noop("The match can no longer have this result. Choose again.")


class NothingDue(TableError):
    """A wake-up came although no time limit of the table has passed."""

    code = "nothing_due"


class BadTerms(TableError):
    """A table cannot be opened on these terms."""

    code = "bad_terms"
    sentence = gettext_noop("The house does not offer a table on these terms.")


class Later(TableError):
    """Refused for a while; `fields["until_ms"]` is the end (milliseconds since 1970)."""

    code = "later"


class Busy(TableError):
    """A row that is needed has been locked for too long; try again."""

    code = "busy"
    sentence = gettext_noop("The server is busy. Please try again.")
    staff_sentence = gettext_noop("The table is busy at the moment. Try again.")


class Reason(StrEnum):
    """Why a player may not give a command now; docs/protocol.md explains every code."""

    __hash__ = str.__hash__  # that of Enum is a call in Python, and each view hashes some of them

    # the cube, as in `backgammon.rules.cube.CubeRefusal`
    NO_CUBE = "no_cube"
    NOT_YOURS = "not_yours"
    FIRST_TURN = "first_turn"
    CRAWFORD = "crawford"
    HOLLAND = "holland"
    CAP = "cap"
    DEAD = "dead"
    LIMIT = "limit"
    NOT_AGREED = "not_agreed"

    # whose decision it is, and which
    NOT_YOUR_TURN = "not_your_turn"
    WAITING_FOR_ANSWER = "waiting_for_answer"
    WAITING_FOR_DICE = "waiting_for_dice"
    ROLL_FIRST = "roll_first"
    DICE_ON_BOARD = "dice_on_board"
    NAME_FIRST = "name_first"
    ANSWER_FIRST = "answer_first"
    NO_OFFER = "no_offer"
    NOTHING_TO_NAME = "nothing_to_name"

    # the course of the match
    NO_OPPONENT = "no_opponent"
    BEFORE_FIRST_ROLL = "before_first_roll"
    DICE_HAVE_FALLEN = "dice_have_fallen"
    GAME_RUNNING = "game_running"
    BETWEEN_GAMES = "between_games"
    ALREADY_READY = "already_ready"
    MATCH_RUNNING = "match_running"
    ALREADY_OFFERED = "already_offered"
    MATCH_OVER = "match_over"
    TABLE_CLOSED = "table_closed"

    # resigning, claiming the win, practice
    REFUSED_LEVEL = "refused_level"
    JACOBY = "jacoby"
    OUT_OF_REACH = "out_of_reach"
    DECIDED = "decided"
    NO_SUCH_LEVEL = "no_such_level"
    NOBODY_ABSENT = "nobody_absent"
    TOO_EARLY = "too_early"
    ONLY_IN_PRACTICE = "only_in_practice"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
