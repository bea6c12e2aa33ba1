"""The parts of an account's export about chouettes (`accounts/exports.py`)."""

from typing import Final

from accounts.exports import ExportPart, part_of
from games.chouette.models import Circle, Place, Share

PARTS: Final[tuple[ExportPart, ...]] = (
    part_of(
        "chouettes_opened",
        Circle,
        by=("founder",),
        columns="id rate_cents limit_cents created_at closed_at",
        order="created_at",
    ),
    part_of("chouette_places", Place, by=("user",), columns="circle_id sat_at stood_up_at"),
    part_of(
        "chouette_games",
        Share,
        by=("user",),
        columns="game_id game__circle_id game__number game__started_at stake_cents paid_cents"
        " box_points",
    ),
)

LEFT_OUT: Final[dict[str, str]] = {
    "chouette.Game.box": "part `chouette_games` has every player of a game",
    "chouette.Game.captain": "part `chouette_games` has every player of a game",
}
