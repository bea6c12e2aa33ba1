"""Every change a superuser or the application's role may try: `python -m bench.tamper [--only N]`.

A house is furnished in which everything has happened (bench/tamper/furnish.py) and sealed, with the
roots in a file outside. Each change of bench/tamper/changes.py is then made in a transaction of its
own, which is rolled back after the audit; a line reports whether it was refused, found (and by
which checks), or undetected. The exit status is 1 when one is undetected and not among those that
docs/security.md names.
"""

import argparse
import sys
import time
from typing import Final

from bench.tamper import cases
from harness.servers import house_opened

NAMED: Final[frozenset[str]] = frozenset(cases.NAMED)
"""Changes that docs/security.md names as not detectable, six at most."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", type=int, help="try this many, spread over all")
    parser.add_argument("--like", default="", help="try those whose name holds this")
    chosen = parser.parse_args()
    with house_opened() as folder:
        sys.exit(1 if _run(chosen.only, chosen.like, f"{folder}/seals.log") else 0)


def _run(only: int | None, like: str, seal_file: str) -> int:
    """How many were undetected and not named."""
    from django.conf import settings

    from bench.tamper.changes import CHANGES
    from bench.tamper.furnish import furnish
    from bench.tamper.trial import trial_prepare, tried

    began = time.perf_counter()
    settings.LEDGER_SEAL_FILE = seal_file
    furnish()
    facts = trial_prepare()
    print(f"furnished in {time.perf_counter() - began:.0f} s", flush=True)
    changes = [change for change in CHANGES if like in change.name]
    step = max(1, len(changes) // only) if only else 1
    undetected, counts = 0, {"refused": 0, "found": 0, "undetected": 0}
    for change in changes[::step]:
        outcome = tried(change, facts)
        counts[outcome.split(" ")[0].rstrip(":")] += 1
        named = outcome == "undetected" and change.name in NAMED
        undetected += outcome == "undetected" and not named
        print(
            f"{change.who:24} {change.name:45} {outcome}{' (named)' if named else ''}", flush=True
        )
    took = time.perf_counter() - began
    print(", ".join(f"{count} {what}" for what, count in counts.items()), f"in {took:.0f} s")
    return undetected


if __name__ == "__main__":
    main()
