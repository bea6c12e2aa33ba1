"""Which part of an audit in turns a row belongs to: by the hash of its id or reference."""

from typing import Any, Final

from django.db.models import CharField, F, Func, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from ledger.audit import Turn

PART: Final = "mod(hashtext({}::text) & 65535, %(of)s) = ANY (%(parts)s)"
"""The same in SQL, of a column; `of` and `parts` are those of the turn."""


class _Part(Func):
    function = "hashtext"
    template = "(%(function)s(%(expressions)s::text) & 65535)"
    output_field = IntegerField()


def or_in_turn(
    rows: QuerySet[Any], recent: Q, column: str, turn: Turn, *, prefix: str = ""
) -> QuerySet[Any]:
    """The recent rows, and those of the turn's parts by the hash of a column behind a prefix."""
    text = Concat(Value(prefix), Cast(F(column), CharField())) if prefix else F(column)
    part = Func(_Part(text), Value(turn.of), function="mod", output_field=IntegerField())
    found: QuerySet[Any] = rows.alias(part=part).filter(recent | Q(part__in=turn.parts))
    return found
