"""The new name of a guest who registers, at the tables at which they sat as a guest."""

from functools import partial

from django.db import transaction

from accounts.models import User
from games.broadcast import LOBBY_CHANNEL, publish_on_commit
from games.models import Table
from games.services.table_names import seats_rename


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
