"""Matches from elsewhere for programs: bring files, follow the import, list, and delete."""

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from accounts.scopes import Scope
from accounts.tokens import token_make
from analysis.imports import sending
from analysis.imports.names import name_say
from analysis.imports.storing import read_once
from analysis.models import Import, ImportedMatch
from analysis.queue import work_once
from backgammon.formats.registry import parse_match
from games.models import Match
from harness.waiting import PROGRAM_SECONDS, wait_until
from tests.analysis.conftest import played
from tests.analysis.files import cut_off, dated, golden, zipped
from tests.analysis.test_imports import brought
from tests.analysis.test_queue import Bare
from tests.api.conftest import Program
from tests.architecture.sources import ROOT

__all__ = ["played"]

pytestmark = pytest.mark.django_db

IMPORT = "/api/v1/matches/import/"


def sent(program: Program, data: bytes, **query: Any) -> Any:
    address = f"{IMPORT}?{'&'.join(f'{name}={value}' for name, value in query.items())}"
    return program.http.post(address, data, content_type="application/octet-stream")


def read_all() -> None:
    while read_once():
        pass


def test_a_file_is_brought_followed_listed_and_its_report_read(magriel: User) -> None:
    program = Program(magriel)
    text = dated(parse_match(golden()), date(2019, 5, 4), event="Club night")
    begun = sent(program, text, path="old.mat")
    assert begun.status_code == 202
    assert (begun.json()["is_read"], begun.json()["files"], begun.json()["new"]) == (False, 1, 0)
    read_all()
    place = f"matches/import/{begun.json()['id']}/"
    told = program.get(place).json()
    assert (told["name"], told["is_read"], told["new"], told["faults"]) == ("old.mat", True, 1, [])
    assert (told["analysis"]["matches"], told["analysis"]["done"]) == (1, 0)
    (key,) = told["matches"]
    row = program.get(f"matches/brought/{key}/").json()
    assert (row["names"], row["seat"], row["length"]) == (["alice", "bob"], None, 5)
    assert (row["origin"], row["event"]) == ("unknown", "Club night")
    assert row["played_on"] == "2019-05-04"
    assert (row["score"], row["result"], row["report"], row["figures"]) == ([2, 4], "", None, None)
    assert row["waits"]
    name_say(magriel, "", "bob", is_mine=True)
    while work_once(Bare()):
        pass
    (row,) = program.get("matches/mine/").json()["results"]
    assert (row["id"], row["seat"], row["result"], row["waits"]) == (key, 1, "void", False)
    assert len(row["figures"]) == 2
    reports = program.get("analysis/reports/").json()["results"]
    (report,) = [each for each in reports if each["id"] == row["report"]]
    assert (report["match"], report["brought"], report["seat"]) == (None, key, 1)
    decisions = program.get(f"analysis/reports/{row['report']}/decisions/").json()["results"]
    assert decisions[0]["options"]


def test_a_zip_says_what_is_wrong_with_which_line(magriel: User) -> None:
    program = Program(magriel)
    files = {"a.mat": golden("money_session").encode(), "b.mat": cut_off().encode()}
    begun = sent(program, zipped({**files, "c.txt": b"no match"}), path="all.zip", name="club")
    read_all()
    told = program.get(f"matches/import/{begun.json()['id']}/").json()
    assert (told["name"], told["files"], told["read"]) == ("club", 3, 3)
    assert (told["new"], told["in_part"], told["unread"], len(told["matches"])) == (1, 1, 1, 2)
    fault = next(each for each in told["faults"] if each["file"].endswith("b.mat"))
    assert (fault["line"], fault["game"], fault["code"]) == (16, 1, "broken_file")
    assert fault["message"].startswith("Line 16")
    assert fault["kept"]
    asked = {"import_id": told["id"], "in_part": "true"}
    (row,) = program.get("matches/mine/", **asked).json()["results"]
    assert row["in_part"]


def test_files_with_more_to_come_are_one_import(magriel: User) -> None:
    program = Program(magriel)
    first = sent(program, golden().encode(), path="a.mat", name="club", more="true").json()
    assert first["sent_at"] is None
    last = sent(program, golden("money_session").encode(), path="b.mat", name="club").json()
    assert last["id"] == first["id"]
    assert (last["files"], last["sent_at"] is None) == (2, False)
    again = sent(program, golden().encode(), path="a.mat", name="club").json()
    assert again["id"] != first["id"]


def test_an_import_is_undone_and_a_match_deleted(magriel: User) -> None:
    program = Program(magriel)
    upload = brought(magriel, golden().encode(), golden("money_session").encode())
    keys = program.get(f"matches/import/{upload.pk}/").json()["matches"]
    assert program.delete(f"matches/brought/{keys[0]}/").status_code == 204
    assert program.get(f"matches/brought/{keys[0]}/").status_code == 404
    assert program.delete(f"matches/import/{upload.pk}/").json()["undone_at"]
    refused = program.delete(f"matches/import/{upload.pk}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "import_closed")
    assert not ImportedMatch.objects.exists()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b" ", "file_empty"),
        (b"x" * (sending.FILE_MOST_BYTES + 1), "file_too_large"),
        (sending.IS_ARCHIVE + b"x" * sending.ARCHIVE_MOST_BYTES, "file_too_large"),
    ],
)
def test_what_is_refused_leaves_no_import(magriel: User, data: bytes, code: str) -> None:
    refused = sent(Program(magriel), data, path="x")
    assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert not Import.objects.exists()


def test_the_limits_of_the_page_hold(magriel: User, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(magriel)
    monkeypatch.setattr(sending, "IMPORTS_A_DAY", 0)
    refused = sent(program, golden().encode())
    assert (refused.status_code, refused.json()["code"]) == (409, "limit")
    wrong = sent(program, golden().encode(), file="a.mat")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["file"])
    form = program.http.post(IMPORT, {"file": "x"})
    assert (form.status_code, form.json()["code"]) == (415, "unsupported_media_type")


def test_nobody_else_learns_of_an_import_or_its_matches(magriel: User, hilde: User) -> None:
    upload = brought(magriel, golden().encode())
    match, other = ImportedMatch.objects.get(), Program(hilde)
    places = [f"matches/import/{upload.pk}/", f"matches/brought/{match.pk}/"]
    for place in (*places, f"matches/import/{uuid4()}/", f"matches/brought/{uuid4()}/"):
        assert other.get(place).status_code == 404
        assert other.delete(place).status_code == 404
    assert other.get("matches/mine/").json()["results"] == []
    assert other.get("matches/mine/", import_id=upload.pk).status_code == 404
    while work_once(Bare()):
        pass
    assert other.get("analysis/reports/").json()["results"] == []
    assert ImportedMatch.objects.exists()
    for place in places:
        assert Program(None).get(place).status_code == 401


def test_the_list_is_filtered_and_paged(
    magriel: User, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(magriel)
    brought(magriel, dated(parse_match(golden()), date(2019, 5, 4)))

    def shown(**asked: Any) -> list[str]:
        return [row["origin"] for row in program.get("matches/mine/", **asked).json()["results"]]

    assert shown() == ["here", "unknown"]
    assert shown(origin="here") == shown(mode=played.mode) == ["here"]
    assert shown(origin="unknown") == shown(year=2019) == shown(opponent="ALICE") == ["unknown"]
    assert shown(length=0) == shown(result="drawn") == []
    assert program.get("matches/mine/", size="x").status_code == 400
    monkeypatch.setattr("analysis.api.matches.ROWS_A_PAGE", 1)
    first = program.get("matches/mine/").json()
    assert (len(first["results"]), first["next_page"]) == (1, 2)
    rest = program.get("matches/mine/", before=first["next_before"]).json()
    assert ([row["origin"] for row in rest["results"]], rest["next_before"]) == (["unknown"], None)


def test_a_token_brings_with_its_scope_alone() -> None:
    bot = User.objects.create_user("deep", is_bot=True)
    for scope, status in ((Scope.READ, 403), (Scope.MATCHES, 202)):
        text = token_make(bot, name=scope.value, scopes=(scope,))
        client = Client(headers={"authorization": f"Bearer {text}"})
        answer = client.post(IMPORT, golden(), content_type="application/octet-stream")
        assert answer.status_code == status


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_example_brings_files_and_prints_what_was_found(live: str, tmp_path: Path) -> None:
    bot = User.objects.create_user("deep", is_bot=True)
    token = token_make(bot, scopes=(Scope.READ, Scope.MATCHES))
    (tmp_path / "a.mat").write_text(cut_off())
    script = Path(ROOT) / "examples" / "bring_matches.py"
    command = [sys.executable, script, live, "--token", token, tmp_path / "a.mat"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        wait_until(read_once, "the file has come", seconds=PROGRAM_SECONDS)
        said, _nothing = running.communicate(timeout=PROGRAM_SECONDS)
    assert "a.mat files 1 new 0 known 0 in_part 1 unread 0" in said
    assert "Line 16" in said
