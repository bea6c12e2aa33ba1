"""Who may read the analysis of a match."""

from django.contrib.auth.models import AnonymousUser

from accounts.choices import account_choices
from accounts.models import User
from games.models import Match
from games.selectors import may_see, may_see_all

#: the preference of a player, and its value that keeps analyses between the two.
PREFERENCE = "reports"
PLAYERS_ONLY = "players"


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
    return any(account_choices(each).get(PREFERENCE) == PLAYERS_ONLY for each in people)
