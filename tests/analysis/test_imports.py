"""Matches from elsewhere: what is taken, read once, kept in part, and taken out again."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from analysis.imports import sending, storing
from analysis.imports.names import NameAsked, name_say, names_asked
from analysis.imports.queued import jobs_end
from analysis.imports.removing import import_undo, matches_delete
from analysis.imports.sandbox import FileUnreadable, rows_of_file
from analysis.imports.sending import (
    Announced,
    FilesTooMany,
    ImportClosed,
    ImportFileEmpty,
    ImportFileTooLarge,
    ImportsTooMany,
    StoreFull,
    digests_of,
    file_take,
    import_begin,
    import_close,
)
from analysis.imports.standing import analysis_standing
from analysis.imports.storing import read_once
from analysis.models import Import, ImportedFile, ImportedMatch, Job, Transcript
from analysis.queue import engine_seconds, work_once
from analysis.subjects import record_of
from backgammon.formats.mat import format_mat
from backgammon.formats.registry import parse_match
from backgammon.tests.formats.matches import random_match
from games.models import Match
from games.services.archive import match_record
from harness.waiting import wait_until
from house.parts import HousePart
from tests.analysis.files import cut_off, dated, golden, turned, zipped
from tests.analysis.killing import killed_at_work
from tests.analysis.test_queue import Bare
from tests.house_settings import house_has

pytestmark = pytest.mark.django_db


def brought(person: User, *files: bytes, name: str = "folder") -> Import:
    """An import of these files, read."""
    upload = import_begin(person, name, ())
    for number, data in enumerate(files):
        file_take(upload, f"{name}/{number}.mat", data)
    import_close(upload)
    while read_once():
        pass
    upload.refresh_from_db()
    return upload


def found(upload: Import, name: str) -> list[int]:
    """How many matches of each file came to this."""
    return [(file.found or {}).get(name, 0) for file in upload.files.order_by("pk")]


def test_a_file_becomes_a_match_with_a_report_to_come(magriel: User) -> None:
    upload = brought(magriel, dated(parse_match(golden()), date(2019, 5, 4), event="Club night"))
    (match,) = ImportedMatch.objects.all()
    assert match.names == ("alice", "bob")
    assert (match.event, match.played_on) == ("Club night", date(2019, 5, 4))
    assert match.ended_at.date() == date(2019, 5, 4)
    record = record_of(match.transcript)
    assert record.players == ("", "")
    assert len(record.games) == 2
    assert (match.transcript.length, match.transcript.score_0, match.transcript.score_1) == (
        5,
        2,
        4,
    )
    assert [job.depth for job in Job.objects.order_by("pk")] == ["full", "deep"]
    assert set(Job.objects.values_list("asked_by", flat=True)) == {magriel.pk}
    (file,) = upload.files.all()
    assert file.content is None
    assert found(upload, "new") == [1]


def test_the_same_match_from_the_other_side_is_known(magriel: User) -> None:
    upload = brought(magriel, golden().encode(), turned(golden(), ("kes", "old_harbour")))
    assert found(upload, "new") == [1, 0]
    assert found(upload, "known") == [0, 1]
    assert ImportedMatch.objects.count() == 1


def test_both_players_share_a_transcript_and_keep_their_seats(magriel: User, hilde: User) -> None:
    brought(magriel, golden().encode())
    brought(hilde, turned(golden(), ("kes", "old_harbour")))
    assert Transcript.objects.count() == 1
    theirs = ImportedMatch.objects.get(person=hilde)
    assert theirs.names == ("old_harbour", "kes"), "seats are those of the transcript"
    assert Job.objects.count() == 2, "one analysis for both"


def test_bytes_that_were_sent_are_not_sent_again(magriel: User) -> None:
    first = brought(magriel, golden().encode())
    digest = first.files.get().digest
    again = import_begin(magriel, "again", [Announced("a.mat", digest, 5), Announced("b", "", 5)])
    assert digests_of(again) == {digest}
    assert found(again, "known") == [1]
    file = file_take(again, "a.mat", golden().encode())
    assert file.content is None
    assert again.files.count() == 1


def test_an_import_goes_on_after_a_reload(magriel: User) -> None:
    upload = import_begin(magriel, "folder", [Announced("a", "", 1), Announced("b", "", 1)])
    sent = file_take(upload, "a.mat", golden().encode())
    again = import_begin(magriel, "folder", [Announced("a", sent.digest, 1), Announced("b", "", 1)])
    assert again == upload
    assert digests_of(again) == {sent.digest}
    assert again.files_announced == 2


def test_a_match_with_a_fault_is_kept_in_part_and_its_file_stays(magriel: User) -> None:
    upload = brought(magriel, cut_off().encode(), b"nothing of the kind")
    match = ImportedMatch.objects.get()
    assert match.in_part
    assert found(upload, "in_part") == [1, 0]
    assert found(upload, "unread") == [0, 1]
    cut, broken = upload.files.order_by("pk")
    assert bytes(cut.content or b"") == cut_off().encode()
    (fault,) = (cut.found or {})["faults"]
    assert (fault["line"], fault["game"], fault["state"], fault["actions"]) == (16, 1, "cut_off", 3)
    assert (broken.found or {})["faults"]


def test_the_files_of_a_zip_are_read_one_by_one(magriel: User) -> None:
    both = {"old/a.mat": golden().encode(), "old/b.mat": golden("money_session").encode()}
    packed = zipped(both | {"old/copy.mat": golden().encode()})
    upload = brought(magriel, packed)
    assert [file.path for file in upload.files.order_by("pk")][1:] == ["old/a.mat", "old/b.mat"]
    assert ImportedMatch.objects.count() == 2
    assert upload.files.filter(content__isnull=False).count() == 0


def test_a_match_that_was_played_here_is_known(played: Match, magriel: User, hilde: User) -> None:
    text = format_mat(match_record(played))
    player, stranger = played.player_0, User.objects.create_user("stranger")
    assert found(brought(player, text.encode()), "known") == [1]
    assert found(brought(stranger, text.encode()), "new") == [1]


def test_names_are_asked_once_and_give_each_match_its_seat(magriel: User) -> None:
    brought(magriel, golden().encode())
    assert {each.name for each in names_asked(magriel)} == {"alice"}
    assert names_asked(magriel) == [NameAsked("alice", "", 1)]
    name_say(magriel, "", "alice", is_mine=False)
    assert names_asked(magriel) == [NameAsked("bob", "", 1)]
    name_say(magriel, "", "bob", is_mine=True)
    assert ImportedMatch.objects.get().seat == 1
    assert names_asked(magriel) == []


def test_undoing_takes_out_what_came_with_it_alone(magriel: User, hilde: User) -> None:
    first = brought(magriel, golden().encode())
    brought(hilde, golden().encode())
    second = brought(magriel, golden("money_session").encode(), name="second")
    import_undo(second)
    assert ImportedMatch.objects.filter(person=magriel).count() == 1
    import_undo(first)
    assert not ImportedMatch.objects.filter(person=magriel).exists()
    assert set(Job.objects.values_list("asked_by", flat=True)) == {hilde.pk}, "the rest ends"
    assert found(brought(magriel, golden().encode()), "new") == [1], "it can come back"
    with pytest.raises(ImportClosed):
        import_undo(first)
    Import.objects.update(begun_at=timezone.now() - timedelta(days=31))
    with pytest.raises(ImportClosed):
        import_undo(Import.objects.get(person=hilde))


def test_what_is_undone_while_it_waits_is_not_read(magriel: User) -> None:
    upload = import_begin(magriel, "folder", ())
    file_take(upload, "a.mat", golden().encode())
    import_undo(upload)
    assert not read_once()
    assert not ImportedMatch.objects.exists()


def test_limits(magriel: User, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = import_begin(magriel, "folder", ())
    with pytest.raises(ImportFileEmpty):
        file_take(upload, "a", b" \n")
    with pytest.raises(ImportFileTooLarge):
        file_take(upload, "a", b"x" * (sending.FILE_MOST_BYTES + 1))
    file_take(upload, "a", b"1")
    monkeypatch.setattr(sending, "FILES_MOST", 1)
    with pytest.raises(FilesTooMany):
        file_take(upload, "b", b"2")
    with pytest.raises(FilesTooMany):
        import_begin(magriel, "more", [Announced("a", "", 1)] * 2)
    monkeypatch.setattr(sending, "FILES_MOST", 9)
    monkeypatch.setattr(sending, "STORED_MOST_BYTES", 1)
    with pytest.raises(StoreFull):
        file_take(upload, "b", b"2")
    monkeypatch.setattr(sending, "STORED_MOST_BYTES", 9)
    monkeypatch.setattr(sending, "IMPORTS_A_DAY", 1)
    with pytest.raises(ImportsTooMany):
        import_begin(magriel, "another", ())
    import_close(upload)
    with pytest.raises(ImportClosed):
        file_take(upload, "b", b"2")


def test_a_reader_that_takes_too_long_is_ended() -> None:
    with pytest.raises(FileUnreadable):
        list(rows_of_file("read", golden().encode() * 1_000, time_most_s=0.0))


def test_a_file_that_ends_its_readers_is_left_alone(magriel: User) -> None:
    upload = import_begin(magriel, "folder", ())
    file = file_take(upload, "a.mat", golden().encode())
    ImportedFile.objects.filter(pk=file.pk).update(tries=storing.TRIES_MOST)
    assert read_once()
    file.refresh_from_db()
    assert (file.found or {})["unread"] == 1
    assert not read_once()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_reader_leaves_nothing_half(
    magriel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = import_begin(magriel, "folder", ())
    file_take(upload, "a.mat", golden().encode())
    store = storing._transcript_of

    def work(before: Callable[[], object]) -> bool:
        def stopping(row: dict[str, Any], **rule: bool) -> Transcript:
            kept = store(row, **rule)
            before()
            return kept

        monkeypatch.setattr(storing, "_transcript_of", stopping)
        return read_once()

    killed_at_work(work)
    assert not Transcript.objects.exists()
    assert ImportedFile.objects.get().read_at is None
    monkeypatch.setattr(storing, "_transcript_of", store)
    wait_until(read_once)  # it is the killed one's for two seconds
    assert ImportedMatch.objects.get().transcript == Transcript.objects.get()


@pytest.mark.slow
def test_played_matches_come_first_then_who_had_least(
    played: Match, magriel: User, hilde: User
) -> None:
    old = dated(parse_match(golden()), date(2012, 1, 1))
    new = dated(parse_match(golden("money_session")), date(2020, 1, 1))
    brought(magriel, old, new)
    brought(hilde, format_mat(random_match(1, length=3)).encode())
    Job.objects.create(match=played, depth="full")
    order = []
    while work_once(Bare()):
        job = Job.objects.filter(done_at__isnull=False).latest("done_at")
        order.append((job.asked_by, job.depth, job.transcript and job.transcript.length))
        Job.objects.filter(pk=job.pk).update(seconds=10.0)
    assert order[0] == (None, "full", None)
    first = [(magriel, "full", 0), (hilde, "full", 3)]
    assert sorted(order[1:3], key=str) == sorted(first, key=str), (
        "each has a turn, the newest first"
    )
    assert {person for person, *_ in order[3:5]} == {magriel, hilde}
    depths = [depth for person, depth, _ in order if person == magriel]
    assert depths[:4] == ["full", "full", "deep", "deep"]
    assert engine_seconds(magriel.pk) == 10 * len(depths)


def test_hours_of_a_week_are_those_of_the_house(magriel: User) -> None:
    brought(magriel, golden().encode())
    assert work_once(Bare())
    Job.objects.filter(depth="full").update(seconds=4 * 3600 + 1.0)
    assert analysis_standing(magriel).hours_most == 4
    assert not work_once(Bare())
    house_has(HousePart.LIMITS, engine_hours_per_week=5)
    assert analysis_standing(magriel).hours_most == 5
    assert work_once(Bare())
    house_has(HousePart.LIMITS, engine_hours_per_week=1)
    brought(magriel, golden("money_session").encode())
    assert not work_once(Bare())
    Job.objects.filter(depth="full").update(done_at=timezone.now() - timedelta(days=8))
    assert work_once(Bare())


def test_deleting_ends_the_work(magriel: User) -> None:
    brought(magriel, golden().encode())
    assert matches_delete(ImportedMatch.objects.filter(person=magriel)) == 1
    assert not Job.objects.exists()
    jobs_end([])
