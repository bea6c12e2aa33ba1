"""Bytes of the database for a finished match: `python -m bench.growth [--matches 200] [--json]`.

Matches of every mode are played through the services by the simulator (tests/simulator/booked.py)
in a house of their own. For each table of the database the growth is divided by the matches: rows
(heap), indexes and TOAST, after VACUUM FULL, so without free space. The last lines are the sums
as played, and after answers to commands are forgotten (games/services/answers.py).
"""

import argparse
import json
import os
from tempfile import mkdtemp
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

_SIZES = """
SELECT c.relname, pg_relation_size(c.oid, 'main'), pg_indexes_size(c.oid),
       coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY c.relname
"""

Sizes = dict[str, tuple[int, int, int]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one object, bytes a match")
    chosen = parser.parse_args()
    os.environ.setdefault("PASCH_TEST_HOME", mkdtemp(prefix=f"pasch-test-{os.getpid()}-"))
    from tests.servers import servers_start, servers_stop

    servers_start()
    try:
        found = measured(chosen.matches, chosen.seed)
    finally:
        servers_stop()
    print(json.dumps(found) if chosen.json else _shown(found))


def measured(tables: int, seed: int) -> dict[str, Any]:
    """Play so many tables; the bytes a finished match, of each table and in all."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from games.models import CommandRecord, Match
    from games.services.answers import KEPT, answers_forget
    from tests.simulator.booked import booked_table, players

    settings.DICE_SOURCE = "tests.simulator.booked.RandomDice"
    call_command("migrate", verbosity=0)
    people = players()
    empty = _sizes()
    for number in range(tables):
        booked_table(seed, number, people)
    played = _sizes()
    matches = Match.objects.filter(ended_at__isnull=False).count()
    for record in (rows := CommandRecord.objects.all()):
        record.stored_at -= 2 * KEPT
    CommandRecord.objects.bulk_update(rows, ["stored_at"], batch_size=1000)
    answers_forget()
    kept = _sizes()
    return {
        "matches": matches,
        "played": _a_match(empty, played, matches),
        "kept": _a_match(empty, kept, matches),
    }


def _sizes() -> Sizes:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (FULL, ANALYZE)")
        cursor.execute(_SIZES)
        return {name: (heap, indexes, toast) for name, heap, indexes, toast in cursor.fetchall()}


def _a_match(before: Sizes, after: Sizes, matches: int) -> dict[str, list[int]]:
    grown = {
        name: [round((now - was) / matches) for now, was in zip(sizes, before[name], strict=True)]
        for name, sizes in after.items()
    }
    return {name: sizes for name, sizes in grown.items() if any(sizes)}


def _shown(found: dict[str, Any]) -> str:
    lines = [f"{'heap':>10}{'indexes':>10}{'TOAST':>10}{'all':>10}  bytes a finished match"]
    played = sorted(found["played"].items(), key=lambda item: -sum(item[1]))
    for name, sizes in played:
        lines.append("".join(f"{size:>10,}" for size in (*sizes, sum(sizes))) + f"  {name}")
    for step, words in (("played", "as played"), ("kept", "without old answers to commands")):
        total = sum(sum(sizes) for sizes in found[step].values())
        lines.append(f"{total:>40,}  {words}, {found['matches']} matches")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
