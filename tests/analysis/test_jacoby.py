"""Unlimited play whose file does not say whether the Jacoby rule held: its person chooses."""

from uuid import uuid4

import pytest

from accounts.models import User
from analysis.imports.jacoby import jacoby_choose
from analysis.imports.names import name_say
from analysis.models import DecidedMatch, DecisionRow, ImportedMatch, Job, Report, Transcript
from analysis.queue import work_once
from tests.analysis.files import golden
from tests.analysis.test_imported_reports import own, page, reader, shared
from tests.analysis.test_imports import brought, found
from tests.analysis.test_queue import Bare
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db

SAID = golden("money_session")
UNSAID = SAID.replace('; [Jacoby "On"]\n', "")
#: the same as far as the first play of its second game.
PART = UNSAID.rpartition("  2) 61")[0]
WITHOUT = "This file does not say whether the Jacoby rule held; judged without it."
WITH = WITHOUT.replace("without", "with")


@pytest.fixture
def match(magriel: User) -> ImportedMatch:
    """A session without a word about the rule, as its file gives it."""
    brought(magriel, UNSAID.encode())
    return ImportedMatch.objects.get()


def everything_done() -> None:
    while work_once(Bare()):
        pass


def chosen(match: ImportedMatch, holds: str) -> ImportedMatch:
    """The match after its owner has chosen on the page of its report."""
    answer = reader(match.person).post(
        f"/match/elsewhere/{match.pk}/jacoby/", {"holds": holds}, follow=True
    )
    assert answer.redirect_chain == [(own(match), 302)]
    return ImportedMatch.objects.select_related("transcript").get(pk=match.pk)


def test_the_report_says_what_is_assumed_and_can_be_made_anew(match: ImportedMatch) -> None:
    everything_done()
    shown = page(reader(match.person), own(match))
    for text in (WITHOUT, "Beavers are judged where one was made.", "Judge with Jacoby"):
        assert text in shown
    written = page(reader(match.person), own(match, ".mat"))
    assert "[Jacoby" not in written, "what is assumed is not written as if it were said"
    before = list(DecisionRow.objects.order_by("pk").values())
    again = chosen(match, "yes")
    assert again.transcript.jacoby
    assert again.transcript_id != match.transcript_id
    open_jobs = Job.objects.filter(done_at=None)
    assert set(open_jobs.values_list("transcript", "depth")) == {
        (again.transcript_id, "full"),
        (again.transcript_id, "deep"),
    }
    waiting = page(reader(match.person), own(match))
    for text in ("The analysis is queued", WITH, "Judge without Jacoby"):
        assert text in waiting
    everything_done()
    assert list(DecisionRow.objects.filter(pk__lte=before[-1]["id"]).order_by("pk").values()) == (
        before
    )
    xgids = DecisionRow.objects.filter(report__transcript=again.transcript, kind="play")
    assert {line["xgid"].split(":")[7] for line in xgids.values_list("line", flat=True)} == {"1"}
    assert "judged with it" in page(reader(match.person), own(match))
    german = page(reader(match.person, "de"), own(match))
    assert "ob die Jacoby-Regel galt" in german


def test_a_choice_that_is_taken_back_costs_no_work(match: ImportedMatch, magriel: User) -> None:
    name_say(magriel, match.source, "bob", is_mine=True)
    everything_done()
    chosen(match, "yes")
    everything_done()
    assert DecidedMatch.objects.get().report.transcript.jacoby
    reports = Report.objects.count()
    back = chosen(match, "no")
    assert back.transcript == match.transcript
    assert not Job.objects.filter(done_at=None).exists()
    everything_done()
    assert Report.objects.count() == reports


def test_who_has_the_link_is_told_and_has_no_switch(match: ImportedMatch, hilde: User) -> None:
    ImportedMatch.objects.update(share_key=uuid4())
    match.refresh_from_db()
    told = page(reader(hilde), shared(match))
    assert WITHOUT in told
    assert "Judge with Jacoby" not in told
    for person in (None, hilde):
        answer = reader(person).post(f"/match/elsewhere/{match.pk}/jacoby/", {"holds": "yes"})
        assert answer.status_code == (302 if person is None else 404)
    match.refresh_from_db()
    assert not match.transcript.jacoby


def test_nothing_is_asked_where_the_file_says_it_or_there_is_a_length(magriel: User) -> None:
    brought(magriel, SAID.encode(), golden().encode())
    assert not ImportedMatch.objects.filter(jacoby_assumed=True).exists()
    assert jacoby_choose(ImportedMatch.objects.all(), holds=False) == 0
    for match in ImportedMatch.objects.all():
        assert "does not say" not in page(reader(magriel), own(match))
        refused = reader(magriel).post(f"/match/elsewhere/{match.pk}/jacoby/", {"holds": "maybe"})
        assert refused.status_code == 404


def test_an_import_says_how_many_files_leave_it_open_and_all_are_switched(
    magriel: User, hilde: User
) -> None:
    upload = brought(magriel, UNSAID.encode(), golden().encode())
    archive = page(reader(magriel), "/matches/")
    line = "The file of 1 match does not say whether the Jacoby rule held; judged without it."
    assert line in archive
    address = f"/matches/imports/{upload.pk}/jacoby/"
    assert reader(hilde).post(address, {"holds": "yes"}).status_code == 404
    switched = reader(magriel).post(address, {"holds": "yes"}, follow=True).content.decode()
    assert "1 match is analysed again." in switched
    assert line.replace("without", "with") in switched
    assert ImportedMatch.objects.get(jacoby_assumed=True).transcript.jacoby
    assert "The file of" not in page(reader(hilde), "/matches/")


def test_another_file_of_the_match_that_says_it_decides(match: ImportedMatch) -> None:
    upload = brought(match.person, SAID.encode(), name="again")
    assert found(upload, "known") == [1]
    match = ImportedMatch.objects.get()
    assert (match.jacoby_assumed, match.transcript.jacoby) == (False, True)


def test_two_people_are_judged_by_the_rule_of_their_own_files(magriel: User, hilde: User) -> None:
    brought(magriel, SAID.encode())
    brought(hilde, UNSAID.encode())
    rules = [match.transcript.jacoby for match in ImportedMatch.objects.order_by("added_at")]
    assert rules == [True, False]
    assert Transcript.objects.values("digest").distinct().count() == 1


def test_the_whole_match_keeps_the_choice_made_for_its_part(magriel: User) -> None:
    brought(magriel, PART.encode())
    jacoby_choose(ImportedMatch.objects.all(), holds=True)
    part = ImportedMatch.objects.get()
    brought(magriel, UNSAID.encode(), name="again")
    whole = ImportedMatch.objects.get()
    assert (whole.pk, whole.jacoby_assumed, whole.transcript.jacoby) == (part.pk, True, True)
    assert whole.transcript_id != part.transcript_id


def test_programs_see_the_rule_and_choose_it(match: ImportedMatch, magriel: User) -> None:
    program = Program(magriel)
    place = f"matches/brought/{match.pk}/"
    told = program.get(place).json()
    assert (told["jacoby"], told["jacoby_assumed"]) == (False, True)
    told = program.put(place, {"jacoby": True}).json()
    assert (told["jacoby"], told["jacoby_assumed"], told["waits"]) == (True, True, True)
    assert program.put(place, {"jacoby": "x"}).status_code == 400
    brought(magriel, golden().encode(), name="match")
    said = ImportedMatch.objects.get(jacoby_assumed=False)
    refused = program.put(f"matches/brought/{said.pk}/", {"jacoby": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "jacoby_said")
    told = program.get(f"matches/brought/{said.pk}/").json()
    assert (told["jacoby"], told["jacoby_assumed"]) == (None, False)
