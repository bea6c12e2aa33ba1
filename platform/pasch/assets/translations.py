"""Compiling the translations, which are kept as text only."""

import os
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def translations_compile(folder: Path) -> list[Path]:
    """Write the compiled file beside each translation that has changed; the files written."""
    written = []
    for source in sorted(folder.rglob("LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        compiled = _compiled(source)
        if target.exists() and target.read_bytes() == compiled:
            continue  # only the time is newer, as in a copy; the folder may be read-only
        unfinished = target.with_suffix(f".mo.{os.getpid()}")
        unfinished.write_bytes(compiled)
        unfinished.replace(target)
        written.append(target)
    return written


def _compiled(source: Path) -> bytes:
    """The compiled form of a translation."""
    with source.open("rb") as lines:
        catalog = read_po(lines, locale=source.parts[-3])
    output = BytesIO()
    write_mo(output, catalog)
    return output.getvalue()
