"""manage.py analyse: the matches of a folder come into an account, as on the page."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import User
from analysis.imports import sending
from analysis.models import Import, ImportedMatch, Job
from backgammon.command.matches import FAULTY
from tests.analysis.files import cut_off, golden, zipped

pytestmark = pytest.mark.django_db


def said(path: Path, player: str = "magriel", *, status: int = 0) -> tuple[str, str]:
    """What the command says and what is wrong, if it ends with this status."""
    out, wrong = StringIO(), StringIO()
    ended = 0
    try:
        call_command("analyse", str(path), "--player", player, stdout=out, stderr=wrong)
    except SystemExit as error:
        ended = int(str(error.code))
    except CommandError as error:
        ended, _nothing = error.returncode, wrong.write(str(error))
    assert ended == status
    return out.getvalue(), wrong.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good files, one of them in a ZIP."""
    (tmp_path / "old" / "2019").mkdir(parents=True)
    (tmp_path / "old" / "2019" / "a.mat").write_text(golden())
    (tmp_path / "old" / "b.zip").write_bytes(zipped({"b.mat": golden("money_session").encode()}))
    (tmp_path / "old" / ".hidden").write_text("nothing")
    return tmp_path / "old"


def test_a_folder_comes_into_the_account_and_is_queued(folder: Path, magriel: User) -> None:
    out, wrong = said(folder)
    assert wrong == ""
    assert "sent: 2 of 2" in out
    assert "read: 2 of 2" in out
    assert "files 2, new 2, known 0, in_part 0, unread 0" in out
    assert "analysed: 0 of 2" in out
    upload = Import.objects.get()
    assert (upload.person, upload.name) == (magriel, "old")
    assert upload.sent_at is not None
    assert {file.path for file in upload.files.all()} == {"old/2019/a.mat", "old/b.zip", "b.mat"}
    assert ImportedMatch.objects.filter(person=magriel).count() == 2
    assert Job.objects.filter(asked_by=magriel).exists()


def test_a_folder_that_came_already_brings_nothing_new(folder: Path, magriel: User) -> None:
    said(folder)
    out, wrong = said(folder)
    assert wrong == ""
    assert "new 0, known 1" in out
    assert ImportedMatch.objects.count() == 2


def test_faults_are_said_with_their_lines_and_the_rest_is_kept(folder: Path, magriel: User) -> None:
    (folder / "cut.mat").write_text(cut_off())
    (folder / "empty.mat").write_text(" ")
    out, wrong = said(folder, status=FAULTY)
    assert "old/cut.mat: Line 16" in wrong
    assert "entries are kept" in wrong
    assert f"{folder}/empty.mat: There is nothing in the file." in wrong
    assert "files 3, new 2, known 1, in_part 0, unread 0" in out


def test_what_has_no_match_ends_with_one(tmp_path: Path, magriel: User) -> None:
    (tmp_path / "letter.txt").write_text("no match")
    _out, wrong = said(tmp_path / "letter.txt", status=1)
    assert "letter.txt: " in wrong
    assert "no match is sound" in wrong
    for path, player in ((tmp_path / "nothing", "magriel"), (tmp_path, "nobody")):
        said(path, player, status=1)
    assert not ImportedMatch.objects.exists()


def test_more_files_than_an_import_takes_are_several(
    folder: Path, magriel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "FILES_MOST", 1)
    out, wrong = said(folder)
    assert (wrong, Import.objects.count()) == ("", 2)
    assert "new 2" in out
    monkeypatch.setattr(sending, "IMPORTS_A_DAY", 2)
    _out, wrong = said(folder, status=1)
    assert "enough for one day" in wrong
