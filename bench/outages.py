"""How long a full house needs to give an outage back: `python -m bench.outages [--tables 5000]`.

One match is begun through the services in a house of its own, and its table is copied with its
events in SQL. Then an outage waits, and sweeps give it back one after the other. Printed are the
calls, the longest of them, and the seconds of all; `--json` gives one object.
"""

import argparse
import json
import os
import time
from tempfile import mkdtemp
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

_COPIES = """
CREATE TEMP TABLE copies AS SELECT gen_random_uuid() AS id FROM generate_series(1, %(tables)s - 1);
INSERT INTO games_table (id, opener_id, guest_id, mode, variant, stake_cents, phase, seq, state,
                         people, created_at, changed_at, version, arranged)
SELECT c.id, opener_id, guest_id, mode, variant, stake_cents, phase, seq, state, people, created_at,
       changed_at, version, arranged
FROM games_table t CROSS JOIN copies c WHERE t.id = %(table)s;
INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
SELECT c.id, seq, type, payload, stored_at
FROM games_tableevent e CROSS JOIN copies c WHERE e.table_id = %(table)s ORDER BY c.id, seq;
INSERT INTO games_deadline (table_id, due_at)
SELECT c.id, due_at FROM games_deadline d CROSS JOIN copies c WHERE d.table_id = %(table)s;
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=5_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    os.environ.setdefault("PASCH_TEST_HOME", mkdtemp(prefix=f"pasch-test-{os.getpid()}-"))
    from tests.servers import servers_start, servers_stop

    servers_start()
    try:
        found = measured(asked.tables)
    finally:
        servers_stop()
    print(json.dumps(found) if asked.json else _shown(found))


def measured(tables: int) -> dict[str, Any]:
    """Give an outage back to so many tables."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from accounts.models import User
    from games.models import Outage
    from games.services.outages import WEB, outages_credit
    from games.services.tables import table_join, table_open
    from kit.database import database_now_ms, moment

    call_command("migrate", verbosity=0)
    one, two = (User.objects.create_user(name) for name in ("ida", "otto"))
    table = table_open(user=one, mode="normal")
    table_join(user=two, table_id=table.pk)
    now_ms = database_now_ms()
    with connection.cursor() as cursor:
        cursor.execute(_COPIES, {"tables": tables, "table": table.pk})
        cursor.execute("ANALYZE")
    Outage.objects.create(role=WEB, began_at=moment(now_ms), ended_at=moment(now_ms + 60_000))
    calls, credited = [], 0
    began, began_cpu = time.perf_counter(), time.process_time()
    while Outage.objects.filter(credited_at=None).exists():
        before = time.perf_counter()
        credited += outages_credit()
        calls.append(time.perf_counter() - before)
    assert credited == tables, f"{credited} of {tables} tables got their time back"
    return {
        "tables": tables,
        "calls": len(calls),
        "longest_call_ms": round(1000 * max(calls)),
        "all_ms": round(1000 * (time.perf_counter() - began)),
        "python_ms": round(1000 * (time.process_time() - began_cpu)),
    }


def _shown(found: dict[str, Any]) -> str:
    return "\n".join(f"{value:>10,}  {name}" for name, value in found.items())


if __name__ == "__main__":
    main()
