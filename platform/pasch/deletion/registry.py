"""All that goes and stays of a person, from all apps; only the site sees all of them."""

from accounts import erasure as of_people
from accounts.erasure import Erased, rows_erase
from accounts.models import User
from analysis import erasure as of_analysis
from fairplay import erasure as of_fair_play
from games.kinds import kinds
from games.services.guests import seats_rename
from ledger import erasure as of_credits
from ratings import erasure as of_ratings


def erased() -> tuple[Erased, ...]:
    """The rows that go with a person."""
    return (
        *of_people.ERASED,
        *of_analysis.ERASED,
        *of_fair_play.ERASED,
        *(each for kind in kinds() for each in kind.erased),
    )


def kept() -> dict[str, str]:
    """The foreign keys to a person that stay, with the reasons."""
    return {
        **of_people.KEPT,
        **of_credits.KEPT,
        **of_ratings.KEPT,
        **of_fair_play.KEPT,
        **{column: why for kind in kinds() for column, why in kind.kept.items()},
    }


def tables_rename(user_id: int) -> None:
    """Take the name off the tables of a person; it locks them, so it comes first."""
    seats_rename(user_id, of_people.name_of_deleted(user_id))


def person_erase(person: User) -> None:
    """Erase a person in the caller's transaction; the account stays, with its number as a name."""
    of_fair_play.person_erase(person.pk)
    of_analysis.person_erase(person.pk)
    for kind in reversed(kinds()):
        rows_erase(kind.erased, person.pk)
    of_people.person_erase(person)
