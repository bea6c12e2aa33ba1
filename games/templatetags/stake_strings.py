"""The words for what is at stake: in the panel, and before a game or a table is given up."""

from typing import Final

from django.utils.translation import gettext as _

from backgammon.rules.variants import ALL

#: the levels that have names: a single game, a gammon, a backgammon.
NAMED_LEVELS: Final = 3


def stake_words() -> dict[str, str]:
    """Every text about what an ending is worth."""
    return {**_panel(), **_levels_counted(), **_leaving()}


def _panel() -> dict[str, str]:
    """The rows under "At stake"."""
    return {
        "points_won": _("Points"),
        "after_take": _("After a take"),
        "you_win": _("You win"),
        "you_lose": _("You lose"),
        "name_wins": _("{name} wins"),
        "name_loses": _("{name} loses"),
        "up_to_limit": _("{list} (limit)"),
        "the_match": _("the match"),
    }


def _levels_counted() -> dict[str, str]:
    """The levels of variants that count the loser's checkers instead of naming gammons."""
    words = {"one": _("{count} checker left"), "other": _("{count} checkers left")}
    counting = [variant.key for variant in ALL if max(variant.levels) > NAMED_LEVELS]
    return {f"level_{key}_{form}": text for key in counting for form, text in words.items()}


def _leaving() -> dict[str, str]:
    """Resigning a game and leaving a table, with their price."""
    return {
        "resign_level": _("{level}: {worth}"),
        "resign_costs": _("If accepted, {name} wins {worth}."),
        "resign_costs_both": _("If accepted, you lose {amount} and {name} gains {gain}."),
        "resign_ends_match_one": _(
            "If accepted, {name} wins {count} point and the match is over. Your credits: {amount}."
        ),
        "resign_ends_match_other": _(
            "If accepted, {name} wins {count} points and the match is over. Your credits: {amount}."
        ),
        "resign_loses_match": _(
            "If accepted, {name} wins the match and your stake of {amount} is lost."
        ),
        "resign_now_one": _("Resign {count} point"),
        "resign_now_other": _("Resign {count} points"),
        "leave_match": _(
            "You forfeit the match: {name} wins the prize and you lose your stake of {amount}."
        ),
        "leave_match_free": _("You forfeit the whole match: {name} wins it."),
        "leave_drops": _("A double waits for your answer: leaving drops it."),
        "leave_points_one": _("You forfeit: {name} wins {count} point and you lose {amount}."),
        "leave_points_other": _("You forfeit: {name} wins {count} points and you lose {amount}."),
        "leave_free_one": _("You forfeit: {name} wins {count} point."),
        "leave_free_other": _("You forfeit: {name} wins {count} points."),
        "claim_match": _("{name} forfeits: you win the match and gain {amount}."),
        "claim_match_free": _("{name} forfeits: you win the match."),
        "claim_points_one": _("{name} forfeits: you win {count} point and gain {amount}."),
        "claim_points_other": _("{name} forfeits: you win {count} points and gain {amount}."),
        "claim_points_free_one": _("{name} forfeits: you win {count} point."),
        "claim_points_free_other": _("{name} forfeits: you win {count} points."),
        "leave_and_lose": _("Leave and lose {amount}"),
        "leave_now": _("Leave now"),
    }
