"""Journals: rows whose truth is a list of events without a gap, and whose state is a cache.

A `Journal` says where one kind of row keeps its events and its state; everybody who stores, replays
or audits them goes through it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

import msgspec
from django.db.models import Model

from kit.events import JournalEvent

State = TypeVar("State")
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, kw_only=True)
class Journal(Generic[Row, State]):
    """Where one kind of row keeps its events and its state, and how they hang together.

    `rows` has a column `seq`, the number of the newest event; `events` has `seq` and `payload`, and
    names its row by `owner`. `begin` is the state before the first event, `stored` the one that is
    cached in the row.
    """

    rows: type[Row]
    events: type[Model]
    owner: str
    event_of: Callable[[Any], Any]
    begin: Callable[[Row], State]
    evolve: Callable[[State, Any], State]
    stored: Callable[[Row], State]

    def append(self, row: Row, events: Sequence[JournalEvent]) -> None:
        """Store new events and count them in `row.seq`; the caller holds the lock, and saves."""
        first: int = row.seq + 1  # type: ignore[attr-defined]
        manager = self.events._default_manager
        manager.bulk_create(
            self.events(**{self.owner: row, "seq": seq, "payload": msgspec.to_builtins(event)})
            for seq, event in enumerate(events, first)
        )
        row.seq += len(events)  # type: ignore[attr-defined]

    def events_of(self, row: Row) -> list[Any]:
        """All events of a row, in their order."""
        return [self.event_of(payload) for _seq, payload in self._payloads([row])[row.pk]]

    def replayed(self, row: Row) -> State:
        """The state that follows from the stored events."""
        return reduce(self.evolve, self.events_of(row), self.begin(row))

    def faults(self, rows: Iterable[Row]) -> Iterator[tuple[Row, str]]:
        """Rows whose events have a gap, or add up to another state than the one stored."""
        rows = list(rows)
        payloads = self._payloads(rows)
        for row in rows:
            if fault := self._fault(row, payloads[row.pk]):
                yield row, fault

    def _fault(self, row: Row, payloads: list[tuple[int, Any]]) -> str | None:
        last: int = row.seq  # type: ignore[attr-defined]
        if [seq for seq, _ in payloads] != list(range(1, last + 1)):
            return f"its events do not count from 1 to {last}"
        try:
            events = [self.event_of(payload) for _seq, payload in payloads]
            differs = self.stored(row) != reduce(self.evolve, events, self.begin(row))
        except (ValueError, LookupError, AssertionError, TypeError) as error:
            return f"its events or its state cannot be read: {error}"
        return "its stored state differs from its events" if differs else None

    def _payloads(self, rows: list[Row]) -> dict[Any, list[tuple[int, Any]]]:
        """The events of these rows in one query: (seq, payload), by seq."""
        found: dict[Any, list[tuple[int, Any]]] = defaultdict(list)
        stored = self.events._default_manager.filter(**{f"{self.owner}__in": rows})
        by_row = stored.order_by(f"{self.owner}_id", "seq")
        for key, seq, payload in by_row.values_list(f"{self.owner}_id", "seq", "payload"):
            found[key].append((seq, payload))
        return found
