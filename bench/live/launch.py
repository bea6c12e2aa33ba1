"""Start a web server for the bench, without the limit of frames.

`python -m bench.live.launch -- MODULE`. The product has no switch for the limit: it is lifted here,
before the module runs.
"""

import argparse
import os
import runpy
import sys


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
    """Run the module without the limit of frames."""
    parser = argparse.ArgumentParser()
    parser.add_argument("module", nargs="+")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    frames_unlimited()
    sys.argv = asked.module
    runpy.run_module(asked.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
