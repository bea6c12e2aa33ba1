"""The errors of match files."""

from __future__ import annotations


class FormatError(ValueError):
    """The file does not follow its format, or its match cannot have been played.

    ``line`` and ``column`` count from 1 and are None where the fault has no place in the text;
    ``path`` names the place in a JSON document instead.
    """

    code = "broken_file"

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
    ) -> None:
        place = f"line {line}" if line is not None else ""
        if column is not None:
            place += f", column {column}"
        place = place or path or ""
        super().__init__(f"{place}: {message}" if place else message)
        self.reason = message
        self.line = line
        self.column = column
        self.path = path


class RecordError(FormatError):
    """An action does not fit the game so far; readers add the position."""

    code = "impossible_match"


class UnsupportedRecord(FormatError):
    """The record is sound, but this format has no way to write it."""

    code = "unsupported_record"
