"""Start a web server for the bench: without the limit of frames, or with a bare application.

`python -m bench.live.launch [--application MODULE:NAME] -- MODULE`. The product has no switch for
either: what is changed is changed here, before the module runs.
"""

import argparse
import os
import runpy
import sys
from typing import Any


def frames_unlimited() -> None:
    """At one table two programs play faster than any person may: take every frame they send."""
    from games.live import limits

    def take(self: "limits.FrameBucket", now: float) -> bool:
        return True

    limits.FrameBucket.take = take  # type: ignore[method-assign]  # that is the point


def application_replace(application: str) -> None:
    """Let the module serve another application with everything else as it is."""
    import uvicorn

    run = uvicorn.run

    def served(_: object, **settings: Any) -> None:
        run(application, **settings)

    uvicorn.run = served  # type: ignore[assignment]  # that is the point


def main() -> None:
    """Do what was asked for, then become the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--application", default="")
    parser.add_argument("module", nargs="+")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    if asked.application:
        application_replace(asked.application)
    else:
        frames_unlimited()
    sys.argv = asked.module
    runpy.run_module(asked.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
