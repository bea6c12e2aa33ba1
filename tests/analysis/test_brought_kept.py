"""What a person brought: how long it is kept, what the export has, and how deleting is undone."""

import json
from base64 import b64decode
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from analysis.decisions.filling import imports_list
from analysis.imports.names import name_say
from analysis.imports.removing import KEPT
from analysis.models import ImportedFile, ImportedMatch, Job, MyDecision
from analysis.personal_data import PERSONAL_DATA
from analysis.queue import work_once
from analysis.tasks import forget_brought
from tests.analysis.files import cut_off, golden
from tests.analysis.test_imports import brought
from tests.analysis.test_queue import Bare
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


def exported(person: User, name: str) -> list[dict[str, Any]]:
    (part,) = (part for part in PERSONAL_DATA.parts if part.name == name)
    return json.loads(json.dumps(list(part.rows(person)), default=str))


def test_the_bytes_of_files_with_faults_go_after_thirty_days(magriel: User) -> None:
    brought(magriel, cut_off().encode(), b"no match")
    old, new = ImportedFile.objects.order_by("pk")
    long_ago = timezone.now() - KEPT - timedelta(minutes=1)
    ImportedFile.objects.filter(pk=old.pk).update(read_at=long_ago)
    assert forget_brought() == 1
    old.refresh_from_db()
    new.refresh_from_db()
    assert old.content is None
    assert new.content is not None
    assert old.found["faults"], "what was found stays"
    client = Client()
    client.force_login(magriel)
    page = client.get(reverse("imported_file", args=[old.pk]))
    assert page.status_code == 200
    assert page.context["lines"] == []
    shown = client.get(reverse("archive")).content.decode()
    assert reverse("imported_file", args=[old.pk]) not in shown
    assert reverse("imported_file", args=[new.pk]) in shown


def test_a_file_that_waits_for_its_reader_stays(magriel: User) -> None:
    brought(magriel, cut_off().encode())
    ImportedFile.objects.update(read_at=None)
    assert forget_brought() == 0


def test_the_export_has_the_files_with_their_faults_and_bytes(magriel: User, hilde: User) -> None:
    upload = brought(magriel, golden().encode(), cut_off().encode())
    brought(hilde, b"no match")
    whole, cut = exported(magriel, "imported_files")
    assert (whole["path"], whole["content_base64"]) == ("folder/0.mat", None)
    assert whole["digest"]
    assert cut["upload_id"] == str(upload.pk)
    assert cut["found"]["faults"][0]["line"] == 16
    assert b64decode(cut["content_base64"]) == cut_off().encode()


# --- deleting, and the way back -------------------------------------------------------------------
CHOSEN = reverse("matches_chosen")


@pytest.fixture
def reader(client: Client, magriel: User) -> Client:
    client.force_login(magriel)
    return client


def test_deleting_is_one_step_and_undone_in_one(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode())
    match = ImportedMatch.objects.get()
    name_say(magriel, match.source, "bob", is_mine=True)
    while work_once(Bare()):
        pass
    decisions = MyDecision.objects.count()
    assert decisions
    reader.post(CHOSEN, {"action": "share", "match": match.pk})
    page = reader.post(CHOSEN, {"action": "delete", "match": match.pk, "query": "year=2019"})
    assert "1 match is deleted." in text_of(page)
    assert reader.get(reverse("archive")).context["rows"] == []
    assert reader.get(reverse("imported_report", args=[match.pk])).status_code == 404
    assert not MyDecision.objects.exists()
    fields = dict(page.context["fields"])
    back = reader.post(page.context["restore_url"], fields)
    assert back.url == f"{reverse('archive')}?year=2019"
    assert "1 match is back." in text_of(reader.get(back.url))
    imports_list()
    assert MyDecision.objects.count() == decisions
    match.refresh_from_db()
    assert match.share_key is None, "a link that has ended is not opened again by itself"


def test_the_analysis_of_a_deleted_match_ends_and_goes_on(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode())
    match = ImportedMatch.objects.get()
    reader.post(CHOSEN, {"action": "delete", "match": match.pk})
    assert not Job.objects.exists()
    reader.post(CHOSEN, {"action": "restore", "match": match.pk})
    assert [job.depth for job in Job.objects.order_by("pk")] == ["full", "deep"]


def test_nobody_else_takes_a_deletion_back(reader: Client, magriel: User, hilde: User) -> None:
    brought(hilde, golden().encode())
    match = ImportedMatch.objects.get()
    other = Client()
    other.force_login(hilde)
    other.post(CHOSEN, {"action": "delete", "match": match.pk})
    reader.post(CHOSEN, {"action": "restore", "match": match.pk})
    assert not ImportedMatch.objects.exists()
    assert [row["removed_at"] is None for row in exported(hilde, "imported_matches")] == [False]


def test_a_deleted_match_that_is_brought_again_is_new(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode())
    match = ImportedMatch.objects.get()
    reader.post(CHOSEN, {"action": "delete", "match": match.pk})
    again = brought(magriel, golden().encode() + b"\n", name="again")
    assert (again.files.get().found or {})["new"] == 1
    reader.post(CHOSEN, {"action": "restore", "match": match.pk})
    assert ImportedMatch.everything.count() == 1


def test_what_was_deleted_long_ago_goes_for_good(reader: Client, magriel: User) -> None:
    brought(magriel, golden().encode(), golden("money_session").encode())
    old, new = ImportedMatch.objects.order_by("pk")
    reader.post(CHOSEN, {"action": "delete", "match": [old.pk, new.pk]})
    long_ago = timezone.now() - KEPT - timedelta(minutes=1)
    ImportedMatch.everything.filter(pk=old.pk).update(removed_at=long_ago)
    assert forget_brought() == 1
    assert list(ImportedMatch.everything.all()) == [new]
