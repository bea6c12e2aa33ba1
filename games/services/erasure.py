"""All that goes and stays of a person in games (`accounts/erasure.py`)."""

from typing import Final

from accounts.erasure import DECISIONS, Erased, rows_erase
from games.models import (
    Challenge,
    ChatChoice,
    ChatMessage,
    CommandRecord,
    Favourite,
    LearntStep,
    Mute,
)

ERASED: Final[tuple[Erased, ...]] = (
    (Challenge, "challenger"),
    (Challenge, "challenged"),
    (ChatChoice, "user"),
    (ChatMessage, "author"),
    (CommandRecord, "user"),
    (Favourite, "owner"),
    (LearntStep, "person"),
    (Mute, "owner"),
    (Mute, "muted"),
)

_RECORDS: Final = "matches stay, with the opponents' records, ratings and dice"
_REPORTS: Final = "a report keeps its copy of the message, so that its decision can be checked"

KEPT: Final = {
    "games.Bar.other": DECISIONS,
    "games.Bar.user": DECISIONS,
    "games.ChatMeasure.user": DECISIONS,
    "games.ChatReport.author": _REPORTS,
    "games.ChatReport.closed_by": DECISIONS,
    "games.ChatReport.reporter": _REPORTS,
    "games.DiceLuck.user": "two sums of many dice, part of the statistics of the house",
    "games.HouseBot.user": "accounts of the house",
    "games.HousePrices.confirmed_by": DECISIONS,
    "games.HousePrices.proposed_by": DECISIONS,
    "games.Match.player_0": _RECORDS,
    "games.Match.player_1": _RECORDS,
    "games.PlayerMatch.opponent": _RECORDS,
    "games.PlayerMatch.player": _RECORDS,
    "games.Table.guest": _RECORDS,
    "games.Table.opener": _RECORDS,
}


def person_erase(user_id: int) -> None:
    """Erase what this app stores about a person, in the caller's transaction."""
    rows_erase(ERASED, user_id)
