"""A folder of backups.

It holds `base/<time>/` (a copy of the data folder, and `about.json`), `wal/` with the archived
segments of the server's log, and `left/<time>/` with the last segments of branches that were left.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pasch.backups.branches import place

STAMP: Final = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backups:
    """A folder of backups."""

    root: Path

    @property
    def wal(self) -> Path:
        """The folder of archived segments of the log."""
        return self.root / "wal"

    @property
    def left(self) -> list[Path]:
        """The folders with the last segments of branches that were left, the latest first."""
        return sorted(self.root.glob("left/*"), reverse=True)

    def bases(self) -> list["Base"]:
        """The finished copies, the oldest first."""
        return [Base(path.parent) for path in sorted(self.root.glob("base/*/about.json"))]


@dataclass(frozen=True, slots=True)
class Base:
    """One copy of the data folder."""

    folder: Path

    @property
    def data(self) -> Path:
        """The copy itself."""
        return self.folder / "data"

    @property
    def about(self) -> dict[str, str]:
        """`ended_at` (from then on it can be used), and the fingerprints of keys by their names."""
        about: dict[str, str] = json.loads((self.folder / "about.json").read_text())
        return about

    @property
    def ended_at(self) -> datetime:
        """The moment from which on it can be used."""
        return datetime.fromisoformat(self.about["ended_at"])

    def first_piece(self) -> str:
        """The first segment of the log that it needs."""
        label = (self.data / "backup_label").read_text()
        return label.split("(file ")[1].split(")")[0]

    @property
    def branch(self) -> int:
        """The branch it was made on."""
        return int(self.first_piece()[:8], 16)

    @property
    def ends_in_log(self) -> int:
        """The place in the log from which on it can be used."""
        manifest = json.loads((self.data / "backup_manifest").read_text())
        return max(place(each["End-LSN"]) for each in manifest["WAL-Ranges"])
