"""Lines of a file with faults are corrected where they stand, and the file is read again."""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from analysis.imports import correcting
from analysis.imports.removing import import_undo, matches_remove
from analysis.imports.storing import read_once
from analysis.models import Import, ImportedFile, ImportedMatch, Job
from analysis.pages.imported_file import file_lines
from analysis.tasks import forget_brought
from kit.throttle import Rate
from tests.analysis.files import CUT, cut_off, golden, zipped
from tests.analysis.test_brought_kept import exported
from tests.analysis.test_imports import brought, found
from tests.api.conftest import Program
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

BAD = 16
GOOD = next(line for line in golden().splitlines() if CUT[0] in line)


@pytest.fixture
def reader(client: Client, magriel: User) -> Client:
    client.force_login(magriel)
    return client


@pytest.fixture
def upload(magriel: User) -> Import:
    return brought(magriel, cut_off().encode())


def corrected(reader: Client, upload: Import, *, follow: bool = True, **fields: str) -> Any:
    """The page of the file after its form was sent and a worker has read it."""
    address = reverse("imported_file_correct", args=[upload.files.get().pk])
    page = reader.post(address, {name.replace("_", "-"): text for name, text in fields.items()})
    while read_once():
        pass
    return reader.get(page.url) if follow else page


def test_a_corrected_line_makes_the_match_whole(reader: Client, upload: Import) -> None:
    part = ImportedMatch.objects.get()
    ImportedMatch.objects.update(share_key=(key := uuid4()))
    page = corrected(reader, upload, line_16=GOOD)
    whole = ImportedMatch.objects.get()
    assert (whole.pk, whole.share_key, whole.in_part) == (part.pk, key, False)
    assert len(whole.transcript.record["games"][0]["actions"]) > 4
    assert found(upload, "new") == [1]
    assert found(upload, "in_part") == [0]
    assert set(Job.objects.values_list("transcript", flat=True)) == {whole.transcript_id}
    assert "read whole" in text_of(page)
    assert "You changed 1 line: 16" in text_of(page)
    assert CUT[1] in text_of(page), "the line as it came stands beside the changed one"
    file = upload.files.get()
    assert bytes(file.content or b"") == cut_off().encode()
    assert (
        reverse("imported_file", args=[file.pk]) in reader.get(reverse("archive")).content.decode()
    )


def test_undoing_brings_the_earlier_reading_back(reader: Client, upload: Import) -> None:
    part = ImportedMatch.objects.get()
    before = upload.files.get().found
    corrected(reader, upload, line_16=GOOD)
    page = corrected(reader, upload, line_16=GOOD, undo="1")
    back = ImportedMatch.everything.get()
    assert (back.pk, back.transcript_id) == (part.pk, part.transcript_id)
    file = upload.files.get()
    assert (file.found, file.changes) == (before, {})
    assert "You changed" not in text_of(page)
    assert [line.number for line in page.context["lines"] if line.at_fault] == [BAD]


def test_a_play_that_was_read_can_be_another_one(reader: Client, upload: Import) -> None:
    line = cut_off().splitlines()[14]
    corrected(reader, upload, line_16=GOOD, line_15=line.replace("24/14", "24/18 24/20"))
    match = ImportedMatch.objects.get()
    assert match.in_part, "13/10 is played, 14/10 is not possible any more"
    assert ImportedMatch.everything.count() == 1


@pytest.mark.slow
def test_a_file_with_another_match_replaced_gives_it_back(magriel: User, reader: Client) -> None:
    short = brought(magriel, cut_off().replace("21: 25/24 13/11", "21: 25/24 13/10").encode())
    upload = brought(magriel, cut_off().encode(), name="second")
    corrected(reader, upload, line_16=GOOD)
    assert not ImportedMatch.objects.get().in_part
    import_undo(upload)
    match = ImportedMatch.objects.get()
    assert match.file == short.files.get()


@pytest.mark.slow
def test_the_jacoby_rule_stays_chosen(reader: Client, magriel: User) -> None:
    text = golden("money_session").replace("[Jacoby", "[Said")
    bad = text.replace("31: 8/5 6/5", "31: 8/5 6/1", 1)
    assert bad != text
    upload = brought(magriel, bad.encode())
    line = upload.files.get().found["faults"][0]["line"]
    match = ImportedMatch.objects.get()
    assert match.jacoby_assumed
    reader.post(reverse("imported_jacoby", args=[match.pk]), {"holds": "yes"})
    corrected(reader, upload, **{f"line_{line}": text.splitlines()[line - 1]})
    whole = ImportedMatch.objects.get()
    assert (whole.pk, whole.transcript.jacoby, whole.in_part) == (match.pk, True, False)


@pytest.mark.slow
def test_a_match_that_is_here_already_is_found(
    reader: Client, upload: Import, magriel: User
) -> None:
    brought(magriel, golden().encode(), name="whole")
    corrected(reader, upload, line_16=GOOD)
    assert found(upload, "known") == [1]
    assert ImportedMatch.objects.count() == 1


def test_a_change_that_the_form_does_not_have_stays(reader: Client, upload: Import) -> None:
    corrected(reader, upload, line_16=GOOD)
    corrected(reader, upload, line_1=cut_off().splitlines()[0] + " ")
    assert set(upload.files.get().changes) == {"1", "16"}


def test_the_form_has_no_more_fields_than_django_takes(upload: Import) -> None:
    file = upload.files.get()
    file.content = b"x\n" * 3_000
    file.found = {"faults": [{"line": 10 * number} for number in range(1, 200)]}
    assert len(file_lines(file)) < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - 10


@pytest.mark.parametrize("spoilt", [("Drops", "Drips"), ("Doubles => 4", "Doubles => 8")])
def test_a_corrected_cube_changes_the_result(
    reader: Client, magriel: User, spoilt: tuple[str, str]
) -> None:
    upload = brought(magriel, golden().replace(*spoilt, 1).encode())
    spoilt_game = ImportedMatch.objects.get().transcript.record["games"][0]
    number = next(n for n, text in enumerate(golden().splitlines(), 1) if spoilt[0] in text)
    corrected(reader, upload, **{f"line_{number}": golden().splitlines()[number - 1]})
    match = ImportedMatch.objects.get()
    assert match.transcript.record["games"][0] != spoilt_game
    assert match.transcript.record["games"][0]["result"] is not None
    assert not match.in_part


def test_a_link_stays_with_its_match(reader: Client, magriel: User) -> None:
    """Of two matches between the same people the first cannot be read at first."""
    second = golden().replace("31: 8/5 6/5", "31: 24/23 13/10")
    lines = (golden().replace("31: 8/5 6/5", "31: 8/1 6/5") + "\n" + second).splitlines()
    upload = brought(magriel, "\n".join(lines).encode())
    match = ImportedMatch.objects.get()
    ImportedMatch.objects.update(share_key=(key := uuid4()))
    wrong = [number for number, text in enumerate(lines, 1) if "31: 8/1 6/5" in text]
    good = {f"line_{number}": lines[number - 1].replace("8/1", "8/5") for number in wrong}
    corrected(reader, upload, **good)
    assert ImportedMatch.objects.count() == 2
    assert ImportedMatch.objects.get(share_key=key).transcript == match.transcript


def test_the_shorter_file_can_be_corrected_while_the_longer_one_is_there(
    reader: Client, upload: Import, magriel: User
) -> None:
    longer = brought(magriel, golden().encode(), name="whole")
    line = cut_off().splitlines()[14]
    corrected(reader, upload, line_15=line.replace("24/14", "24/18 24/20"))
    import_undo(longer)
    assert ImportedMatch.objects.get().file == upload.files.get()


def test_a_match_that_was_deleted_stays_so(reader: Client, upload: Import) -> None:
    match = ImportedMatch.objects.get()
    matches_remove(ImportedMatch.objects.filter(pk=match.pk))
    corrected(reader, upload, line_1=cut_off().splitlines()[0] + " ")
    assert not ImportedMatch.objects.exists()


@pytest.mark.parametrize("wrong", ["line_999", "line_0"])
def test_a_line_that_is_not_in_the_file_is_refused(
    reader: Client, upload: Import, wrong: str
) -> None:
    assert "You can change 100 lines" in text_of(corrected(reader, upload, **{wrong: "x"}))
    assert upload.files.get().changes == {}


@pytest.mark.slow
def test_limits(reader: Client, upload: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("x" * 1_001, "one\ntwo", "one\x0btwo"):
        assert "You can change" in text_of(corrected(reader, upload, line_16=text))
    assert "No line is changed." in text_of(
        corrected(reader, upload, line_16=cut_off().splitlines()[BAD - 1])
    )
    monkeypatch.setattr(correcting, "READ_AGAIN", Rate(1, 86_400))
    corrected(reader, upload, line_16="")
    assert "Go on tomorrow." in text_of(corrected(reader, upload, line_16="x"))
    monkeypatch.setattr(correcting, "LINES_MOST", 1)
    assert "You can change" in text_of(corrected(reader, upload, line_15="x", line_16="x"))


def test_a_file_that_waits_is_not_changed_again(reader: Client, upload: Import) -> None:
    address = reverse("imported_file_correct", args=[upload.files.get().pk])
    page = reader.post(address, {"line-16": GOOD}, follow=True)
    assert "The file is being read." in text_of(page)
    assert page["Refresh"]
    assert "Try again in a moment." in text_of(reader.post(address, {"line-16": ""}, follow=True))


def test_what_is_no_text_cannot_be_corrected(reader: Client, magriel: User) -> None:
    upload = brought(magriel, b"RGMH" + bytes(9_000))
    page = corrected(reader, upload, line_1="x")
    assert "This is no text" in text_of(page)
    assert page.context["lines"] == []


@pytest.mark.slow
def test_a_file_of_an_archive_is_corrected(reader: Client, magriel: User) -> None:
    upload = brought(magriel, zipped({"a.mat": cut_off().encode(), "b.mat": b"none"}))
    file = upload.files.get(path="a.mat")
    reader.post(reverse("imported_file_correct", args=[file.pk]), {"line-16": GOOD})
    while read_once():
        pass
    assert not ImportedMatch.objects.get().in_part


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_letters_and_line_ends_stay(reader: Client, magriel: User, encoding: str) -> None:
    text = cut_off().replace("alice", "Jörg ").replace("\n", "\r\n")
    upload = brought(magriel, text.encode(encoding))
    corrected(reader, upload, line_16=GOOD)
    match = ImportedMatch.objects.get()
    assert (match.name_0, match.in_part) == ("Jörg", False)
    assert correcting.corrected(upload.files.get()).count(b"\r\n") == text.count("\r\n")


def test_only_its_person_corrects_a_file(reader: Client, hilde: User) -> None:
    theirs = brought(hilde, cut_off().encode())
    file = theirs.files.get()
    assert reader.get(reverse("imported_file", args=[file.pk])).status_code == 404
    assert corrected(reader, theirs, follow=False, line_16=GOOD).status_code == 404
    place = f"matches/import/{theirs.pk}/files/{file.pk}/"
    program = Program(User.objects.get(username="magriel"))
    assert program.get(place).status_code == 404
    assert program.post(place, {"lines": []}).status_code == 404
    assert ImportedMatch.objects.get(person=hilde).in_part


def test_changes_are_exported_and_go_with_the_text(
    reader: Client, magriel: User, upload: Import
) -> None:
    corrected(reader, upload, line_16=GOOD)
    (row,) = exported(magriel, "imported_files")
    assert row["changes"] == {"16": GOOD}
    ImportedFile.objects.update(read_at="2020-01-01T00:00:00Z")
    forget_brought()
    file = ImportedFile.objects.get()
    assert (file.content, file.changes) == (None, {})
    assert "not here any more" in text_of(corrected(reader, upload, line_16="x"))


def test_an_import_that_is_undone_has_no_changes(reader: Client, upload: Import) -> None:
    corrected(reader, upload, line_16=GOOD)
    import_undo(upload)
    assert ImportedFile.objects.get().changes == {}
    assert not ImportedMatch.everything.exists()


def test_a_program_corrects_a_line(magriel: User, upload: Import) -> None:
    program = Program(magriel)
    (fault,) = program.get(f"matches/import/{upload.pk}/").json()["faults"]
    place = f"matches/import/{upload.pk}/files/{fault['file_id']}/"
    (bad,) = [line for line in program.get(place).json()["lines"] if line["at_fault"]]
    assert (bad["line"], bad["original"]) == (BAD, None)
    sent = program.post(place, {"lines": [{"line": BAD, "text": GOOD}]})
    assert (sent.status_code, sent.json()["is_read"]) == (202, False)
    assert program.post(place, {"lines": []}).json()["code"] == "file_waits"
    while read_once():
        pass
    assert not ImportedMatch.objects.get().in_part
    lines = program.get(place).json()["lines"]
    assert [line["text"] for line in lines if line["original"] is not None] == [GOOD]
