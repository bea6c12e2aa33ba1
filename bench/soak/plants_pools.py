"""Planted faults in tournaments: what belongs in one transaction is done after it."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.soak.late import after_the_commit
from bench.soak.swapping import swap


def _prizes_after_the_commit() -> None:
    from tournaments.services import running

    right = running._pay

    def pay(work: Any, prizes: dict[int, int]) -> None:
        after_the_commit(partial(right, work, prizes))

    swap(running, "_pay", pay)


def _meetings_after_the_commit() -> None:
    from tournaments.services import running

    right = running._meetings_keep

    def keep(work: Any) -> None:
        after_the_commit(partial(right, work))

    swap(running, "_meetings_keep", keep)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "prizes_after_the_commit": _prizes_after_the_commit,
    "meetings_after_the_commit": _meetings_after_the_commit,
}
