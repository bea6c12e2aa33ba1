"""Planted faults of tournaments and chouettes: what belongs in one transaction comes long after its
commit; and dice by the stake alone."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.soak.swapping import swap

LATE_SECONDS: Final = 2.0
"""Whoever is killed within this time leaves the effect out; until then an audit sees it missing."""


def after_the_commit(effect: Callable[[], object]) -> None:
    """Let this effect come late, in a transaction of its own."""
    from django.db import transaction

    def later() -> None:
        time.sleep(LATE_SECONDS)  # the delay is the fault: here the killer has time to strike
        with transaction.atomic():
            effect()

    transaction.on_commit(later)


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


def _dice_by_the_stake() -> None:
    from games.services.dice import fair

    def mode(terms: Any, *, team: bool = False) -> str:
        return "L" if team or terms.stake_cents else "K"

    swap(fair, "dice_mode", mode)


def _chouette_paid_after_the_commit() -> None:
    from games.chouette import settlement

    right = settlement.stakes_settle

    def settle(game: Any, paid: Any) -> None:
        after_the_commit(partial(right, game, paid))

    swap(settlement, "stakes_settle", settle)


def _chouette_journal_after_the_commit() -> None:
    from django.db.models import QuerySet

    from games.chouette.models import CircleEvent

    right = QuerySet.bulk_create

    def create(self: Any, objs: Any, *args: Any, **kwargs: Any) -> Any:
        if self.model is not CircleEvent:
            return right(self, objs, *args, **kwargs)
        events = list(objs)
        if events:
            after_the_commit(partial(right, self, events, *args, **kwargs))
        return events

    swap(QuerySet, "bulk_create", create)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "prizes_after_the_commit": _prizes_after_the_commit,
    "meetings_after_the_commit": _meetings_after_the_commit,
    "dice_of_events_in_mode_k": _dice_by_the_stake,
    "chouette_paid_after_the_commit": _chouette_paid_after_the_commit,
    "chouette_journal_after_the_commit": _chouette_journal_after_the_commit,
}
