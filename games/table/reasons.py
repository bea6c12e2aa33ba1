"""Why a player may not give a command now: the codes, which are part of the protocol.

They are in `View.why_not`, and in the `reason` of a command that was refused.
"""

from enum import StrEnum


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
