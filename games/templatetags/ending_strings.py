"""The words for how games, matches and sessions end, and for the card that shows it."""

from django.utils.translation import gettext as _


def ending_words() -> dict[str, str]:
    """Every text about an ending."""
    return {**_endings(), **_session_endings(), **_result()}


def _endings() -> dict[str, str]:
    """How games end, in words."""
    return {
        "level_1": _("single game"),
        "level_2": _("gammon"),
        "level_3": _("backgammon"),
        "with_cube": _("cube on {value}"),
        "ending_borne_off": _("All checkers borne off"),
        "ending_double_dropped": _("Double dropped"),
        "ending_resigned": _("Resigned"),
        "ending_left": _("Table left"),
        "ending_time_over": _("Out of time"),
        "ending_absent": _("Away too long"),
        "ending_voided": _("Voided"),
        "ending_stood_up": _("Left the seat before the first roll"),
        "ending_adjudicated": _("Decided by the administrators"),
        "ending_stopped": _("Stopped between two games"),
        "ending_lapsed": _("Not both ready in time"),
        "ending_bank_short": _("Bank too small for another game"),
        "match_ending_adjudicated": _("The administrators decided this match."),
        "match_ending_drawn": _("The match is a tie. Ratings do not change."),
        "match_ending_left": _("{name} left and forfeits the match."),
        "match_ending_left_you": _("You left and forfeit the match."),
        "match_ending_time_over": _("A player ran out of time and forfeits the match."),
        "match_ending_absent": _(
            "A player was away for too long on their turn and forfeits the match."
        ),
        "match_ending_stood_up": _(
            "A player left their seat before the first roll. Both stakes were returned in full;"
            " ratings do not change."
        ),
        "match_ending_stood_up_free": _(
            "A player left their seat before the first roll. The match does not count."
        ),
        "match_ending_stood_up_tournament": _(
            "A player was not there for the first roll and loses this match of the tournament."
        ),
        "match_ending_voided_free": _("The match was voided and does not count."),
        "match_ending_voided": _(
            "The match was voided. Both stakes were returned in full; ratings do not change."
        ),
    }


def _session_endings() -> dict[str, str]:
    """How sessions end, in words."""
    return {
        "session_over": _("The session is over"),
        "session_ending_stopped": _("A player stopped between two games."),
        "session_ending_lapsed": _("The players were not both ready in time; that costs nothing."),
        "session_ending_bank_short": _("A bank no longer covers another game."),
        "session_ending_left": _(
            "The table was left during a game. That game is lost, and the session is over."
        ),
        "session_ending_time_over": _(
            "The clock ran out. That game is lost, and the session is over."
        ),
        "session_ending_absent": _(
            "A player was away on their own turn for too long. That game is lost, and the session"
            " is over."
        ),
        "session_ending_adjudicated": _("The administrators decided how this session ends."),
        "leave_ends_session": _(
            "Then the session is over, and what is left of both banks is paid."
        ),
    }


def _result() -> dict[str, str]:
    """The card at the end of a match."""
    return {
        "match_won": _("You win the match {me} : {op}"),
        "match_lost": _("You lose the match {me} : {op}"),
        "match_won_forfeit": _("You win the match"),
        "match_lost_forfeit": _("You lose the match"),
        "match_won_by": _("{name} wins the match {me} : {op}"),
        "match_void": _("No result"),
        "match_not_played": _("Not played"),
        "match_drawn": _("A tie"),
        "rematch": _("Rematch"),
        "again_from_here": _("Again from here"),
        "accept_rematch": _("Accept the rematch"),
        "no_rematch": _("The table is closed; no rematch here."),
        "wants_rematch": _("{name} wants a rematch"),
        "rematch_waits": _("Waiting for {name} to accept"),
        "rematch_needs": _("You need {missing} more for a rematch."),
        "free_of_charge": _("free"),
        "result_gain": _("You gain"),
        "result_lose": _("You lose"),
        "pot_both": _("Pot: your stake and that of {name}"),
        "banks_both": _("Both banks at the start"),
        "stake_in_escrow": _("Your stake in escrow"),
        "stake_at_start": _("Your stake, paid at the start"),
        "stake_back": _("Your stake, back in full"),
        "won_from": _("Won from {name}"),
        "lost_to": _("Lost to {name}"),
        "back_to_you": _("Back to you"),
        "paid_to_you": _("Paid to you"),
        "paid_to_name": _("Paid to {name}"),
        "new_balance": _("New balance"),
        "capped_sum_one": _("{count} point × {rate} = {sum}, capped at the limit of {limit}."),
        "capped_sum_other": _("{count} points × {rate} = {sum}, capped at the limit of {limit}."),
        "rake_is_theirs": _(
            "The rake comes out of the win of {name}, who receives {received} of your {lost}."
            " You pay nothing on top."
        ),
        "share_you": _("to you {amount}"),
        "share_name": _("to {name} {amount}"),
        "share_rake": _("rake {amount}"),
        "rating": _("Rating"),
        "rating_of": _("Rating of {name}"),
        "rating_was": _("was {before}"),
        "rating_other": _("{name}: {before} → {after}"),
        "unrated_practice": _("Practice: not rated."),
        "unrated_guest": _("Not rated: you played as a guest."),
        "unrated_because": _(
            "Not rated: a guest took part, both have logged in from one browser or network, or the"
            " same two players have already had all their rated matches within 24 hours."
        ),
    }
