"""Lines of a file that its person corrects: the text as it came stays beside them.

A worker reads the whole text again, and the matches that it finds take the place of the earlier
ones. Without a changed line that is the earlier reading once more.
"""

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _

from analysis.imports.sending import ImportRefused
from analysis.models import ImportedFile
from backgammon.formats.registry import decoded, is_text
from kit.throttle import Rate, take

#: what may be changed: lines of a file, characters in each; and how often files are read again.
LINES_MOST: Final = 100
LINE_MOST: Final = 1_000
READ_AGAIN: Final = Rate(100, 86_400)


class TextNotKept(ImportRefused):
    """The bytes of the file are gone."""

    code = "text_not_kept"
    sentence = _("The text of this file is not here any more. Bring the file again.")


class FileBinary(ImportRefused):
    """The file has no lines."""

    code = "file_binary"
    sentence = _(
        "This is no text, so nothing in it can be corrected here. Save the match as .mat or SGF in "
        "the program that wrote it, and bring that."
    )


class FileWaits(ImportRefused):
    """A worker has not read the file yet."""

    code = "file_waits"
    sentence = _("The file is being read. Try again in a moment.")


class LinesRefused(ImportRefused):
    """The lines are too many, too long, or not in the file."""

    code = "lines_refused"
    sentence = _("You can change {lines} lines of a file, to {characters} characters each.")
    lines = LINES_MOST
    characters = LINE_MOST


class LinesSame(ImportRefused):
    """No line differs from what was read."""

    code = "lines_same"
    sentence = _("No line is changed.")


class ReadTooOften(ImportRefused):
    """This person has had enough files read again for a day."""

    code = "limit"
    sentence = _("You have brought enough for one day. Go on tomorrow.")


def lines_of(file: ImportedFile) -> list[str]:
    """Return the lines of a file as it came; none if it is no text or not kept."""
    data = bytes(file.content or b"")
    return decoded(data).splitlines() if is_text(data) else []


def corrected(file: ImportedFile) -> bytes:
    """Return the bytes that are read: those that came, with the changed lines."""
    data = bytes(file.content or b"")
    if not file.changes:
        return data
    lines = decoded(data).splitlines(keepends=True)
    for number, text in file.changes.items():
        line = lines[int(number) - 1]
        lines[int(number) - 1] = text + line[len(line.splitlines()[0]) :]
    return "".join(lines).encode()


@transaction.atomic
def lines_correct(file: ImportedFile, wanted: Mapping[int, str]) -> None:
    """Have a file read again with these lines, numbered from 1; the others are as they came.

    :raises ImportRefused: one of those above.
    """
    free = ImportedFile.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    kept = free.filter(pk=file.pk).first()  # a worker that reads it holds the lock
    if kept is None or kept.read_at is None:
        raise FileWaits
    file = kept
    if file.content is None:
        raise TextNotKept
    if not is_text(bytes(file.content)):
        raise FileBinary
    changes = _changes(lines_of(file), wanted)
    if changes == file.changes:
        raise LinesSame
    if not take("read-again", str(file.upload.person_id), READ_AGAIN):
        raise ReadTooOften
    file.changes, file.read_at, file.taken_at, file.tries = changes, None, None, 0
    file.save(update_fields=["changes", "read_at", "taken_at", "tries"])


def _changes(lines: list[str], wanted: Mapping[int, str]) -> dict[str, str]:
    """The wanted lines that differ from those of the file."""
    if any(not 1 <= number <= len(lines) for number in wanted):
        raise LinesRefused
    changes = {
        str(number): text for number, text in sorted(wanted.items()) if text != lines[number - 1]
    }
    if len(changes) > LINES_MOST or not all(map(_is_line, changes.values())):
        raise LinesRefused
    return changes


def _is_line(text: str) -> bool:
    """Whether this is one line, perhaps an empty one, and not too long."""
    return len(text) <= LINE_MOST and "\0" not in text and text.splitlines() in ([], [text])
