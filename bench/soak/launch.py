"""Start a process of the house with a planted fault or a wrong clock: the soak's own launcher.

`python -m bench.soak.launch --planted NAME --clock SECONDS -- MODULE [ARGUMENT …]`. The product
has no code for either: all changes are made here, before the module runs.
"""

import argparse
import datetime as datetime_module
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


def main() -> None:
    """Apply the options, then become the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--planted", default="")
    parser.add_argument("--clock", type=int, default=0)
    parser.add_argument("module", nargs="+")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    if asked.clock:
        move_clock(asked.clock)
    if asked.planted:
        import django

        django.setup()
        from bench.soak.plants import plant

        plant(asked.planted)
    sys.argv = asked.module
    runpy.run_module(asked.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
