"""A planted delay: an effect that belongs in a transaction comes some time after its commit."""

import time
from collections.abc import Callable
from typing import Final

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
