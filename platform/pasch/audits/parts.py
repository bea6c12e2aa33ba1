"""Parts of checks: the rows of a turn by the hash of their id or reference, and what was booked."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import CharField, F, Func, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from ledger.audit import AuditFinding, AuditTurn

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


Booked = tuple[Mapping[str, Counter[str]], Mapping[str, int]]
"""By reference: what was booked for each account, and what its escrow holds (`booked_about`)."""


def booking_faults(
    reference: str, told: Booked, expected: Counter[str], escrow_cents: int
) -> Iterator[AuditFinding]:
    """Every account that was booked otherwise than expected, and an escrow with another rest."""
    booked, held = told
    entries = booked.get(reference, Counter())
    for key in sorted(set(expected) | set(entries)):
        if entries[key] != expected[key]:
            message = f"{key}: {entries[key]} cents booked, {expected[key]} expected"
            yield AuditFinding(reference, message)
    if held.get(reference, 0) != escrow_cents:
        message = f"its escrow holds {held.get(reference, 0)} cents, not {escrow_cents}"
        yield AuditFinding(reference, message)
