"""Questions with a time limit: a server that hangs costs the limit and no more.

Each question is asked in a daemon thread of its own. One that still waits for its answer is asked
again after half a minute only, so a server that hangs takes few threads and connections.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.db import connections

#: how long an answer is waited for, unless a caller says otherwise
LIMIT_SECONDS: Final = 3.0
#: a connection to a machine that is gone may wait for hours
AGAIN_SECONDS: Final = 30.0

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer: `error` is what it raised, None if it hangs."""

    error: Exception | None = None


@dataclass(slots=True, eq=False)
class _Asked:
    """A question that was asked."""

    future: Future[Any] = field(default_factory=Future)
    began: float = field(default_factory=time.monotonic)


_lock = threading.Lock()
_waiting: dict[str, _Asked] = {}


def asked(
    questions: Mapping[str, Callable[[], Answer]], *, seconds: float = LIMIT_SECONDS
) -> dict[str, Answer | Unanswered]:
    """Ask all at the same time; the answers by the names of the questions, in their order.

    A name stands for one question in the whole process. `seconds` is the limit for all together.
    """
    ends = time.monotonic() + seconds
    begun = {name: _begin(name, ask) for name, ask in questions.items()}
    found: dict[str, Answer | Unanswered] = {}
    for name, future in begun.items():
        answer = _answer(future, ends)
        found[name] = answer
    return found


def _begin(name: str, ask: Callable[[], Answer]) -> Future[Answer]:
    """The answer to come, of this question or of the same one that waits already."""
    with _lock:
        before = _waiting.get(name)
        if before is not None and time.monotonic() - before.began < AGAIN_SECONDS:
            return before.future
        this = _waiting[name] = _Asked()
    threading.Thread(target=_ask, args=(name, ask, this), daemon=True, name=f"ask {name}").start()
    return this.future


def _ask(name: str, ask: Callable[[], Answer], this: _Asked) -> None:
    answer: Answer | None = None
    error: Exception | None = None
    try:
        answer = ask()
    except Exception as raised:
        error = raised
    try:
        connections.close_all()
    finally:
        with _lock:
            if _waiting.get(name) is this:
                del _waiting[name]
        if error is not None:
            this.future.set_exception(error)
        else:
            this.future.set_result(answer)


def _answer(future: Future[Answer], ends: float) -> Answer | Unanswered:
    try:
        return future.result(max(0.0, ends - time.monotonic()))
    except TimeoutError as error:  # ours, or one that the question itself raised
        return Unanswered(error if future.done() else None)
    except Exception as error:
        return Unanswered(error)
