"""Personal data of the ratings; all of it stays (`kit/personal_data.py`)."""

from typing import Final

from kit.personal_data import PersonalData, part_of
from ratings.models import Rating, RatingChange

_REPLAYED: Final = "every rating follows from the log of changes, the opponents' ratings too"

PERSONAL_DATA: Final = PersonalData(
    parts=(
        part_of("ratings", Rating, by=("user",), columns="pool elo experience games changes"),
        part_of(
            "rating_changes",
            RatingChange,
            by=("user",),
            columns="reference kind pool opponent__username won n before after experience_before"
            " experience_after sequence created",
        ),
    ),
    left_out={
        "ratings.RatingChange.opponent": "the opponent's change; the person's own is in the export"
    },
    kept={
        "ratings.Rating.user": _REPLAYED,
        "ratings.RatingChange.opponent": _REPLAYED,
        "ratings.RatingChange.user": _REPLAYED,
    },
)
