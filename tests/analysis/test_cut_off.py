"""A match that is cut off in one file and whole in another is one match."""

from uuid import uuid4

import pytest

from accounts.models import User
from analysis.decisions.filling import imports_list
from analysis.imports.names import name_say
from analysis.imports.removing import import_undo, matches_restore
from analysis.models import DecidedMatch, ImportedMatch, Job, Transcript
from analysis.queue import work_once
from tests.analysis.files import cut_off, golden, turned
from tests.analysis.test_imports import brought, found
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db


def cut_later() -> str:
    """The match with a play in its second game that cannot be."""
    return golden().replace("13/7 13/7", "13/7 13/9", 1)


def the_match(person: User) -> ImportedMatch:
    """The only one of this person, whole."""
    match = ImportedMatch.objects.select_related("transcript").get(person=person)
    assert not match.in_part
    assert match.transcript.winner_seat is None, "the file is a match to 5 that stands 2 : 4"
    assert len(match.transcript.record["games"][0]["actions"]) > 4
    return match


def test_the_whole_one_takes_the_place_of_a_part(magriel: User) -> None:
    brought(magriel, cut_off().encode())
    part = ImportedMatch.objects.get()
    ImportedMatch.objects.update(share_key=(key := uuid4()))
    upload = brought(magriel, turned(golden(), ("kes", "old_harbour")), name="again")
    whole = the_match(magriel)
    assert (whole.pk, whole.share_key) == (part.pk, key)
    assert whole.transcript_id != part.transcript_id
    assert whole.file is not None
    assert whole.file.upload == upload
    assert found(upload, "new") == [1]
    assert set(Job.objects.values_list("transcript", flat=True)) == {whole.transcript_id}


def test_a_part_of_what_is_here_is_known(magriel: User) -> None:
    brought(magriel, golden().encode())
    upload = brought(magriel, cut_off().encode(), name="again")
    assert found(upload, "known") == [1]
    the_match(magriel)
    assert Transcript.objects.count() == 1


def test_two_parts_become_one_match(magriel: User) -> None:
    brought(magriel, cut_off().encode(), cut_later().encode())
    brought(magriel, golden().encode(), name="again")
    the_match(magriel)


def test_the_match_of_another_person_stays(magriel: User, hilde: User) -> None:
    brought(magriel, cut_off().encode())
    brought(hilde, golden().encode())
    assert ImportedMatch.objects.get(person=magriel).in_part
    the_match(hilde)


@pytest.mark.slow
def test_decisions_are_those_of_the_longer_one(magriel: User) -> None:
    brought(magriel, cut_off().encode())
    name_say(magriel, ImportedMatch.objects.get().source, "alice", is_mine=True)
    while work_once(Bare()):
        pass
    short = DecidedMatch.objects.get()
    brought(magriel, golden().encode(), name="again")
    assert work_once(Bare())
    whole = DecidedMatch.objects.get()
    assert whole.report.depth == "full"
    assert whole.report.transcript == the_match(magriel).transcript
    assert set(whole.decisions.values_list("decision__report", flat=True)) == {whole.report_id}
    assert whole.pk == short.pk


# --- undoing the import of the longer one ---------------------------------------------------------
def test_the_shorter_match_is_back_when_the_longer_one_is_undone(magriel: User) -> None:
    brought(magriel, cut_off().encode(), name="short")
    short = ImportedMatch.objects.get()
    ImportedMatch.objects.update(share_key=(key := uuid4()))
    long = brought(magriel, turned(golden(), ("kes", "old_harbour")), name="long")
    import_undo(long)
    back = ImportedMatch.objects.get()
    assert (back.pk, back.share_key) == (short.pk, key)
    assert (back.transcript_id, back.file_id) == (short.transcript_id, short.file_id)
    assert (back.names, back.in_part) == (("alice", "bob"), True)
    assert set(Job.objects.values_list("transcript", flat=True)) == {short.transcript_id}
    assert ImportedMatch.everything.count() == 1


def test_each_part_that_was_replaced_is_back(magriel: User) -> None:
    brought(magriel, cut_off().encode(), cut_later().encode(), name="parts")
    parts = set(ImportedMatch.objects.values_list("pk", "transcript"))
    assert len(parts) == 2
    import_undo(brought(magriel, golden().encode(), name="long"))
    assert set(ImportedMatch.objects.values_list("pk", "transcript")) == parts


@pytest.mark.parametrize("first", ["middle", "long"])
def test_three_lengths_go_back_in_any_order(magriel: User, first: str) -> None:
    shorter = cut_off().replace("21: 25/24 13/11", "21: 25/24 13/10")
    uploads = {
        "short": brought(magriel, shorter.encode(), name="short"),
        "middle": brought(magriel, cut_off().encode(), name="middle"),
        "long": brought(magriel, golden().encode(), name="long"),
    }
    (match,) = ImportedMatch.objects.all()
    second = {"middle": "long", "long": "middle"}[first]
    import_undo(uploads[first])
    match.refresh_from_db()
    assert match.file is not None
    assert match.file.upload == uploads[second]
    import_undo(uploads[second])
    match.refresh_from_db()
    assert match.file.upload == uploads["short"]
    import_undo(uploads["short"])
    assert not ImportedMatch.everything.exists()


def test_what_came_with_the_same_import_does_not_come_back(magriel: User) -> None:
    import_undo(brought(magriel, cut_off().encode(), golden().encode()))
    assert not ImportedMatch.everything.exists()


def test_decisions_go_back_with_their_match(magriel: User) -> None:
    brought(magriel, cut_off().encode(), name="short")
    name_say(magriel, ImportedMatch.objects.get().source, "alice", is_mine=True)
    while work_once(Bare()):
        pass
    short = DecidedMatch.objects.get().report_id
    long = brought(magriel, golden().encode(), name="long")
    while work_once(Bare()):
        pass
    assert DecidedMatch.objects.get().report_id != short
    import_undo(long)
    imports_list()
    assert DecidedMatch.objects.get().report_id == short


def test_a_replaced_match_is_not_taken_back_as_a_deleted_one(magriel: User) -> None:
    brought(magriel, cut_off().encode(), name="short")
    brought(magriel, golden().encode(), name="long")
    kept = ImportedMatch.everything.get(replaced_by__isnull=False)
    assert matches_restore(magriel, [kept.pk]) == 0
