"""Start a process of a house with something that no house has: a wrong clock, no limit of frames.

`python -m harness.launch [--clock SECONDS] [--hurried] [--first MODULE:FUNCTION=WORD] -- MODULE`.
The product has no code for any of it: all changes are made here, before the module runs.
"""

import argparse
import datetime as datetime_module
import importlib
import os
import runpy
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

Number = TypeVar("Number", int, float)


def _later(right: Callable[[], Number], by: Number) -> Number:
    return right() + by


def move_clock(seconds: int) -> None:
    """Let Python's clock of this process go wrong by so much; steady clocks go on as before."""
    right, right_ns = time.time, time.time_ns
    # partials, because a function becomes a method where a class keeps its clock as an attribute
    time.time = partial(_later, right, seconds)
    time.time_ns = partial(_later, right_ns, seconds * 10**9)
    moved = datetime_module.timedelta(seconds=seconds)

    class Moved(datetime_module.datetime):
        """A datetime whose `now` is off."""

        @classmethod
        def now(cls, tz: datetime_module.tzinfo | None = None) -> "datetime_module.datetime":  # type: ignore[override]  # it gives the plain type
            return _right_datetime.now(tz) + moved

        @classmethod
        def utcnow(cls) -> "datetime_module.datetime":  # type: ignore[override]  # the same
            return _right_datetime.now(datetime_module.UTC).replace(tzinfo=None) + moved

    _right_datetime = datetime_module.datetime
    # Django's own clock is the one the product reads.
    from django.utils import timezone

    timezone.datetime = Moved


def frames_unlimited() -> None:
    """At one table two programs play faster than any person may: take every frame they send."""
    from games.live import delivery
    from pasch.web.budgets import Budget

    def take(self: "delivery.FrameBucket", now: float) -> bool:
        return True

    delivery.FrameBucket.take = take  # type: ignore[method-assign]  # that is the point

    def read(self: Budget, size: int, now: float) -> bool:
        return True

    def frame(self: Budget) -> bool:
        return True

    Budget.read, Budget.frame = read, frame  # type: ignore[method-assign]  # that is the point


def main() -> None:
    """Apply the options, then become the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--clock", type=int, default=0, help="how far ahead it goes")
    parser.add_argument("--hurried", action="store_true", help="take every frame")
    parser.add_argument("--first", default="", help="a function to call, and its argument")
    parser.add_argument("module", nargs="+")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    if asked.clock:
        move_clock(asked.clock)
    if asked.hurried:
        frames_unlimited()
    if asked.first:
        import django

        django.setup()
        place, _, word = asked.first.partition("=")
        module, _, function = place.partition(":")
        getattr(importlib.import_module(module), function)(word)
    sys.argv = asked.module
    runpy.run_module(asked.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
