"""The games of a guest (docs/practice.md), and the name they have at tables after they register."""

import json
from functools import partial
from typing import Final

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.broadcast import LOBBY_CHANNEL, publish_on_commit
from games.models import Table
from games.modes.registry import PRACTICE_KEYS
from games.selectors import tables_running_of
from games.services.trials import LOCK_TIMEOUT
from games.table.errors import TableError

#: the number of tables a guest may open or join
GUEST_TABLES_MAX: Final = 30


class GuestsPlayFree(TableError):
    """Guests have no account: they play without a stake only."""

    code = "guests_play_free"
    sentence = _("Guests can only play free games. Create an account to play this one.")


class GuestPlaysAlready(TableError):
    """A guest plays at one table at a time, `fields["table"]`."""

    code = "guest_plays_already"
    sentence = _("Your game is still running; here it is.")


class GuestPlayedEnough(TableError):
    """A guest has sat at as many tables as a guest may."""

    code = "guest_played_enough"
    sentence = _("You have reached the limit for guests. Register to keep playing.")


def guest_begin_check(user: User, *, with_people: bool = False) -> None:
    """Do nothing for an account, and for a guest who may begin a game or wait for one.

    A game with people may begin beside one with the house bot. A table at which the guest only
    waits is none that they play at: sitting down elsewhere closes it. Raises `GuestPlaysAlready`,
    `GuestPlayedEnough`.
    """
    if not user.is_guest:
        return
    beside = PRACTICE_KEYS if with_people else ()
    running = tables_running_of(user.pk).exclude(phase="open").exclude(mode__in=beside).first()
    if running is not None:
        raise GuestPlaysAlready("a guest plays one game at a time", table=str(running.pk))
    sat = Table.objects.filter(opener=user.pk).count() + Table.objects.filter(guest=user.pk).count()
    if sat >= GUEST_TABLES_MAX:
        raise GuestPlayedEnough(f"{GUEST_TABLES_MAX} games without an account are enough")


def is_guest(*user_ids: int) -> bool:
    """Whether one of these people is a guest."""
    return get_user_model().objects.filter(pk__in=user_ids, is_guest=True).exists()


def name_follows(*, user: User, **_: object) -> None:
    """Write the name to the tables once the account is committed.

    Not before: a table is locked before its players, never after (docs/locking.md). If this fails,
    the old name stays at a table until its next match begins.
    """
    renew = partial(_names_renew, user.pk, user.get_username())
    transaction.on_commit(renew, robust=True)


@transaction.atomic
def _names_renew(user_id: int, name: str) -> None:
    seats_rename(user_id, name)
    if Table.objects.filter(opener=user_id, phase="open").exists():
        publish_on_commit(LOBBY_CHANNEL, {"type": "changed"})


#: a table keeps the names of its players as they were when its last match began.
_NAMES: Final = """
    UPDATE games_table t SET people = (
        SELECT jsonb_agg(CASE WHEN p.person -> 'id' = %(id)s::jsonb
                              THEN p.person || jsonb_build_object('name', %(name)s::text)
                              ELSE p.person END ORDER BY p.seat)
        FROM jsonb_array_elements(t.people) WITH ORDINALITY p(person, seat))
    WHERE t.id IN (SELECT id FROM games_table WHERE opener_id = %(id)s::bigint
                   OR guest_id = %(id)s::bigint ORDER BY id FOR NO KEY UPDATE)
        AND jsonb_typeof(t.people) = 'array' AND t.people <> '[]'
"""


def seats_rename(user_id: int, name: str) -> None:
    """Put this name in place of the old one at all tables of a person, in the order of their ids.

    Inside the caller's transaction; a table that is locked for too long is an `OperationalError`.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(_NAMES, {"id": json.dumps(user_id), "name": name})
