"""Stored tournaments, clubs, and what moderators took away from them.

The journal is the truth; everything else of a tournament follows from it or says what goes with it.
What was agreed before anybody entered never changes (`tournaments/migrations/sql/tournaments.sql`).
"""

from tournaments.models.clubs import IN, Club, ClubInvitation, ClubStanding, Membership
from tournaments.models.tournaments import (
    OPEN,
    Entry,
    Meeting,
    Phase,
    Tournament,
    TournamentEvent,
    WordsRemoval,
)

__all__ = [
    "IN",
    "OPEN",
    "Club",
    "ClubInvitation",
    "ClubStanding",
    "Entry",
    "Meeting",
    "Membership",
    "Phase",
    "Tournament",
    "TournamentEvent",
    "WordsRemoval",
]
