"""Planted faults in chouettes: what belongs in one transaction is done after it."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.soak.late import after_the_commit
from bench.soak.swapping import swap


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
    "chouette_paid_after_the_commit": _chouette_paid_after_the_commit,
    "chouette_journal_after_the_commit": _chouette_journal_after_the_commit,
}
