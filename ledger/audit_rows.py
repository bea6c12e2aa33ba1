"""Checks of rows one by one, and of transfers by a function of the database: the one way for all.

Such a check runs over everything, over what came after a mark, or over that and some parts of the
rest: the rows of a turn are those of some parts by the hash of their id or reference.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any, ClassVar, Final

from django.db.models import CharField, F, Func, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from ledger.audit import AuditFinding, AuditMark, AuditTurn, register
from ledger.audit_books import rows_found, rows_in_turns, rows_since
from ledger.selectors import booked_about, references_since

PART: Final = "mod(hashtext({}::text) & 65535, %(of)s) = ANY (%(parts)s)"
"""The same in SQL, of a column; `of` and `parts` are those of the turn."""


class _Part(Func):
    function = "hashtext"
    template = "(%(function)s(%(expressions)s::text) & 65535)"
    output_field = IntegerField()


def or_in_turn(
    rows: QuerySet[Any], recent: Q, column: str, turn: AuditTurn, *, prefix: str = ""
) -> QuerySet[Any]:
    """The recent rows, and those of the turn's parts by the hash of a column behind a prefix."""
    text = Concat(Value(prefix), Cast(F(column), CharField())) if prefix else F(column)
    part = Func(_Part(text), Value(turn.of), function="mod", output_field=IntegerField())
    found: QuerySet[Any] = rows.alias(part=part).filter(recent | Q(part__in=turn.parts))
    return found


OVERLAP: Final = timedelta(minutes=10)
"""Times are drawn before a transaction commits; nothing takes as long as this to commit."""


def booked_since(mark: AuditMark, prefix: str) -> list[str]:
    """The ids of everything about which something was booked since, by the prefix of references."""
    found = (each for each in references_since(mark.transfer_id) if each.startswith(prefix))
    return [reference.removeprefix(prefix) for reference in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCheck:
    """A check of each row by itself.

    `recent` are the rows to which something may have happened since a mark. Parts are by the hash
    of `column` behind `prefix`.
    """

    of_credits: ClassVar[bool] = False
    code: str
    title: str
    rows: Callable[[], QuerySet[Any]]
    recent: Callable[[AuditMark], Q]
    faults: Callable[[QuerySet[Any]], Iterable[AuditFinding]]
    prefix: str = ""

    def register(self) -> None:
        """Add it to the audit."""
        register(self.code, self.title, self.whole, self.since, self.in_turns)

    def whole(self) -> Iterable[AuditFinding]:
        """The faults of all rows."""
        return self.faults(self.rows())

    def since(self, mark: AuditMark) -> Iterable[AuditFinding]:
        """The faults of the recent rows."""
        return self.faults(self.rows().filter(self.recent(mark)))

    def in_turns(self, mark: AuditMark, turn: AuditTurn) -> Iterable[AuditFinding]:
        """The faults of the recent rows, and of some parts of the others."""
        return self.faults(
            or_in_turn(self.rows(), self.recent(mark), "id", turn, prefix=self.prefix)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCheck:
    """A check that every transfer has rows behind it that say the same.

    `function` names the function of the database that answers what is missing behind a transfer,
    `about` says in SQL which transfers `t` it is about.
    """

    of_credits: ClassVar[bool] = True
    code: str
    title: str
    function: str
    about: str

    def register(self) -> None:
        """Add it to the audit."""
        query = f"""
            SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ': ' || fault
            FROM ledger_transfer t CROSS JOIN LATERAL {self.function}(t) fault
            WHERE t.id > %(since)s AND fault IS NOT NULL AND {self.about}
        """
        register(
            self.code,
            self.title,
            lambda: rows_found(query, since=0),
            lambda mark: rows_since(query, mark),
            lambda mark, turn: rows_in_turns(query, mark, turn),
        )


Booked = tuple[Mapping[str, Counter[str]], Mapping[str, int]]
"""By reference: what was booked for each account, and what its escrow holds (`booked_about`)."""


def booking_faults(
    reference: str, about: Booked, expected: Counter[str], escrow_cents: int
) -> Iterator[AuditFinding]:
    """Every account that was booked otherwise than expected, and an escrow with another rest."""
    booked, held = about
    entries = booked.get(reference, Counter())
    for key in sorted(set(expected) | set(entries)):
        if entries[key] != expected[key]:
            message = f"{key}: {entries[key]} cents booked, {expected[key]} expected"
            yield AuditFinding(reference, message)
    if held.get(reference, 0) != escrow_cents:
        message = f"its escrow holds {held.get(reference, 0)} cents, not {escrow_cents}"
        yield AuditFinding(reference, message)


def each_booked(
    rows: QuerySet[Any],
    chunk: int,
    expected: Callable[[Any], tuple[Counter[str], int]],
    besides: Callable[[Any], Iterable[str]] = lambda _row: (),
) -> Iterator[AuditFinding]:
    """Rows with a `reference` about which something else was booked than `expected` says.

    `besides` are the faults of a row for which no booking is needed.
    """
    found = rows.iterator(chunk_size=chunk)
    while some := list(islice(found, chunk)):
        booked = booked_about([row.reference for row in some])
        for row in some:
            yield from booking_faults(row.reference, booked, *expected(row))
            yield from (AuditFinding(row.reference, fault) for fault in besides(row))


def readable(reference: str, faults: Callable[[], Iterable[str]]) -> Iterator[AuditFinding]:
    """The faults of one row; rows that break the check are a finding, and keep no other waiting."""
    try:
        found = list(faults())
    except (ValueError, LookupError, AssertionError, TypeError) as error:
        found = [f"its journal cannot be read: {error}"]
    for fault in found:
        yield AuditFinding(reference, fault)
