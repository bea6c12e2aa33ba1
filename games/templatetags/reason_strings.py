"""Why a player may not do something now, in words: a text for each `games.table.reasons.Reason`."""

from django.utils.translation import gettext as _

from games.settlement import NO_STAKES


def reason_words() -> dict[str, str]:
    """Return the texts by `why_` and the reason; they are short enough for a line on a phone."""
    return {
        **_cube(),
        **_turns(),
        **_course(),
        **_others(),
        **{f"rejected_stake_{code}": _(text) for code, text in NO_STAKES.items()},
        "not_possible": _("Not possible now: {reason}"),
        "auto_rolled": _("Rolled automatically: {reason}"),
        "why_no_take_back": _("Nothing to take back."),
        "why_no_double": _("No double: {reason}"),
        "why_no_beaver": _("No beaver: {reason}"),
        "why_no_raccoon": _("No raccoon: {reason}"),
        "why_no_resigning": _("No resigning: {reason}"),
        "why_no_level": _("{level}: {reason}"),
    }


def _cube() -> dict[str, str]:
    return {
        "why_no_cube": _("there is no cube."),
        "why_not_yours": _("you do not own the cube."),
        "why_first_turn": _("it is the first turn of the game."),
        "why_crawford": _("it is the Crawford game."),
        "why_holland": _("Holland rule, both roll twice first."),
        "why_cap": _("the cube is at its highest value."),
        "why_dead": _("winning this game wins the match anyway."),
        "why_limit": _("the cube has reached the limit."),
        "why_not_agreed": _("it was not agreed."),
    }


def _turns() -> dict[str, str]:
    return {
        "why_not_your_turn": _("it is not your turn."),
        "why_waiting_for_answer": _("your opponent has to answer."),
        "why_waiting_for_dice": _("the dice are on their way."),
        "why_roll_first": _("roll first."),
        "why_dice_on_board": _("you have rolled already."),
        "why_name_first": _("choose a double first."),
        "why_answer_first": _("answer the offer first."),
        "why_no_offer": _("nothing was offered."),
        "why_nothing_to_name": _("there is no double to choose."),
    }


def _course() -> dict[str, str]:
    return {
        "why_no_opponent": _("your opponent hasn’t sat down yet."),
        "why_before_first_roll": _("the first roll hasn’t been made yet."),
        "why_dice_have_fallen": _("the dice have already been rolled."),
        "why_game_running": _("the game is still being played."),
        "why_between_games": _("the next game has not begun yet."),
        "why_already_ready": _("you are ready already."),
        "why_match_running": _("the match is still being played."),
        "why_already_offered": _("you have offered it already."),
        "why_match_over": _("the match is over."),
        "why_table_closed": _("the table is closed."),
    }


def _others() -> dict[str, str]:
    return {
        "why_refused_level": _("already refused this turn."),
        "why_jacoby": _("counts only after a double (Jacoby)."),
        "why_out_of_reach": _("you cannot lose that much any more."),
        "why_decided": _("a lower result gives as much."),
        "why_no_such_level": _("isn’t possible in this variant."),
        "why_nobody_absent": _("your opponent is here."),
        "why_too_early": _("your opponent may still come back."),
        "why_only_in_practice": _("only in practice."),
        "why_nothing_to_take_back": _("there is nothing to take back."),
    }
