"""Errors of ratings, named by cause."""

from collections.abc import Sequence
from dataclasses import dataclass

from kit.errors import Refusal


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """One row that is not what the log makes of it."""

    row: str
    stored: str
    rebuilt: str


class RatingError(Refusal):
    """A change of ratings that is not allowed; nothing was changed."""

    code = "rating_error"


class RatingConflict(RatingError):
    """The reference has already been rated with another pool, other players or another worth."""

    code = "rating_conflict"


class LogInconsistent(RatingError):
    """The log of rating changes contradicts itself, so no rating can be rebuilt from it."""

    code = "rating_log_inconsistent"

    def __init__(self, differences: Sequence[ReplayDifference]) -> None:
        super().__init__(f"{len(differences)} rows of the log contradict it: {differences[0]}")
        self.differences = differences
