"""What can be wrong with a rating, named by cause."""

from collections.abc import Sequence


class RatingError(Exception):
    """A rating was asked to do what it must not; nothing was changed."""

    code = "rating_error"


class RatingConflict(RatingError):
    """The reference has already been rated with another pool, other players or another worth."""

    code = "rating_conflict"


class LogInconsistent(RatingError):
    """The log of rating changes contradicts itself, so no rating can be rebuilt from it."""

    code = "rating_log_inconsistent"

    def __init__(self, differences: Sequence[object]) -> None:
        super().__init__(f"{len(differences)} rows of the log contradict it: {differences[0]}")
        self.differences = differences
