"""Refusals of a chouette in the reader's language."""

from typing import Final

from django.utils.html import strip_tags
from django.utils.translation import gettext_lazy as _

from games.pages.refusals import REFUSALS, refusal_of
from games.table.errors import TableError

CHOUETTE_REFUSALS: Final = {
    "no_such_chouette": _("There is no such table."),
    "chouette_closed": _("This table is closed."),
    "stale": _("This decision is not due any more."),
    "sits_elsewhere": _("You sit at another chouette. Leave that one first."),
    "no_seat": _("All places are taken."),
    "not_seated": _("You do not sit at this table."),
    "not_your_turn": _("Somebody else decides now."),
    "wrong_phase": _("That is not possible now."),
    "bad_answer": _("The rules do not allow that."),
    "dice_refused": _("This part in the dice does not fit."),
    "bad_terms": _("The house does not offer a chouette on these terms."),
    "guests_play_free": _("For a chouette you need an account."),
    "insufficient_credits": _("You do not have enough credits for the limit of a game."),
}


def refusal_text(error: TableError) -> str:
    """A refusal in the reader's language."""
    reason = error.fields.get("reason")
    code = str(reason) if isinstance(reason, str) and reason in REFUSALS else error.code
    return str(CHOUETTE_REFUSALS.get(code) or strip_tags(refusal_of(code, error)))
