"""Compiling the translations, which are kept as text only."""

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def translations_compile(folder: Path) -> list[Path]:
    """Write the compiled file beside each translation that is newer; the files written."""
    written = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as lines:
            catalog = read_po(lines, locale=source.parts[-3])
        unfinished = target.with_suffix(f".mo.{os.getpid()}")
        with unfinished.open("wb") as output:
            write_mo(output, catalog)
        unfinished.replace(target)
        written.append(target)
    return written
