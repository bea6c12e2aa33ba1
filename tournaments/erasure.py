"""All that goes and stays of a person in tournaments (`accounts/erasure.py`)."""

from typing import Final

_RESULT: Final = "a result stays for the others; the account has no name any more"

KEPT: Final = {
    "tournaments.Tournament.founder": "says who held it; the account has no name any more",
    "tournaments.Entry.user": _RESULT,
    "tournaments.Meeting.player_0": _RESULT,
    "tournaments.Meeting.player_1": _RESULT,
}
