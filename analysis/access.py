"""The right to read the analysis of a match."""

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.reader_preferences import account_choices
from games.models import Match, PlayerMatch
from games.selectors import may_see, may_see_all

#: the preference of a player, and its value that keeps analyses between the two.
PREFERENCE: Final = "reports"
PLAYERS_ONLY: Final = "players"


def may_read(match: Match, reader: User | AnonymousUser) -> bool:
    """Whether this reader may see how well a match was played.

    Its players always may, and staff who may see matches. Everybody else needs to be allowed to see
    the match, and that neither player keeps analyses to the players.
    """
    if reader.pk in match.players or may_see_all(reader):
        return True
    return may_see(match, reader) and not is_kept_back(match)


def is_kept_back(match: Match) -> bool:
    """Whether one of the players keeps analyses to the players."""
    people = (match.player_0, match.player_1)
    return any(keeps_back(each) for each in people)


def keeps_back(person: User) -> bool:
    """Whether this person keeps analyses to the two players."""
    return account_choices(person).get(PREFERENCE) == PLAYERS_ONLY


def readable(reader_id: int | None, *, sees_all: bool) -> QuerySet[Match]:
    """The ended matches whose analysis this reader may see: the same rule as a filter.

    A reader without an id is a visitor; `sees_all` is for staff (`may_see_all`). A match counts
    once the statistics have counted it, seconds after its end.
    """
    if sees_all:
        return Match.objects.filter(ended_at__isnull=False)
    own = Q(player_0=reader_id) | Q(player_1=reader_id) if reader_id is not None else Q(pk=None)
    return Match.objects.filter(own | _open_to_all(), ended_at__isnull=False)


def open_matches() -> QuerySet[Match]:
    """The ended matches whose analysis everybody may see."""
    return Match.objects.filter(_open_to_all(), ended_at__isnull=False)


def _open_to_all() -> Q:
    is_open = Exists(PlayerMatch.objects.filter(match=OuterRef("pk"), is_open=True))
    kept = {f"preferences__{PREFERENCE}": PLAYERS_ONLY}
    keepers = User.objects.filter(Q(pk=OuterRef("player_0")) | Q(pk=OuterRef("player_1")), **kept)
    return Q(is_open) & ~Q(Exists(keepers))
