"""Settings that a person saves under a name, to play by them again with one press.

Stored are wishes (`games.modes.terms.Wishes`), not terms: prices and offers are those of the moment
in which they are used. Lock: the owner's own (an advisory lock), so that settings saved at once are
counted together.
"""

from typing import Final

from django.contrib.postgres.functions import TransactionNow
from django.db import transaction
from django.utils.translation import gettext_noop as _
from msgspec.json import decode

from accounts.models import User
from games.models import Favourite, Table
from games.modes.registry import PRACTICE_KEYS
from games.modes.terms import Terms
from games.offered import terms_open
from games.services.seats import person_lock
from games.table.errors import TableError
from kit.database import read_cursor

FAVOURITES_MAX: Final = 12
"""How many settings one person may keep."""


class FavouriteError(TableError):
    """A setting that cannot be saved, renamed or deleted."""

    code = "favourite_refused"


class NoSuchFavourite(FavouriteError):
    """The person has saved no such setting."""

    code = "no_such_favourite"
    sentence = _("These settings are not saved.")


class FavouritesTooMany(FavouriteError):
    """The person keeps as many settings as allowed; `fields["most"]` is how many."""

    code = "favourites_too_many"
    sentence = _("You have saved as many settings as possible. Delete one of them first.")


class FavouriteNameTaken(FavouriteError):
    """Another setting of this person has the name."""

    code = "favourite_name_taken"
    sentence = _("You have saved other settings under this name.")


class BadFavouriteName(FavouriteError):
    """The name is empty, too long, or has characters that cannot be printed."""

    code = "favourite_name_bad"
    sentence = _("A name has 1 to 60 characters.")


#: the newest table of each seat through its index, then the newer one of the two.
_PLAYED_LAST: Final = """
SELECT terms FROM (
    (SELECT state ->> 'terms' AS terms, changed_at FROM games_table
     WHERE opener_id = %(person)s AND guest_id IS NOT NULL AND code IS NULL
       AND mode <> ALL (%(practice)s) ORDER BY changed_at DESC LIMIT 1)
    UNION ALL
    (SELECT state ->> 'terms', changed_at FROM games_table
     WHERE guest_id = %(person)s AND code IS NULL
       AND mode <> ALL (%(practice)s) ORDER BY changed_at DESC LIMIT 1)
) sat ORDER BY changed_at DESC LIMIT 1
"""


def terms_played_last(user_id: int) -> Terms | None:
    """The terms of the table at which this person last sat with another one; None without one.

    Practice does not count, nor do private tables, whose terms were for one friend.
    """
    with read_cursor(Table) as cursor:
        cursor.execute(_PLAYED_LAST, {"person": user_id, "practice": list(PRACTICE_KEYS)})
        row = cursor.fetchone()
    return decode(row[0], type=Terms) if row else None


@transaction.atomic
def favourite_save(*, user: User, name: str, **wishes: object) -> Favourite:
    """Save settings that the house offers now.

    Raises `BadTerms`, `BadFavouriteName`, `FavouriteNameTaken`, `FavouritesTooMany`.
    """
    terms_open(**wishes)
    name = _name(name)
    person_lock(user.pk)
    own = Favourite.objects.filter(owner=user.pk)
    _taken_check(own.filter(name=name).exists(), name)
    if own.count() >= FAVOURITES_MAX:
        raise FavouritesTooMany(
            f"nobody keeps more than {FAVOURITES_MAX} settings", most=FAVOURITES_MAX
        )
    return Favourite.objects.create(
        owner_id=user.pk, name=name, wishes=wishes, saved_at=TransactionNow()
    )


@transaction.atomic
def favourite_rename(*, user: User, favourite_id: int, name: str) -> None:
    """Give settings another name.

    Raises `NoSuchFavourite`, `BadFavouriteName`, `FavouriteNameTaken`.
    """
    name = _name(name)
    person_lock(user.pk)
    own = Favourite.objects.filter(owner=user.pk)
    _taken_check(own.filter(name=name).exclude(pk=favourite_id).exists(), name)
    if not own.filter(pk=favourite_id).update(name=name):
        raise NoSuchFavourite("there is no such setting")


def favourite_delete(*, user: User, favourite_id: int) -> None:
    """Delete settings; nothing happens if that is done already."""
    Favourite.objects.filter(owner=user.pk, pk=favourite_id).delete()


def _name(name: str) -> str:
    """The name without needless space. Raises `BadFavouriteName`."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= Favourite.NAME_LENGTH_MAX or not name.isprintable():
        raise BadFavouriteName(
            f"a name has 1 to {Favourite.NAME_LENGTH_MAX} characters that can be printed"
        )
    return name


def _taken_check(taken: bool, name: str) -> None:
    if taken:
        raise FavouriteNameTaken(f"you have saved other settings as {name!r}")
