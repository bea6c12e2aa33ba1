"""All that goes and stays of a person, from all apps; only the site sees all of them."""

from typing import Final

from accounts import erasure as of_people
from accounts.models import User
from analysis import erasure as of_analysis
from fairplay import erasure as of_fair_play
from games.chouette import erasure as of_chouettes
from games.services import leaving as of_games
from games.services.guests import seats_rename
from ledger import erasure as of_credits
from ratings import erasure as of_ratings
from tournaments import erasure as of_tournaments

ERASED: Final = (
    *of_people.ERASED,
    *of_games.ERASED,
    *of_analysis.ERASED,
    *of_fair_play.ERASED,
    *of_tournaments.ERASED,
)

KEPT: Final = {
    **of_people.KEPT,
    **of_credits.KEPT,
    **of_ratings.KEPT,
    **of_games.KEPT,
    **of_fair_play.KEPT,
    **of_tournaments.KEPT,
    **of_chouettes.KEPT,
}


def tables_rename(user_id: int) -> None:
    """Take the name off the tables of a person; it locks them, so it comes first."""
    seats_rename(user_id, of_people.name_of_deleted(user_id))


def person_erase(person: User) -> None:
    """Erase a person in the caller's transaction; the account stays, with its number as a name."""
    of_tournaments.person_erase(person.pk)
    of_fair_play.person_erase(person.pk)
    of_analysis.person_erase(person.pk)
    of_games.person_erase(person.pk)
    of_people.person_erase(person)
