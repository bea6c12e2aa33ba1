"""The parts of an account's export about tournaments (`accounts/exports.py`)."""

from typing import Final

from accounts.exports import OF_OFFICE, ExportPart, part_of
from tournaments.models import (
    Club,
    ClubInvitation,
    Entry,
    Meeting,
    Membership,
    Tournament,
    WordsReport,
)

PARTS: Final[tuple[ExportPart, ...]] = (
    part_of(
        "tournament_entries",
        Entry,
        by=("user",),
        columns="tournament_id tournament__name number part entered_at withdrawn_at gave_up_at"
        " first_place last_place prize_cents",
    ),
    part_of(
        "tournament_meetings",
        Meeting,
        by=("player_0", "player_1"),
        columns="tournament_id number place match_id called_at decided_at",
        order="called_at",
    ),
    part_of("clubs", Membership, by=("user",), columns="club_id club__name standing since"),
    part_of(
        "club_invitations",
        ClubInvitation,
        by=("inviter", "person"),
        columns="club_id made_at refused_at",
        order="made_at",
    ),
    part_of("clubs_founded", Club, by=("founder",), columns="id name about founded_at"),
    part_of(
        "club_and_tournament_reports_made",
        WordsReport,
        by=("reporter",),
        columns="club_id tournament_id name about reason words made_at outcome closed_at",
        order="made_at",
    ),
    part_of(
        "tournaments_held",
        Tournament,
        by=("founder",),
        columns="id name created_at starts_at phase",
        order="created_at",
    ),
)

LEFT_OUT: Final[dict[str, str]] = {
    "tournaments.WordsRemoval.taken_by": OF_OFFICE,
    "tournaments.WordsReport.closed_by": OF_OFFICE,
}
