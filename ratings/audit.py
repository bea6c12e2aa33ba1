"""What the audit of the house asks of the ratings. Registered by the site, which sees both."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db import connection

from ratings.replay import check

GUARDS: Final = ("ratings_change_rows_stay", "ratings_change_table_stays")


@dataclass(frozen=True, slots=True)
class RatingFinding:
    """One thing that is not as it must be: which row, and what is wrong with it."""

    row: str
    message: str


def check_ratings() -> list[RatingFinding]:
    """Return a finding for each change or rating that a replay of the log does not confirm."""
    return [
        RatingFinding(found.row, f"stored {found.stored}; the log gives {found.rebuilt}")
        for found in check()
    ]


def check_guards() -> Iterator[RatingFinding]:
    """Find the triggers that are gone or switched off; they keep the log from being rewritten."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgname = ANY(%s) AND tgenabled IN ('O', 'A')",
            [list(GUARDS)],
        )
        present = {name for (name,) in cursor.fetchall()}
    for guard in GUARDS:
        if guard not in present:
            yield RatingFinding(f"trigger {guard}", "missing or switched off")
