"""All of a person that stays in the ratings (`accounts/erasure.py`)."""

from typing import Final

_REPLAYED: Final = "every rating follows from the log of changes, the opponents' ratings too"

KEPT: Final = {
    "ratings.Rating.user": _REPLAYED,
    "ratings.RatingChange.opponent": _REPLAYED,
    "ratings.RatingChange.user": _REPLAYED,
}
