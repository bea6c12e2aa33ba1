"""Answers to commands, remembered by id: accepted ones by the plan, refused ones here.

A refusal is stored in a transaction of its own after the one that refused has ended, under the lock
of the table, and sent after that. So whatever is stored first is the answer to all copies of a
command, in every web process and after a restart. Only the two players have rows, and each of them
at most `REFUSALS_MAX` for refusals, so a flood cannot multiply them.
"""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from games.models import CommandRecord, Table
from games.table.errors import TableError

#: how many refused commands of one player at one table are remembered, the newest ones.
REFUSALS_MAX: Final = 32

#: how long an answer is remembered at least, and as long as its table is not closed: there, some
#: commands mean the same on any view, so a late copy would be carried out again.
KEPT: Final = timedelta(days=7)

#: answers that are forgotten in one transaction.
FORGOTTEN_AT_ONCE: Final = 1000

#: codes that say nothing about the table: the same id may be sent again and be accepted.
NOT_REMEMBERED: Final = frozenset({"busy", "no_such_table", "not_seated"})


class RefusedBefore(TableError):
    """A command was refused before under this id; the code, the text and the fields are the same.

    `seq` is the one that the client had seen when it was refused.
    """

    def __init__(self, record: CommandRecord) -> None:
        refusal: dict[str, Any] = dict(record.refusal or {})
        self.code = refusal.pop("code")
        super().__init__(refusal.pop("message"), **refusal)
        self.seq = record.seq


def answer_known(table_id: UUID, user_id: int, command_id: str) -> int | None:
    """The seq of the answer to this command if it was accepted; None if it has none yet.

    Raises `RefusedBefore`.
    """
    known = CommandRecord.objects.filter(
        table=table_id, user=user_id, command_id=command_id
    ).first()
    if known is None:
        return None
    if known.refusal is not None:
        raise RefusedBefore(known)
    return known.seq


def refusal_store(
    error: TableError, table: Table, *, user_id: int, command_id: str, seen_seq: int
) -> int | None:
    """Remember why a command of a player at this locked table was refused.

    The oldest beyond `REFUSALS_MAX` are forgotten. If another answer to this id was stored
    meanwhile, it counts: the seq of an accepted command is returned, a refusal raised as
    `RefusedBefore`.
    None: this is the answer.
    """
    seq = answer_known(table.pk, user_id, command_id)
    if seq is not None or user_id not in (table.opener_id, table.guest_id):
        return seq
    refusal = {"code": error.code, "message": str(error), **error.fields}
    of_player = {"table": table, "user_id": user_id}
    CommandRecord.objects.create(
        **of_player, command_id=command_id, seq=seen_seq, refusal=msgspec.to_builtins(refusal)
    )
    refused = CommandRecord.objects.filter(**of_player, refusal__isnull=False)
    beyond = refused.order_by("-pk").values_list("pk", flat=True)[REFUSALS_MAX:]
    CommandRecord.objects.filter(pk__in=list(beyond)).delete()
    return None


def answers_forget() -> int:
    """Delete the answers at closed tables older than `KEPT`, a batch at a time; how many.

    It may run twice at the same time: a row that another transaction holds is passed over.
    """
    before, forgotten = timezone.now() - KEPT, 0
    while batch := _batch_forget(before):
        forgotten += batch
    return forgotten


@transaction.atomic
def _batch_forget(before: datetime) -> int:
    closed = CommandRecord.objects.filter(table__phase="closed")
    old = closed.filter(stored_at__lt=before).order_by("pk")
    free = old.select_for_update(skip_locked=True, of=("self",), no_key=False)
    batch = list(free.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return CommandRecord.objects.filter(pk__in=batch).delete()[0]
