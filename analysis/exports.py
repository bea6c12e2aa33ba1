"""The parts of an account's export about the analysis (`accounts/exports.py`)."""

from typing import Final

from accounts.exports import part_of
from analysis.models import ExerciseTry, Job

PARTS: Final = (
    part_of(
        "analyses_asked_for",
        Job,
        by=("asked_by",),
        columns="match_id depth queued_at done_at",
        order="queued_at",
    ),
    part_of(
        "exercises",
        ExerciseTry,
        by=("person",),
        columns="exercise__xgid decision__report__match_id decision__game decision__number day"
        " answer loss at",
        order="at",
    ),
)
