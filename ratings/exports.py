"""The parts of an account's export about ratings (`accounts/exports.py`)."""

from typing import Final

from accounts.exports import part_of
from ratings.models import Rating, RatingChange

PARTS: Final = (
    part_of("ratings", Rating, by=("user",), columns="pool elo experience games changes"),
    part_of(
        "rating_changes",
        RatingChange,
        by=("user",),
        columns="reference kind pool opponent__username won n before after experience_before"
        " experience_after sequence created",
    ),
)

LEFT_OUT: Final = {
    "ratings.RatingChange.opponent": "the opponent's change; the person's own is in the export"
}
