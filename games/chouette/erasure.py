"""All that stays of a person in chouettes (`accounts/erasure.py`)."""

from typing import Final

_RESULT: Final = "a result stays for the others; the account has no name any more"

KEPT: Final = {
    "chouette.Circle.founder": "says who opened it; the account has no name any more",
    "chouette.Place.user": _RESULT,
    "chouette.Game.box": _RESULT,
    "chouette.Game.captain": _RESULT,
    "chouette.Share.user": _RESULT,
}
