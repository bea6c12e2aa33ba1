"""Answers to commands at tables of every kind, remembered by the person and the id of the command.

An accepted command is remembered by the transaction that carries it out. A refusal is stored in a
transaction of its own after the one that refused has ended, under the lock of the table, and sent
after that. So whatever is stored first is the answer to all copies of a command, in every web
process and after a restart. A person has at most `REFUSALS_MAX` rows for refusals at a table, so a
flood cannot multiply them.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import CommandRecord
from games.table.errors import TableError
from kit.errors import Refusal

Row = TypeVar("Row")

#: how many refused commands of one player at one table are remembered, the newest ones.
REFUSALS_MAX: Final = 32

#: how many accepted ones, where a command may be accepted without an effect again and again.
ACCEPTED_MAX: Final = 256

#: how long an answer is remembered at least, and as long as its table is open: there, some
#: commands mean the same on any view, so a late copy would be carried out again.
KEPT: Final = timedelta(days=7)

#: answers that are forgotten in one transaction.
FORGOTTEN_AT_ONCE: Final = 1000

#: codes that say nothing about the table: the same id may be sent again and be accepted.
NOT_REMEMBERED: Final = frozenset(
    {"busy", "no_such_table", "no_such_chouette", "no_such_tournament", "not_seated"}
)


class SentCommand(NamedTuple):
    """A command: at which table, by whom, under which id, and on which view it was given.

    `command_id` is None where it comes only once, by a form or a call of the interface.
    """

    table_id: UUID
    user_id: int
    command_id: str | None
    seen_seq: int = 0


class RefusedBefore(TableError):
    """A command was refused before under this id; the code, the text and the fields are the same.

    `seq` is the one that the client had seen when it was refused.
    """

    def __init__(self, record: CommandRecord) -> None:
        refusal: dict[str, Any] = dict(record.refusal or {})
        self.code = refusal.pop("code")
        super().__init__(refusal.pop("message"), **refusal)
        self.seq = record.seq


def command_once(
    sent: SentCommand, lock: Callable[[UUID], Row], carry_out: Callable[[Row], int]
) -> int:
    """Carry a command out at a locked table, in one transaction with its answer; the answer's seq.

    If it was answered before, this is the answer, and nothing happens. Raises `Refusal`.
    """
    try:
        with transaction.atomic(durable=True):
            row = lock(sent.table_id)
            seq = answer_known(sent)
            if seq is not None:
                return seq
            record = None if sent.command_id is None else _remember(sent, sent.seen_seq)
            seq = carry_out(row)
            if record is not None:  # its row stands before the books are locked
                CommandRecord.objects.filter(pk=record.pk).update(seq=seq)
                _forget_beyond(ACCEPTED_MAX, sent, refused=False)
        return seq
    except Refusal as error:
        return refusal_answer(error, sent, lock)


def answer_known(sent: SentCommand) -> int | None:
    """The seq of the answer to this command if it was accepted; None if it has none yet.

    Raises `RefusedBefore`.
    """
    if sent.command_id is None:
        return None
    known = CommandRecord.objects.filter(
        table_id=sent.table_id, user=sent.user_id, command_id=sent.command_id
    ).first()
    if known is None:
        return None
    if known.refusal is not None:
        raise RefusedBefore(known)
    return known.seq


def refusal_answer(error: Refusal, sent: SentCommand, lock: Callable[[UUID], Any]) -> int:
    """Remember that a command was refused, and raise its error.

    The oldest beyond `REFUSALS_MAX` are forgotten. If another answer to this id was stored
    meanwhile, it counts: the seq of an accepted command is returned, a refusal raised as
    `RefusedBefore`.
    """
    no_answer = error.code in NOT_REMEMBERED or isinstance(error, RefusedBefore)
    if no_answer or sent.command_id is None:
        raise error
    with transaction.atomic(durable=True):
        lock(sent.table_id)
        seq = answer_known(sent)
        if seq is not None:
            return seq
        refusal = {"code": error.code, "message": str(error), **error.fields}
        _remember(sent, sent.seen_seq, msgspec.to_builtins(refusal))
        _forget_beyond(REFUSALS_MAX, sent, refused=True)
    raise error


def _forget_beyond(most: int, sent: SentCommand, *, refused: bool) -> None:
    """Keep the newest answers of this kind to this person at this table."""
    answers = CommandRecord.objects.filter(
        table_id=sent.table_id, user=sent.user_id, refusal__isnull=not refused
    )
    beyond = answers.order_by("-pk").values_list("pk", flat=True)[most:]
    CommandRecord.objects.filter(pk__in=list(beyond)).delete()


def _remember(sent: SentCommand, seq: int, refusal: dict[str, Any] | None = None) -> CommandRecord:
    assert sent.command_id is not None, "it is remembered by its id"
    return CommandRecord.objects.create(
        table_id=sent.table_id,
        user_id=sent.user_id,
        command_id=sent.command_id,
        seq=seq,
        refusal=refusal,
    )


def answers_forget(still_open: Iterable[QuerySet[Any]]) -> int:
    """Delete the answers older than `KEPT` but at these tables, a batch at a time; how many.

    It may run twice at the same time: a row that another transaction holds is passed over.
    """
    old = CommandRecord.objects.filter(stored_at__lt=timezone.now() - KEPT).order_by("pk")
    for rows in still_open:
        old = old.exclude(table_id__in=rows.values("pk"))
    forgotten = 0
    while batch := _batch_forget(old):
        forgotten += batch
    return forgotten


@transaction.atomic
def _batch_forget(old: QuerySet[CommandRecord]) -> int:
    free = old.select_for_update(skip_locked=True, of=("self",), no_key=False)
    batch = list(free.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return CommandRecord.objects.filter(pk__in=batch).delete()[0]
