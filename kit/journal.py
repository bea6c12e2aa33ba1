"""Journals: rows whose truth is a list of events without a gap, and whose state is a cache.

A `Journal` says where one kind of row keeps its events and its state; everybody who stores, replays
or audits them goes through it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from django.db.models import Model

from kit.events import JournalEvent


class JournalledRow(Protocol):
    """A row with a journal: `seq` counts its events, `state` is what follows from them."""

    pk: Any
    seq: int
    state: Any


State = TypeVar("State")
Row = TypeVar("Row", bound=JournalledRow)


@dataclass(frozen=True, kw_only=True)
class Journal(Generic[Row, State]):
    """Where one kind of row keeps its events and its state, and how they hang together.

    `events` has `seq` and `payload`, and names its row by `owner`; `event` is the union of their
    classes, `state` the class of the state, and `begin` makes the one before the first event.
    """

    events: type[Model]
    owner: str
    event: Any
    state: type[State]
    begin: Callable[[Row], State]
    evolve: Callable[[State, Any], State]

    def append(self, row: Row, events: Sequence[JournalEvent], state: State) -> None:
        """Store new events and the state after them; the caller holds the lock, and saves."""
        manager = self.events._default_manager
        manager.bulk_create(
            self.events(**{self.owner: row, "seq": seq, "payload": msgspec.to_builtins(event)})
            for seq, event in enumerate(events, row.seq + 1)
        )
        row.seq += len(events)
        row.state = self.plain(state)

    def plain(self, state: State) -> Any:
        """A state as JSON."""
        return msgspec.to_builtins(state, str_keys=True)

    def stored(self, row: Row) -> State:
        """The state that is cached in the row."""
        return msgspec.convert(row.state, self.state, str_keys=True)

    def event_of(self, payload: Any) -> Any:
        """An event as it was stored."""
        return self._decoder.decode(msgspec.json.encode(payload))

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        # over text: converting builds the union of all events anew for each event
        return msgspec.json.Decoder(self.event)

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
        if [seq for seq, _ in payloads] != list(range(1, row.seq + 1)):
            return f"its events do not count from 1 to {row.seq}"
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
