"""When copies of the database were last made, and sent to another place.

Whatever makes them notes it in the database, because the house usually may not look into their
folder: `deploy/postgres/note.sh` as a row of heartbeats, `manage.py backup` by `copy_note`.
"""

from datetime import datetime
from typing import Final

from games.models import Heartbeat
from kit.database import database_now_ms, moment

COPY: Final = "copy"
OFFSITE: Final = "offsite"


def copy_note() -> None:
    """Write down that a copy was just made."""
    now = moment(database_now_ms())
    Heartbeat.objects.update_or_create(role=COPY, defaults={"beat_at": now})


def copied_at(role: str) -> datetime | None:
    """The time of the last copy (`COPY`, `OFFSITE`); None if none was ever noted."""
    return Heartbeat.objects.filter(role=role).values_list("beat_at", flat=True).first()


def copies_noted() -> dict[str, datetime]:
    """The time of the last copy by role, of those that were ever noted."""
    rows = Heartbeat.objects.filter(role__in=(COPY, OFFSITE))
    return dict(rows.values_list("role", "beat_at"))
