"""The check of ratings in the audit. The site registers it, because it may import both."""

from dataclasses import dataclass

from ratings.replay import check


@dataclass(frozen=True, slots=True)
class RatingFinding:
    """One thing that is not as it must be: which row, and what is wrong with it."""

    row: str
    message: str


def check_ratings() -> list[RatingFinding]:
    """Return a finding for each change or rating that a replay of the log does not confirm."""
    return [
        RatingFinding(found.row, f"stored {found.stored}; the log gives {found.rebuilt}")
        for found in check()
    ]
