"""The exercises of the house: a small set that comes with the project, and what is made later.

The set is stored after the migrations, so that a house has exercises on its first day.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.db import connections

from analysis.models import Exercise

#: made by `manage.py exercises_make --file`; a line is a row, and its place is its number.
FILE: Final = Path(__file__).with_name("house_set.jsonl")

FROM_FILE: Final = "house"
SELF_PLAY: Final = "self_play"


@cache
def lines_of_file() -> tuple[dict[str, Any], ...]:
    """The rows of the file."""
    text = FILE.read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def house_exercises() -> list[Exercise]:
    """All exercises of the house, those of the file first."""
    return list(Exercise.objects.order_by("number", "pk"))


def set_store(*, using: str, **_: Any) -> None:
    """Store what is missing of the file; after the migrations, once there is the table for it."""
    if Exercise._meta.db_table not in connections[using].introspection.table_names():
        return
    if Exercise.objects.filter(source=FROM_FILE).count() == len(lines_of_file()):
        return
    numbered = enumerate(lines_of_file())
    _store([Exercise(**row, source=FROM_FILE, number=number) for number, row in numbered])


def rows_store(rows: Iterable[dict[str, Any]]) -> int:
    """Store exercises that were made on this machine; how many are new."""
    before = Exercise.objects.count()
    _store([Exercise(**row, source=SELF_PLAY) for row in rows])
    return Exercise.objects.count() - before


def _store(rows: list[Exercise]) -> None:
    Exercise.objects.bulk_create(rows, ignore_conflicts=True)
