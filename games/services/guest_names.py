"""The new name of a guest who registers, at the tables at which they sat as a guest."""

from functools import partial

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.broadcast import LOBBY_CHANNEL, publish_on_commit
from games.models import Table
from games.services.tables import tables_lock


def name_follows(*, user: User, **_: object) -> None:
    """Write the name to the tables once the account is committed.

    Not before: a table is locked before its players, never after (docs/locking.md). If this fails,
    the old name stays at a table until its next match begins.
    """
    renew = partial(_names_renew, user.pk, user.get_username())
    transaction.on_commit(renew, robust=True)


@transaction.atomic
def _names_renew(user_id: int, name: str) -> None:
    tables = tables_lock(Q(opener=user_id) | Q(guest=user_id)).values()
    for table in tables:
        table.people = [
            {**person, "name": name} if person and person["id"] == user_id else person
            for person in table.people
        ]
    Table.objects.bulk_update(tables, ["people"])
    if any(table.phase == "open" for table in tables):
        publish_on_commit(LOBBY_CHANNEL, {"type": "changed"})
