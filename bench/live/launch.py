"""Start a web server for the bench: without the limit of frames, or with a bare application.

`python -m bench.live.launch [--application MODULE:NAME] [--samples FILE] -- MODULE`. An application
is served by `pasch.serve`, with the settings of the house. The product has no switch for the limit:
it is lifted here, before the module runs.
"""

import argparse
import os
import runpy
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

SAMPLE_SECONDS: Final = 0.005
WRITE_SECONDS: Final = 1.0


def frames_unlimited() -> None:
    """At one table two programs play faster than any person may: take every frame they send."""
    from games.live import delivery

    def take(self: "delivery.FrameBucket", now: float) -> bool:
        return True

    delivery.FrameBucket.take = take  # type: ignore[method-assign]  # that is the point
    budgets_unlimited()


def budgets_unlimited() -> None:
    """Take whatever a connection sends."""
    from pasch.web.budgets import Budget

    def read(self: Budget, size: int, now: float) -> bool:
        return True

    def frame(self: Budget) -> bool:
        return True

    Budget.read, Budget.frame = read, frame  # type: ignore[method-assign]  # that is the point


def samples_write(path: str) -> None:
    """From now on keep writing which Python stacks the threads of this process are seen in."""
    counts: Counter[str] = Counter()

    def look() -> None:
        own, written = threading.get_ident(), time.monotonic()
        while True:
            time.sleep(SAMPLE_SECONDS)
            for thread, frame in sys._current_frames().items():
                if thread != own:
                    counts[_collapsed(frame)] += 1
            if time.monotonic() - written > WRITE_SECONDS:
                written = time.monotonic()
                text = "".join(f"{stack} {count}\n" for stack, count in counts.items())
                Path(path).write_text(text, encoding="utf-8")

    threading.Thread(target=look, daemon=True).start()


def _collapsed(frame: FrameType | None) -> str:
    """A stack as py-spy writes it: outermost first, each with its file and line."""
    named = []
    while frame is not None:
        code = frame.f_code
        named.append(f"{code.co_name} ({code.co_filename}:{frame.f_lineno})")
        frame = frame.f_back
    return ";".join(reversed(named))


def main() -> None:
    """Serve the requested application, or run the module without the limit of frames."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--application", default="")
    parser.add_argument("--samples", default="")
    parser.add_argument("module", nargs="+")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    if asked.samples:
        samples_write(asked.samples)
    if asked.application:
        from pasch import serve

        budgets_unlimited()
        sys.exit(serve.main(asked.application))
    frames_unlimited()
    sys.argv = asked.module
    runpy.run_module(asked.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
