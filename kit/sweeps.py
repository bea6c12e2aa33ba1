"""Sweeps: the one way to go round what cannot be done, for everything that runs again and again.

An item that fails is noted with its error and left out for ten seconds, then twice as long each
time, up to an hour. So it keeps no other waiting, whatever the error was and however many fail. The
desk lists what is stuck, and it raises an alert. A house without a database ends the pass.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.db import connection, models, transaction
from django.utils import timezone

logger = logging.getLogger(__name__)

_Item = TypeVar("_Item")

FIRST: Final = timedelta(seconds=10)
LONGEST: Final = timedelta(hours=1)
ERROR_LENGTH: Final = 300


class Stuck(models.Model):
    """An item that a sweep could not do, since when, and when it is tried again."""

    sweep = models.CharField(max_length=60)
    item = models.CharField(max_length=100)
    failures = models.PositiveIntegerField(default=1)
    error = models.CharField(max_length=ERROR_LENGTH)
    since = models.DateTimeField(default=timezone.now)
    retry_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["sweep", "item"], name="stuck_once_a_sweep"),
        )
        indexes = (models.Index(fields=["sweep", "retry_at"], name="stuck_by_retry"),)

    def __str__(self) -> str:
        return f"{self.sweep} goes round {self.item}"


def stuck_items(sweep: str) -> list[str]:
    """The items that a sweep leaves out now; exclude them where the items are read."""
    waiting = Stuck.objects.filter(sweep=sweep, retry_at__gt=timezone.now())
    return list(waiting.values_list("item", flat=True))


def go_round(sweep: str, items: Iterable[_Item], act: Callable[[_Item], int | None]) -> int:
    """Do this for each item, and go round those that fail; return the sum of the answers.

    An item is named by its key if it is a row. `act` is a transaction of its own.
    """
    known = set(Stuck.objects.filter(sweep=sweep).values_list("item", flat=True))
    done = 0
    for item in items:
        name = str(item.pk if isinstance(item, models.Model) else item)
        try:
            with _unbroken():
                done += act(item) or 0
        except Exception as error:  # whatever it is, it stops this item and no other
            if not connection.is_usable():
                raise
            logger.exception("%s goes round %s", sweep, name)
            _note(sweep, name, error)
        else:
            if name in known:
                Stuck.objects.filter(sweep=sweep, item=name).delete()
    return done


@contextmanager
def _unbroken() -> Iterator[None]:
    """Keep the transaction around this usable, where there is one."""
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
    else:
        yield


def _note(sweep: str, item: str, error: Exception) -> None:
    now = timezone.now()
    found: dict[str, Any] = {"error": f"{type(error).__name__}: {error}"[:ERROR_LENGTH]}
    row, is_new = Stuck.objects.get_or_create(
        sweep=sweep, item=item, defaults={**found, "retry_at": now + FIRST}
    )
    if is_new:
        return
    wait = min(FIRST * 2 ** min(row.failures, 10), LONGEST)
    Stuck.objects.filter(pk=row.pk).update(**found, failures=row.failures + 1, retry_at=now + wait)
