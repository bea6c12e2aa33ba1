"""Planted faults in chouettes: what belongs in one transaction is done after it."""

import time
from collections.abc import Callable
from typing import Any, Final

from bench.soak.swapping import swap

LATE_SECONDS: Final = 0.4


def _chouette_paid_after_the_commit() -> None:
    from django.db import transaction

    from chouette import settlement

    right = settlement.stakes_settle

    def settle(game: Any, paid: Any) -> None:
        def later() -> None:
            time.sleep(LATE_SECONDS)
            with transaction.atomic():
                right(game, paid)

        transaction.on_commit(later)

    swap(settlement, "stakes_settle", settle)


def _chouette_journal_after_the_commit() -> None:
    from django.db import transaction
    from django.db.models import QuerySet

    from chouette.models import CircleEvent

    right = QuerySet.bulk_create

    def create(self: Any, objs: Any, *args: Any, **kwargs: Any) -> Any:
        if self.model is not CircleEvent:
            return right(self, objs, *args, **kwargs)
        events = list(objs)

        def later() -> None:
            time.sleep(LATE_SECONDS)
            right(self, events, *args, **kwargs)

        if events:
            transaction.on_commit(later)
        return events

    swap(QuerySet, "bulk_create", create)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "chouette_paid_after_the_commit": _chouette_paid_after_the_commit,
    "chouette_journal_after_the_commit": _chouette_journal_after_the_commit,
}
