"""All that is stored about people, from all apps; only the site sees all of them.

An app lists it in its `personal_data.py`, a kind of table in its `kind.py`. An export is a ZIP with
one JSON file a part, and one a match. It is written to a file on the disk, row by row, so its size
in memory does not grow with the account. Each part is read by itself: what changes meanwhile may be
in one part and not in another.
"""

import json
import zipfile
from collections.abc import Iterator
from typing import IO, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts import personal_data as of_people
from accounts.models import User
from analysis import personal_data as of_analysis
from fairplay import personal_data as of_fair_play
from games.kinds import kinds
from games.models import Match
from games.personal_data import match_files
from kit.personal_data import Erased, ExportPart, PersonalData, Row, rows_erase
from ledger import personal_data as of_credits
from ratings import personal_data as of_ratings

SUBJECTS_AT_ONCE: Final = 500


def _all() -> tuple[PersonalData, ...]:
    apps = (of_people, of_credits, of_ratings, of_analysis, of_fair_play)
    return (*(app.PERSONAL_DATA for app in apps), *(kind.personal_data for kind in kinds()))


def parts() -> tuple[ExportPart, ...]:
    """All parts of an export."""
    found = (part for data in _all() for part in data.parts)
    return (*found, ExportPart("decisions_about_matches", _match_decisions, frozenset()))


def left_out() -> dict[str, str]:
    """The foreign keys that no part follows, with the reasons."""
    return {column: why for data in _all() for column, why in data.all_left_out.items()}


def erased() -> tuple[Erased, ...]:
    """The rows that go with a person."""
    return tuple(rows for data in _all() for rows in data.erased)


def kept() -> dict[str, str]:
    """The foreign keys to a person that stay, with the reasons."""
    return {column: why for data in _all() for column, why in data.all_kept.items()}


def person_erase(person: User) -> None:
    """Erase a person in the caller's transaction; the account stays, with its number as a name."""
    for data in reversed(_all()[1:]):
        rows_erase(data.erased, person.pk)
    of_people.person_erase(person)


def _match_decisions(person: User) -> Iterator[Row]:
    """Decisions of administrators about matches of the person."""
    subjects: list[str] = []
    for number in (0, 1):
        keys = Match.objects.filter(**{f"player_{number}": person}).values_list("pk", flat=True)
        for key in keys.iterator():
            subjects.append(f"match:{key}")
            if len(subjects) == SUBJECTS_AT_ONCE:
                yield from of_credits.journal_rows(subjects)
                subjects = []
    yield from of_credits.journal_rows(subjects)


VERSION: Final = 1
"""Of the layout; `index.json` has it."""


def export_write(person: User, file: IO[bytes]) -> None:
    """Write the data stored about this person into the file, as a ZIP."""
    made_at = timezone.now()
    counts = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts():
            counts[f"{part.name}.json"] = _part_write(archive, part, person)
        for name, text in match_files(person):
            archive.writestr(f"matches/{name}", text)
        index = {
            "version": VERSION,
            "name": person.username,
            "made_at": made_at,
            "rows": counts,
            "left_out": left_out(),
        }
        archive.writestr("index.json", _json(index, indent=2))


def _part_write(archive: zipfile.ZipFile, part: ExportPart, person: User) -> int:
    """Write a part as a JSON array, one row a line; the number of rows."""
    count = 0
    with archive.open(f"{part.name}.json", "w", force_zip64=True) as file:
        file.write(b"[")
        for row in part.rows(person):
            file.write(b",\n" if count else b"\n")
            file.write(_json(row).encode())
            count += 1
        file.write(b"\n]\n")
    return count


def _json(value: object, *, indent: int | None = None) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)
