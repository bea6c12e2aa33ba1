"""A folder of backups, and the moments to which the database can be brought back from it.

It holds `base/<time>/` (a copy of the data folder, and `about.json`), `wal/` with the archived
segments of the server's log, and `left/<time>/` with the last segments of branches that were left.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pasch.backups.branches import Branch, place
from pasch.servers.embedded import EmbeddedError

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


FIRST: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Reach:
    """A branch, and from when to when a house can be brought back to it."""

    branch: Branch
    bases: tuple[Base, ...]
    """The copies from which the branch is reached, the oldest first."""
    earliest: datetime
    latest: datetime | None
    """None: nothing has happened on it yet."""

    def holds(self, moment: datetime) -> bool:
        """Whether the house was on this branch at that moment."""
        return self.latest is not None and self.earliest <= moment <= self.latest

    def __str__(self) -> str:
        if self.latest is None:
            return f"branch {self.branch.number}: nothing yet"
        return f"branch {self.branch.number}: {_shown(self.earliest)} to {_shown(self.latest)}"


@dataclass(frozen=True, slots=True)
class Aim:
    """Where to go: the copy to begin with, and the branch to follow."""

    base: Base
    reach: Reach


def reaches(bases: list[Base], branches: list[Branch]) -> list[Reach]:
    """The moments that can be restored, branch by branch."""
    found = []
    for branch in branches:
        own = [base for base in bases if base.branch == branch.number]
        before = [base for base in bases if _is_before(base, branch)]
        usable = tuple(sorted([*before, *own], key=lambda base: base.ended_at))
        starts = [base.ended_at for base in own]
        if before and branch.began_at:
            starts.append(branch.began_at)
        if usable:
            earliest = min(starts, default=usable[-1].ended_at)
            found.append(Reach(branch, usable, earliest, branch.ended_at if starts else None))
    return found


def aim(found: list[Reach], *, to: datetime | None, number: int | None, current: int | None) -> Aim:
    """The copy and the branch for a moment (None: the last one there is).

    `number` is the requested branch, `current` the one that the house is on. Raises
    `EmbeddedError` if the moment is on no branch or on several.
    """
    if number is not None and number not in {each.branch.number for each in found}:
        raise EmbeddedError("no_branch", f"There is no branch {number}. {_listed(found)}")
    asked = [each for each in found if number in (None, each.branch.number)]
    if not asked:
        raise EmbeddedError("no_backup", "There is no backup with its log.")
    if to is None:
        ours = [each for each in asked if each.branch.number == current]
        reach = max(ours or asked, key=lambda each: each.latest or FIRST)
        return Aim(reach.bases[-1], reach)
    fitting = [each for each in asked if each.holds(to)]
    if len(fitting) != 1:
        raise _no_aim(to, asked, fitting)
    (reach,) = fitting
    return Aim([base for base in reach.bases if base.ended_at <= to][-1], reach)


def _no_aim(to: datetime, asked: list[Reach], fitting: list[Reach]) -> EmbeddedError:
    """The error for a moment on no branch or on several."""
    if fitting:
        numbers = " and ".join(str(each.branch.number) for each in fitting)
        text = f"{_shown(to)} lies on branches {numbers}; say which with --branch."
        return EmbeddedError("several_branches", f"{text} {_listed(fitting)}")
    if to > max(each.latest or FIRST for each in asked):
        text = f"The log ends before {_shown(to)}; leave the moment out to restore all there is."
        return EmbeddedError("not_reached", f"{text} {_listed(asked)}")
    if to < min(each.earliest for each in asked):
        text = f"There is no backup that was finished before {_shown(to)}."
        return EmbeddedError("no_backup", f"{text} {_listed(asked)}")
    text = f"{_shown(to)} lies on no branch: the house was closed then."
    return EmbeddedError("no_branch", f"{text} {_listed(asked)}")


def _is_before(base: Base, branch: Branch) -> bool:
    """Whether a copy was finished on a way that leads to a branch, before that left the way."""
    left = branch.leaves(base.branch)
    return left is not None and base.ends_in_log <= left


def _listed(found: list[Reach]) -> str:
    return f"What can be reached is {'; '.join(map(str, found))}." if found else ""


def _shown(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}Z"
