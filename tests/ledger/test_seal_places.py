"""A second place for the roots of seals: a forgery in one place contradicts the other."""

import shlex
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from ledger.audit import run
from ledger.models import Seal
from ledger.seal_places import FilePlace, seal_places
from ledger.seals import books_seal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def places(tmp_path: Path, settings: Any) -> tuple[Path, Path]:
    """A file, and a file elsewhere that only commands reach."""
    near, far = tmp_path / "near.log", tmp_path / "far.log"
    far.touch()
    settings.LEDGER_SEAL_FILE = str(near)
    settings.LEDGER_SEAL_COMMAND = shlex.join(["sh", "-c", f"cat >> {shlex.quote(str(far))}"])
    settings.LEDGER_SEAL_READ_COMMAND = shlex.join(["cat", str(far)])
    return near, far


def found() -> list[str]:
    (result,) = run(only=["A11"]).results
    return [f"{finding.row}: {finding.message}" for finding in result.findings]


def test_every_place_gets_every_root_once(places: tuple[Path, Path], magriel: User) -> None:
    near, far = places
    books_seal()
    User.objects.create_user("hilde")
    books_seal()
    assert books_seal() == []
    assert near.read_text() == far.read_text()
    assert len(near.read_text().splitlines()) == Seal.objects.count() > 2
    assert found() == []


def test_who_seals_everything_anew_and_rewrites_the_file_is_told_apart_by_the_second_place(
    places: tuple[Path, Path], magriel: User
) -> None:
    near, _far = places
    books_seal()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE ledger_transfer SET memo = 'another'")
        cursor.execute("DELETE FROM ledger_seal WHERE stream = 'transfer'")
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
    near.unlink()
    books_seal()  # writes the file again, signed with the site's own key
    (line,) = [line for line in found() if "is another in the database" in line]
    assert line.startswith("sh -c")


def test_a_place_that_cannot_be_read_is_a_finding(
    places: tuple[Path, Path], magriel: User, settings: Any
) -> None:
    books_seal()
    settings.LEDGER_SEAL_READ_COMMAND = "cat /no/such/file"
    (line,) = found()
    assert "cannot be read" in line
    assert "/no/such/file" in line


def test_a_place_that_cannot_be_written_fails_the_sealing_and_no_other_place(
    places: tuple[Path, Path], magriel: User, settings: Any
) -> None:
    settings.LEDGER_SEAL_COMMAND = "false"
    settings.LEDGER_SEAL_PLACE = f"{__name__}.Kept"
    with pytest.raises(OSError, match="false"):
        books_seal()
    assert len(places[0].read_text().splitlines()) == len(Kept.lines) == 2
    Kept.lines.clear()


def test_the_tail_of_a_long_file_is_its_last_lines(tmp_path: Path) -> None:
    place = FilePlace(tmp_path / "seals.log")
    lines = [f"{number:0>99}" for number in range(20_000)]
    place.append(lines)
    assert place.read() == lines
    tail = place.tail()
    assert 1_000 < len(tail) < len(lines)
    assert tail == lines[-len(tail) :]


class Kept:
    """A separate place."""

    name = "kept"
    lines: list[str] = []

    def append(self, lines: list[str]) -> None:
        self.lines.extend(lines)

    def read(self) -> list[str]:
        return list(self.lines)

    tail = read


def test_a_class_of_ones_own_is_a_place(settings: Any, magriel: User) -> None:
    settings.LEDGER_SEAL_PLACE = f"{__name__}.Kept"
    books_seal()
    assert [place.name for place in seal_places()] == ["kept"]
    assert len(Kept.lines) == 2
    assert found() == []
    Kept.lines.clear()
