"""Hostile messages against parser and services: `python -m bench.hostile [--messages N]`.

In one process with a real database: what parses is given to the service, the rest is refused by the
parser. Nothing may change at the tables, nothing may be raised but typed errors. Kinds of message:
unknown and malformed frames, real frames with bytes changed, oversized fields, commands that only
the house may give, strange arguments, wrong tables, strangers, the wrong turn, repetitions and old
views, and everything again at a table whose match is over.
"""

import argparse
import os
import sys
import time
from collections import Counter
from random import Random
from tempfile import mkdtemp

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    begin = time.perf_counter()
    counts = run(chosen.messages, chosen.seed)
    took_s = time.perf_counter() - begin
    for answer, count in counts.most_common():
        print(f"{count:>10}  {answer}")
    print(f"{chosen.messages} messages of seed {chosen.seed} in {took_s:.0f} s, nothing changed")


def run(messages: int, seed: int) -> Counter[str]:
    """Send the messages at tables of a database of their own; how each was answered."""
    from tests.servers import servers_start, servers_stop

    os.environ.setdefault("PASCH_TEST_HOME", mkdtemp(prefix=f"pasch-test-{os.getpid()}-"))
    servers_start()
    try:
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from tests.simulator.hostile import Siege

        siege = Siege(Random(seed))
        try:
            return siege.send(messages)
        except Exception:
            print(f"message {siege.sent}: {siege.last[:500]!r}", file=sys.stderr)
            raise
    finally:
        servers_stop()


if __name__ == "__main__":
    main()
