"""All that goes and stays of a person in fair play (`accounts/erasure.py`)."""

from typing import Final

from accounts.erasure import DECISIONS, Erased, rows_erase
from fairplay.models import Conduct, Pause

ERASED: Final[tuple[Erased, ...]] = ((Conduct, "user"), (Pause, "user"))

_CASE: Final = "a case stays, so that victims and the player can have it checked"

KEPT: Final = {
    "fairplay.Case.opened_by": DECISIONS,
    "fairplay.CaseMatch.refunded_by": DECISIONS,
    "fairplay.Opinion.reviewer": DECISIONS,
    "fairplay.Party.user": _CASE,
    "fairplay.Statement.user": _CASE,
    "fairplay.Wait.user": "a gain waits by the number of the account, and is deleted in time",
    "fairplay.Complaint.reporter": "shows how much their reports count",
    "fairplay.Complaint.accused": _CASE,
}


def person_erase(user_id: int) -> None:
    """Erase what this app stores about a person, in the caller's transaction."""
    rows_erase(ERASED, user_id)
