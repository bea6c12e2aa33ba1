"""All that goes and stays of a person in tournaments (`accounts/erasure.py`)."""

from typing import Final

from accounts.erasure import DECISIONS, Erased, rows_erase
from tournaments.models import ClubInvitation, Membership

ERASED: Final[tuple[Erased, ...]] = (
    (Membership, "user"),
    (ClubInvitation, "person"),
    (ClubInvitation, "inviter"),
)

_REPORT: Final = "a report keeps what it is about, as its decision does"
_RESULT: Final = "a result stays for the others; the account has no name any more"

KEPT: Final = {
    "tournaments.Club.founder": "says who founded it; the account has no name any more",
    "tournaments.WordsRemoval.taken_by": DECISIONS,
    "tournaments.WordsReport.closed_by": DECISIONS,
    "tournaments.WordsReport.reporter": _REPORT,
    "tournaments.Tournament.founder": "says who held it; the account has no name any more",
    "tournaments.Entry.user": _RESULT,
    "tournaments.Meeting.player_0": _RESULT,
    "tournaments.Meeting.player_1": _RESULT,
}


def person_erase(user_id: int) -> None:
    """Erase what this app stores about a person, in the caller's transaction."""
    rows_erase(ERASED, user_id)
