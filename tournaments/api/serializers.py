"""The shapes of tournaments for programs. Amounts are whole cents."""

from typing import get_args

from rest_framework import serializers

from kit.api import StrictSerializer
from kit.described_types import serializer_of
from tournaments.frames import TournamentPhase, TournamentRow, TournamentWhole

PHASES = get_args(TournamentPhase)


class EntryWishSerializer(StrictSerializer):
    """The wishes of an entrant."""

    part = serializers.RegexField(
        "^[0-9a-fA-F]{32}$",
        required=False,
        help_text="Your part in the draw, 32 hexadecimal digits; drawn here without one.",
    )


TournamentSerializer = serializer_of(TournamentRow)
TournamentWholeSerializer = serializer_of(TournamentWhole)
