"""Bytes of the database for a finished match: `python -m bench.growth [--matches 200] [--json]`.

Matches of every mode are played through the services by the simulator (harness/simulator/booked.py)
in a house of their own. With --fair N they are matches to five points with fair dice instead, both
players with chains, and one leaves after N rolls. For each table of the database the growth is
divided by the matches: rows (heap), indexes and TOAST, after VACUUM FULL, so without free space.
The first columns are those as played, the last one is what is kept for ever: after answers to
commands are forgotten (games/services/answers.py), and events and rolls are packed
(games/services/packing.py). With --rounds N as many matches are played N times more, each time
packed and followed by a plain VACUUM as autovacuum does it, and the files of games_tableevent are
printed: they stay as large as what is not packed.
"""

import argparse
import json
import time
from datetime import timedelta
from typing import Any

from harness.servers import house_opened

_SIZES = """
SELECT c.relname, pg_relation_size(c.oid, 'main'), pg_indexes_size(c.oid),
       coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY c.relname
"""

STEPS = (
    ("played", "as played"),
    ("forgotten", "without old answers to commands"),
    ("kept", "with events and rolls packed: kept for ever"),
)

Sizes = dict[str, tuple[int, int, int]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fair", type=int, default=0, metavar="N", help="rolls of fair dice")
    parser.add_argument("--rounds", type=int, default=0, help="play and pack so often again")
    parser.add_argument("--json", action="store_true", help="one object, bytes a match")
    chosen = parser.parse_args()
    with house_opened():
        found = measured(chosen.matches, chosen.seed, chosen.rounds, chosen.fair)
    print(json.dumps(found) if chosen.json else _shown(found))


def measured(tables: int, seed: int, rounds: int, fair: int = 0) -> dict[str, Any]:
    """Play so many tables; the bytes a finished match, of each table and in all.

    With `fair` every match has so many rolls of fair dice.
    """
    from django.conf import settings

    from games.kinds import answers_forget
    from games.models import CommandRecord, DiceRoll, Match
    from games.services.answers import KEPT
    from harness.simulator.booked import booked_table, players

    if not fair:
        settings.DICE_SOURCE = "harness.simulator.booked.RandomDice"
    people = players()
    empty = _sizes()
    for number in range(tables):
        if fair:
            _fair_match(people, fair)
        else:
            booked_table(seed, number, people)
    played = _sizes()
    matches = Match.objects.filter(ended_at__isnull=False).count()
    rolls = DiceRoll.objects.count()
    for record in (rows := CommandRecord.objects.all()):
        record.stored_at -= 2 * KEPT
    CommandRecord.objects.bulk_update(rows, ["stored_at"], batch_size=1000)
    answers_forget()
    forgotten = _sizes()
    packed, took = _pack()
    kept = _sizes()
    files = []
    for turn in range(rounds):
        for number in range(tables):
            if fair:
                _fair_match(people, fair)
            else:
                booked_table(seed, (turn + 1) * tables + number, people)
        before = _event_files()
        _pack()
        files.append([before, _event_files()])
    return {
        "matches": matches,
        "fair_rolls_a_match": round(rolls / matches, 1),
        "packed_tables": packed,
        "packing_ms_a_table": round(1000 * took / packed, 1),
        "played": _a_match(empty, played, matches),
        "forgotten": _a_match(empty, forgotten, matches),
        "kept": _a_match(empty, kept, matches),
        "event_files": files,
    }


def _fair_match(people: Any, rolls: int) -> None:
    """A match with fair dice: both play the first legal play, and one leaves after these rolls."""
    from games.models import GameDice
    from games.table import commands as cmd
    from harness.chains import Client
    from harness.sitting import play_on, seated

    sitting = seated(*people)
    clients = tuple(Client(user, seat) for seat, user in enumerate(people))
    while sitting.state.phase != "over":
        if sitting.table.fair["open"] is None:  # the dice of the next game
            for client in clients:
                client.begin(sitting.table)
        if sitting.state.phase == "between_games":
            for seat in (0, 1):
                sitting.give(seat, cmd.Ready())
        play_on(sitting, clients, 1)
        fallen = GameDice.objects.filter(table=sitting.pk).values_list("next_roll", flat=True)
        if sum(fallen) >= rolls and sitting.state.phase != "over":
            sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())


def _pack() -> tuple[int, float]:
    """Pack all closed tables and make the space free; how many, and the seconds."""
    from django.db import connection

    from games.services.packing import tables_pack
    from ledger.seals import books_seal

    books_seal()
    began = time.perf_counter()
    packed = tables_pack(older_than=timedelta(0))
    took = time.perf_counter() - began
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (TRUNCATE false) games_tableevent")
    return packed, took


def _event_files() -> int:
    """The bytes of the rows and indexes of events."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('games_tableevent')")
        return int(cursor.fetchone()[0])


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
    columns = ("heap", "indexes", "TOAST", "played", "kept")
    lines = ["".join(f"{column:>10}" for column in columns) + "  bytes a finished match"]
    nothing = [0, 0, 0]
    played, kept = found["played"], found["kept"]
    for name in sorted(
        played.keys() | kept.keys(), key=lambda name: -sum(played.get(name, nothing))
    ):
        sizes, rest = played.get(name, nothing), sum(kept.get(name, nothing))
        lines.append("".join(f"{size:>10,}" for size in (*sizes, sum(sizes), rest)) + f"  {name}")
    for step, words in STEPS:
        total = sum(sum(sizes) for sizes in found[step].values())
        lines.append(f"{total:>50,}  {words}, {found['matches']} matches")
    lines.append(f"{found['fair_rolls_a_match']:>50,}  rolls of fair dice a match")
    lines.append(
        f"{found['packing_ms_a_table']:>50,}  ms to pack a table, {found['packed_tables']} tables"
    )
    for number, (before, after) in enumerate(found["event_files"], 1):
        lines.append(
            f"{before:>40,}{after:>10,}  bytes of rows of events before and after packing,"
            f" round {number}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
