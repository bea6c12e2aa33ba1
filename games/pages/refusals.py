"""Messages for players when a service refuses, by the code of the error."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.services.bars import Barred
from games.services.tables import StakeNotPossible
from games.table.errors import Later, TableError
from games.templatetags.reason_strings import NO_STAKES

REFUSALS: Final = {
    **NO_STAKES,
    "insufficient_credits": gettext_lazy("You do not have enough credits for this stake."),
    "bots_play_normal": gettext_lazy("Bots play only without a stake."),
    "account_closed": gettext_lazy("The account is closed."),
    "barred": gettext_lazy("Such a game is possible from {until} on. {page} says why."),
    "barred_for_leaving": gettext_lazy(
        "You left several of your last matches, so you can begin the next one from {until} on."
        " {page} says how long such a pause is."
    ),
    "opener_barred": gettext_lazy("The other player cannot begin such a game at the moment."),
    "barred_for_good": gettext_lazy("You cannot begin such a game. {page} says why."),
    "linked": gettext_lazy(
        "You and this player have logged in from the same browser or network. Such accounts cannot"
        " play each other for credits, until a moderator confirms that you are two people."
    ),
    "opponent_insufficient_credits": gettext_lazy("The other player can no longer pay the stake."),
    "one_open_table": gettext_lazy("You already have an open table. Play or close it first."),
    "stood_up_too_often": gettext_lazy(
        "You left your seat too often before the first roll. You can sit down again at {until}."
    ),
    "first_rolls_awaited": gettext_lazy(
        "You are seated at several tables that have not started. Wait for one of them to start."
    ),
    "table_full": gettext_lazy("Somebody else sat down at this table first."),
    "closed_by_opener": gettext_lazy("The player who opened this table has closed it or left."),
    "guests_play_free": gettext_lazy(
        "Guests can only play free games. Create an account to play this one."
    ),
    "guest_plays_already": gettext_lazy("Your game is still running; here it is."),
    "guest_played_enough": gettext_lazy(
        "You have reached the limit for guests. Register to keep playing."
    ),
    "practice_is_alone": gettext_lazy("This is a practice table: it takes no other player."),
    "own_table": gettext_lazy("This is your own table: somebody else has to sit down."),
    "bad_terms": gettext_lazy("The house does not offer a table on these terms."),
    "wrong_phase": gettext_lazy("The match has begun; the table cannot be closed any more."),
    "match_over": gettext_lazy("This table is closed already."),
    "same_person": gettext_lazy("Two accounts of one person cannot play each other."),
    "strength_outside": gettext_lazy("This table is for players close to the host’s strength."),
    "no_such_code": gettext_lazy("There is no open table with this code."),
    "busy": gettext_lazy("The server is busy. Please try again."),
    "nobody_there": gettext_lazy("This player cannot be challenged."),
    "one_challenge": gettext_lazy("You are still waiting for the answer to another challenge."),
    "declined_lately": gettext_lazy("This player has just declined. Ask again in a few minutes."),
    "challenges_too_many": gettext_lazy(
        "You have made several challenges within a minute. The next one is possible at {until}."
    ),
    "asked_too_often": gettext_lazy(
        "You have asked this player several times. You may ask again at {until}."
    ),
    "challenger_busy": gettext_lazy("The challenger has begun another match meanwhile."),
    "challenger_gone": gettext_lazy("The challenger has left."),
    "challenge_accepted": gettext_lazy("This challenge has been accepted already."),
    "challenge_declined": gettext_lazy("The challenge was declined."),
    "challenge_withdrawn": gettext_lazy("The challenge was withdrawn."),
    "no_such_favourite": gettext_lazy("These settings are not saved."),
    "favourites_too_many": gettext_lazy(
        "You have saved as many settings as possible. Delete one of them first."
    ),
    "favourite_name_taken": gettext_lazy("You have saved other settings under this name."),
    "favourite_name_bad": gettext_lazy("A name has 1 to 60 characters."),
    "challenge_expired": gettext_lazy("The challenge has expired."),
}


def refusal_text(error: TableError) -> str:
    """The refusal in the reader's language."""
    code = error.code
    if isinstance(error, StakeNotPossible):
        code = str(error.fields.get("reason", code))
        if code == "insufficient_credits" and error.fields.get("who") == "opponent":
            code = "opponent_insufficient_credits"
    if code == "challenge_over":
        code = f"challenge_{error.fields['state']}"
    return refusal_of(code, error)


def refusal_of(code: str, error: TableError, more: Mapping[str, Any] | None = None) -> str:
    """The text of this code, of `more` or ours, with what the error tells, as a part of a page."""
    if isinstance(error, Barred) and error.for_leaving:
        code = "barred_for_leaving"
    text = str((more or {}).get(code) or REFUSALS.get(code) or _("That is not possible now."))
    if "{" not in text:
        return text
    fair = format_html('<a href="{}">{}</a>', reverse("fairplay_mine"), _("Fair play"))
    return format_html(text, until=_moment(error), page=fair)


def _moment(error: TableError) -> str:
    """Until when something is refused, as a part of a page: templates/shell/time.html in a line."""
    if not isinstance(error, Later):
        return ""
    until = datetime.fromtimestamp(int(str(error.fields["until_ms"])) / 1000, tz=UTC)
    told = date_format(until, "DATETIME_FORMAT")
    return format_html('<time datetime="{}" data-local>{} UTC</time>', until.isoformat(), told)
