"""Events and how they fold into a state. Pure: no framework, no clock.

An event is a struct with a `type` and is stored as JSON. A `Fold` makes the next state from a state
and an event by the one handler of the event's class, and checks no rule. What a machine asks for
again at once is remembered (`remembers_last`).
"""

from collections.abc import Callable
from functools import update_wrapper
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


Function = TypeVar("Function", bound=Callable[..., Any])


def remembers_last(work: Function) -> Function:
    """`work` with its last result cached, for calls with the very same objects.

    `work` is a pure function of one or two positional arguments, which are immutable like its
    result. They are compared by identity, and kept until the next call, so that no other object
    can take their place. Threads that call in turns only compute the result again.
    """
    last: tuple[tuple[object, ...], Any] = ((object(),), None)

    def answer(*asked: Any) -> Any:
        nonlocal last
        known, answered = last
        if known[0] is asked[0] and known[-1] is asked[-1]:
            return answered
        answered = work(*asked)
        last = (asked, answered)
        return answered

    return update_wrapper(answer, work)  # type: ignore[return-value]  # the same arguments, the same answer
