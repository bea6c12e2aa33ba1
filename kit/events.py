"""Events and how they fold into a state. Pure: no framework, no clock.

An event is a struct with a `type` and is stored as JSON. A `Fold` makes the next state from a state
and an event by the one handler of the event's class, and checks no rule.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

State = TypeVar("State")
Handler = TypeVar("Handler", bound=Callable[..., Any])


class JournalEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that has happened; it never changes."""


class TimedEvent(JournalEvent, frozen=True):
    """Something that happened at `at_ms` (milliseconds since 1970, UTC)."""

    at_ms: int


class Fold(Generic[State]):
    """The next state of a state and an event."""

    def __init__(self) -> None:
        self.handlers: dict[type[JournalEvent], Callable[[State, Any], State]] = {}

    def on(self, *kinds: type[JournalEvent]) -> Callable[[Handler], Handler]:
        """Handle events of these classes with the decorated function `(state, event) -> state`."""

        def register(handler: Handler) -> Handler:
            self.handlers.update(dict.fromkeys(kinds, handler))
            return handler

        return register

    def __call__(self, state: State, event: JournalEvent) -> State:
        """The state after `event`. Raises `TypeError` for an event that nothing handles."""
        handler = self.handlers.get(type(event))
        if handler is None:
            raise TypeError(f"nothing handles the event {type(event).__name__}")
        return handler(state, event)
