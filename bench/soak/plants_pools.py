"""Planted faults in tournaments: what belongs in one transaction is done after it."""

import time
from collections.abc import Callable
from typing import Any, Final

from bench.soak.swapping import swap

LATE_SECONDS: Final = 0.4
"""How long the effect comes after the commit: a process that is killed meanwhile leaves it out."""


def _prizes_after_the_commit() -> None:
    from django.db import transaction

    from tournaments.services import running

    right = running._pay

    def pay(work: Any, prizes: dict[int, int]) -> None:
        def later() -> None:
            time.sleep(LATE_SECONDS)  # the planted delay
            with transaction.atomic():
                right(work, prizes)

        transaction.on_commit(later)

    swap(running, "_pay", pay)


def _meetings_after_the_commit() -> None:
    from django.db import transaction

    from tournaments.services import running

    right = running._meetings_keep

    def keep(work: Any) -> None:
        def later() -> None:
            time.sleep(LATE_SECONDS)  # the planted delay
            with transaction.atomic():
                right(work)

        transaction.on_commit(later)

    swap(running, "_meetings_keep", keep)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "prizes_after_the_commit": _prizes_after_the_commit,
    "meetings_after_the_commit": _meetings_after_the_commit,
}
