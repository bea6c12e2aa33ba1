"""The games of a guest: one free game at a time, a limited number in all (docs/practice.md)."""

from typing import Final

from django.contrib.auth import get_user_model

from accounts.models import User
from games.models import Table
from games.selectors import tables_running_of
from games.table.errors import TableError

#: the number of tables a guest may open or join
GUEST_TABLES_MAX: Final = 30


class GuestsPlayFree(TableError):
    """Guests have no account: they play without a stake only."""

    code = "guests_play_free"


class GuestPlaysAlready(TableError):
    """A guest plays at one table at a time, `fields["table"]`."""

    code = "guest_plays_already"


class GuestPlayedEnough(TableError):
    """A guest has sat at as many tables as a guest may."""

    code = "guest_played_enough"


def guest_begin_check(user: User) -> None:
    """Do nothing for an account, and for a guest who may begin a game or wait for one.

    Raises `GuestPlaysAlready`, `GuestPlayedEnough`. A table at which the guest only waits is none
    that they play at: sitting down elsewhere closes it.
    """
    if not user.is_guest:
        return
    running = tables_running_of(user.pk).exclude(phase="open").first()
    if running is not None:
        raise GuestPlaysAlready("a guest plays one game at a time", table=str(running.pk))
    sat = Table.objects.filter(opener=user.pk).count() + Table.objects.filter(guest=user.pk).count()
    if sat >= GUEST_TABLES_MAX:
        raise GuestPlayedEnough(f"{GUEST_TABLES_MAX} games without an account are enough")


def is_guest(*user_ids: int) -> bool:
    """Whether one of these people is a guest."""
    return get_user_model().objects.filter(pk__in=user_ids, is_guest=True).exists()
