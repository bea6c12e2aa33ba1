"""Stored tournaments, clubs, and what people reported of their names.

The journal is the truth; everything else of a tournament follows from it or says what goes with it.
What was agreed before anybody entered never changes (`tournaments/migrations/sql/tournaments.sql`).
"""

from tournaments.models.clubs import IN, Club, ClubInvitation, ClubStanding, Membership
from tournaments.models.reports import WordsRemoval, WordsReport
from tournaments.models.tournaments import (
    OPEN,
    Entry,
    Meeting,
    Phase,
    Tournament,
    TournamentEvent,
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
    "WordsReport",
]
