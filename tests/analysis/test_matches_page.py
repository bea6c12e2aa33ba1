"""My matches: what the page sends is kept and listed, for its owner alone."""

import json
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from analysis.imports.sending import ARCHIVE_MOST_BYTES
from analysis.imports.storing import read_once
from analysis.models import Import, ImportedFile, ImportedMatch, MyDecision
from analysis.pages.matches import MatchLine
from analysis.queue import work_once
from backgammon.formats.registry import parse_match
from games.models import Match
from tests.analysis.files import cut_off, dated, golden
from tests.analysis.test_imports import brought
from tests.analysis.test_queue import Bare
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

MATCHES = reverse("archive")


@pytest.fixture
def reader(client: Client, magriel: User) -> Client:
    client.force_login(magriel)
    return client


def posted(reader: Client, name: str, data: Any, *, path: str = "") -> Any:
    """The answer to a body that the page's script sends."""
    address = f"{reverse('import_begin')}{path}" if path else reverse(name)
    body = data if isinstance(data, bytes) else json.dumps(data)
    return reader.post(address, body, content_type="application/octet-stream")


def read_all() -> None:
    while read_once():
        pass


def rows(page: Any) -> list[MatchLine]:
    return list(page.context["rows"])


def test_the_script_sends_a_file_once_and_the_page_lists_its_match(reader: Client) -> None:
    text = dated(parse_match(golden()), date(2019, 5, 4), event="Club night")
    announced = {"name": "old", "files": [{"path": "old/a.mat", "digest": "", "size": len(text)}]}
    begun = posted(reader, "import_begin", announced).json()
    assert begun["here"] == []
    sent = posted(reader, "", text, path=f"{begun['id']}/send/?path=old/a.mat")
    assert sent.status_code == 200
    again = posted(reader, "import_begin", announced).json()
    assert again == {"id": begun["id"], "here": [sent.json()["digest"]]}
    assert posted(reader, "", b"", path=f"{begun['id']}/close/").status_code == 200
    read_all()
    page = reader.get(MATCHES)
    (row,) = rows(page)
    assert (row.names, row.listed.length, row.listed.waits) == (("alice", "bob"), 5, True)
    assert "Club night" in text_of(page)
    assert [name.name for name, _words in page.context["asked"]] == ["alice"]


def test_the_form_takes_files_and_a_text_without_a_script(reader: Client) -> None:
    file = SimpleUploadedFile("a.mat", golden().encode())
    assert reader.post(reverse("matches_add"), {"file": file, "text": ""}).url == MATCHES
    reader.post(reverse("matches_add"), {"text": golden("money_session")})
    assert ImportedFile.objects.count() == 2
    assert not Import.objects.filter(sent_at=None).exists()
    page = reader.post(reverse("matches_add"), {"text": " "}, follow=True)
    assert "Choose a file or paste a text first." in text_of(page)


def test_what_cannot_be_taken_is_refused_with_words(reader: Client, magriel: User) -> None:
    assert posted(reader, "import_begin", b"[1").status_code == 400
    assert posted(reader, "import_begin", {"name": "x"}).status_code == 400
    many = [{"path": "x", "digest": "", "size": 1}] * 201
    refused = posted(reader, "import_begin", {"name": "x", "files": many})
    assert refused.status_code == 409
    assert "200 files" in refused.json()["error"]["message"]
    begun = posted(reader, "import_begin", {"name": "x", "files": []}).json()
    large = b"PK\x03\x04" + bytes(ARCHIVE_MOST_BYTES)
    refused = posted(reader, "", large, path=f"{begun['id']}/send/?path=x.zip")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "file_too_large")
    assert not ImportedFile.objects.exists()


def test_nobody_else_can_touch_an_import(reader: Client, hilde: User) -> None:
    theirs = brought(hilde, golden().encode(), cut_off().encode())
    file = theirs.files.order_by("pk")[1]
    for path in (f"{theirs.pk}/send/?path=x", f"{theirs.pk}/close/", f"{uuid4()}/close/"):
        assert posted(reader, "", b"x", path=path).status_code == 404
    assert reader.post(reverse("import_undo", args=[theirs.pk])).status_code == 404
    assert reader.get(reverse("imported_file", args=[file.pk])).status_code == 404
    match = ImportedMatch.objects.first()
    assert match is not None
    reader.post(reverse("matches_chosen"), {"action": "delete", "match": match.pk})
    reader.post(reverse("matches_chosen"), {"action": "share", "match": match.pk})
    match.refresh_from_db()
    assert match.share_key is None
    assert rows(reader.get(MATCHES)) == []
    assert Client().get(MATCHES).status_code == 302


def test_what_was_said_about_a_name_can_be_taken_back(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode())
    assert "Take that back" not in reader.get(MATCHES).content.decode()
    said = {"source": ImportedMatch.objects.get().source, "name": "bob"}
    reader.post(reverse("matches_name"), said | {"mine": "yes"})
    assert ImportedMatch.objects.get().seat == 1
    page = reader.get(MATCHES).content.decode()
    assert "is you." in page
    assert 'name="mine" value="back"' in page
    reader.post(reverse("matches_name"), said | {"mine": "back"})
    assert ImportedMatch.objects.get().seat is None
    assert [each.name for each, _source in reader.get(MATCHES).context["asked"]] == ["alice"]


def test_a_name_that_is_said_gives_results_and_rates(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode())
    said = {"source": ImportedMatch.objects.get().source, "name": "bob", "mine": "yes"}
    reader.post(reverse("matches_name"), said)
    while work_once(Bare()):
        pass
    (row,) = rows(reader.get(MATCHES))
    assert (row.listed.seat, row.names, row.score) == (1, ("alice",), (4, 2))
    assert row.pr
    assert not row.listed.waits
    assert reader.post(reverse("matches_name"), said | {"mine": "perhaps"}).status_code == 404
    assert MyDecision.objects.filter(person=magriel).exists()
    chosen = {"action": "delete", "match": row.match.pk}
    page = reader.post(reverse("matches_chosen"), chosen, follow=True)
    assert "1 match is deleted." in text_of(page), "its decisions are no matches"


def test_played_and_brought_matches_stand_side_by_side(
    reader: Client, magriel: User, played: Match
) -> None:
    brought(magriel, dated(parse_match(golden()), date(2019, 5, 4)))
    both = rows(reader.get(MATCHES))
    assert [type(row.match) for row in both] == [Match, ImportedMatch]

    def shown(**asked: str) -> list[type]:
        return [type(row.match) for row in rows(reader.get(MATCHES, asked))]

    assert shown(source="here") == [Match]
    assert shown(source="unknown") == shown(year="2019") == [ImportedMatch]
    assert shown(length="5") == [Match, ImportedMatch]
    assert shown(length="0") == []
    assert shown(opponent="ALICE") == [ImportedMatch]
    assert shown(mode=played.mode) == [Match]
    assert shown(opponent="no one") == []


def test_links_are_made_and_taken_back_and_matches_deleted(reader: Client, magriel: User) -> None:
    upload = brought(magriel, golden().encode(), golden("money_session").encode())
    first, second = ImportedMatch.objects.order_by("pk")
    chosen = {"match": [first.pk, "nonsense"], "query": "source=unknown"}
    answer = reader.post(reverse("matches_chosen"), chosen | {"action": "share"})
    assert answer.url == f"{MATCHES}?source=unknown"
    first.refresh_from_db()
    assert reverse("shared_report", args=[first.share_key]) in text_or_links(reader.get(MATCHES))
    reader.post(reverse("matches_chosen"), chosen | {"action": "unshare"})
    first.refresh_from_db()
    assert first.share_key is None
    reader.post(reverse("matches_chosen"), chosen | {"action": "delete"})
    assert list(ImportedMatch.objects.all()) == [second]
    reader.post(reverse("import_undo", args=[upload.pk]))
    assert not ImportedMatch.objects.exists()


def text_or_links(page: Any) -> str:
    return str(page.content.decode())


def test_a_fault_is_shown_beside_its_line_and_what_was_kept(reader: Client, magriel: User) -> None:
    upload = brought(magriel, cut_off().encode(), b"no match", name="club")
    page = reader.get(MATCHES)
    (fault, *_others) = page.context["faults"]
    assert fault["kept"]
    assert reader.get(MATCHES, {"import": upload.pk, "part": ""}).context["filtered"]
    shown = reader.get(reverse("imported_file", args=[upload.files.order_by("pk")[0].pk]))
    (bad,) = [line for line in shown.context["lines"] if line.at_fault]
    assert "14/10 13/9" in bad.text
    assert bad.text[bad.pointer.index("▲") :].startswith("43: 14/10")
    state = reader.get(MATCHES, {"part": "import"}).content.decode()
    assert "<html" not in state
    assert "club" in state
