"""Pages of long lists by the place of a row, not by counting: every page costs the same.

A page is requested by a row beside it: `after` is the place of the row above the page, `until` of
the row below it, and `until=end` is the last page. A place is written as the values of the columns
by which the list is sorted. `page=2` counts rows, up to `COUNTED_MAX`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from heapq import merge
from itertools import islice
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db.models import BooleanField, F, Func, Model, QuerySet, Value

Row = TypeVar("Row", bound=Model)
Shown = TypeVar("Shown")

PLACES: Final = ("after", "until")
"""The query parameters that name a page by a place."""

END: Final = "end"
SEPARATOR: Final = "~"

COUNTED_MAX: Final = 40
"""The last page that is found by counting."""

PLACE_LENGTH_MAX: Final = 100
_TURNED: Final = {"<": ">", ">": "<", "<=": ">="}
MOMENT: Final = "%Y%m%dT%H%M%S.%f"
NUMBER_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the order: its field, and how its value is written in an address and read.

    `pattern` is a regular expression for what `write` writes, without anchors.
    """

    field: str
    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]

    def value(self, text: str) -> Any:
        """Read what an address has. Raises `ValueError` for anything that is no value."""
        if re.fullmatch(self.pattern, text) is None:
            raise ValueError(text)
        return self.read(text)


def _number(text: str) -> int:
    return min(int(text), NUMBER_MAX)


def _moment(text: str) -> datetime:
    return datetime.strptime(f"{text}+0000", f"{MOMENT}%z")


def number_column(field: str) -> Column:
    """A whole number, from 0."""
    return Column(field, r"[0-9]{1,19}", str, _number)


def decimal_column(field: str) -> Column:
    """An exact decimal."""
    return Column(field, r"-?[0-9]{1,19}(\.[0-9]{1,19})?", "{:f}".format, Decimal)


def moment_column(field: str) -> Column:
    """A moment, to the microsecond."""
    pattern = r"[0-9]{8}T[0-9]{6}\.[0-9]{6}"
    return Column(field, pattern, lambda moment: f"{moment.astimezone(UTC):{MOMENT}}", _moment)


def id_column(field: str) -> Column:
    """A UUID."""
    pattern = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    return Column(field, pattern, str, UUID)


@dataclass(frozen=True, slots=True)
class KeyPage(Generic[Shown]):
    """A page of a list. `above` and `below` are the places beside it, "" at the list's ends."""

    rows: Sequence[Shown]
    above: str = ""
    below: str = ""

    def __iter__(self) -> Iterator[Shown]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _beyond(fields: Sequence[str], place: Sequence[Any], sign: str) -> Func:
    """Whether a row lies beyond a place: `(a, b) < (1, 2)`, which an index of a and b answers."""
    sides = (
        Func(*each, template="(%(expressions)s)", output_field=BooleanField())
        for each in (map(F, fields), map(Value, place))
    )
    return Func(
        *sides, template="%(expressions)s", arg_joiner=f" {sign} ", output_field=BooleanField()
    )


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a list: these columns fall from row to row, and together are unique.

    With `rises` they rise.
    """

    columns: tuple[Column, ...]
    rises: bool = False

    @property
    def pattern(self) -> str:
        """A regular expression for a place, with anchors."""
        return f"^{SEPARATOR.join(column.pattern for column in self.columns)}$"

    def page(self, asked: Mapping[str, str], rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The page that an address asks for, of one list or of several that are shown as one.

        Their own order is replaced. A place or number that is malformed counts as none, and a page
        behind the end as the last one.
        """
        after, until = self.place(asked.get("after", "")), asked.get("until", "")
        number = _page_number(asked.get("page", ""))
        if after is not None:
            found = self._down(lists, rows, after)
        elif until == END:
            return self.last(rows, *lists)
        elif (place := self.place(until)) is not None:
            found = self._up(lists, rows, place)
            return found if found.rows else self._down(lists, rows, None)
        else:
            found = self._counted(lists, rows, number)
        begins = after is None and number == 1
        return found if found.rows or begins else self.last(rows, *lists)

    def around(self, place: str, rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The page with a row, known by its place, in its middle; the first one for no place."""
        middle = self.place(place)
        if middle is None:
            return self._down(lists, rows, None)
        higher = self._taken(lists, rows // 2 + 1, middle, ">")
        begins = self._key(higher[-1]) if len(higher) > rows // 2 else None
        return self._down(lists, rows, begins)

    def counted(self, number: int, rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The page of a number from 1 to `COUNTED_MAX`; it is empty behind the end."""
        return self._counted(lists, rows, number)

    def last(self, rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The last page, as full as the others."""
        return self._up(lists, rows, None)

    def beginning(self, first: str, rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The page that begins with the row at this place; the first one for no place."""
        return self._down(lists, rows, self.place(first), included=True)

    def following(self, after: str, rows: int, *lists: "QuerySet[Row]") -> "KeyPage[Row]":
        """The page after a place that `place` accepts; the first one for ""."""
        return self._down(lists, rows, self.place(after))

    def place(self, text: str) -> tuple[Any, ...] | None:
        """Read a place; None for anything that is none."""
        parts = text[: PLACE_LENGTH_MAX + 1].split(SEPARATOR)
        if len(parts) != len(self.columns) or len(text) > PLACE_LENGTH_MAX:
            return None
        try:
            return tuple(
                column.value(part) for column, part in zip(self.columns, parts, strict=True)
            )
        except (ValueError, OverflowError):
            return None

    def mark(self, row: Any) -> str:
        """The place of a row, as it is written in an address."""
        values = zip(self.columns, self._key(row), strict=True)
        return SEPARATOR.join(column.write(value) for column, value in values)

    def _down(
        self,
        lists: Sequence["QuerySet[Row]"],
        rows: int,
        place: tuple[Any, ...] | None,
        *,
        included: bool = False,
    ) -> "KeyPage[Row]":
        found = self._taken(lists, rows + 1, place, "<=" if included else "<")
        return self._page(found[:rows], above=place is not None, below=len(found) > rows)

    def _up(
        self, lists: Sequence["QuerySet[Row]"], rows: int, place: tuple[Any, ...] | None
    ) -> "KeyPage[Row]":
        found = self._taken(lists, rows + 1, place, ">")
        return self._page(found[:rows][::-1], above=len(found) > rows, below=place is not None)

    def _counted(self, lists: Sequence["QuerySet[Row]"], rows: int, number: int) -> "KeyPage[Row]":
        passed = (number - 1) * rows
        found = self._taken(lists, passed + rows + 1, None, passed=passed)
        return self._page(found[:rows], above=number > 1, below=len(found) > rows)

    def _page(self, rows: "Sequence[Row]", *, above: bool, below: bool) -> "KeyPage[Row]":
        if not rows:
            return KeyPage(())
        return KeyPage(
            rows, self.mark(rows[0]) if above else "", self.mark(rows[-1]) if below else ""
        )

    def _taken(
        self,
        lists: Sequence["QuerySet[Row]"],
        many: int,
        place: tuple[Any, ...] | None,
        sign: str = "<",
        *,
        passed: int = 0,
    ) -> "list[Row]":
        """The first `many` rows beyond a place, down or up, without the first `passed`.

        `sign` is that of a list which falls.
        """
        fields, falling = [column.field for column in self.columns], (sign != ">") != self.rises
        if self.rises:
            sign = _TURNED[sign]
        ordered = [each.order_by(*(f"-{f}" if falling else f for f in fields)) for each in lists]
        if place is not None:
            ordered = [each.filter(_beyond(fields, place, sign)) for each in ordered]
        if len(ordered) == 1:
            return list(ordered[0][passed:many])
        both = merge(*(each[:many] for each in ordered), key=self._key, reverse=falling)
        return list(islice(both, passed, many))

    def _key(self, row: Any) -> tuple[Any, ...]:
        return tuple(getattr(row, column.field) for column in self.columns)


def _page_number(text: str) -> int:
    """The number of a page, within what is counted; 1 for anything that is none."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1
    return min(max(number, 1), COUNTED_MAX)
