"""Writing an account's export: a ZIP with one JSON file a part, and one a match.

It is written to a file on the disk, row by row, so its size in memory does not grow with the
account. Each part is read by itself: what changes meanwhile may be in one part and not in another.
"""

import json
import zipfile
from typing import IO, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts.models import User
from games.personal_data import match_files
from kit.personal_data import ExportPart
from pasch.personal_data import left_out, parts

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
