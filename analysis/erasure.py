"""All that goes and stays of a person in the analysis (`accounts/erasure.py`)."""

from typing import Final

from accounts.erasure import Erased, rows_erase
from analysis.models import ExerciseTry, Job

ERASED: Final[tuple[Erased, ...]] = ((ExerciseTry, "person"), (Job, "asked_by"))
"""Who asked and what they tried goes; the reports name nobody and stay with the match."""


def person_erase(user_id: int) -> None:
    """Erase what this app stores about a person, in the caller's transaction."""
    rows_erase(ERASED, user_id)
