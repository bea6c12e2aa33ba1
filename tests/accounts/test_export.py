"""The export of an account: everything stored about one person, and nothing about another."""

import copy
import errno
import io
import json
import time
import zipfile
from typing import IO, Any

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from asgiref.sync import async_to_sync
from django.apps import apps
from django.core.cache import cache
from django.test import Client

from accounts.identity import name_change
from accounts.mails import mail_enqueue
from accounts.models import User
from accounts.tokens import token_make
from games.models import Favourite, LearntStep, Match, Mute
from games.table import commands as cmd
from harness.logins import logged_in, session_cookie
from harness.servers import NO_VALKEY
from harness.sitting import Sitting
from ledger.services.decisions import journal_record
from pasch.pages import account_export
from pasch.pages.account_export import CHUNK_BYTES, RATE, FileStream
from pasch.personal_data import left_out, parts
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
PATH = "/account/export/"


@pytest.fixture
def magriel(db: None) -> User:
    return User.objects.create_user("magriel", "magriel@example.org", PASSWORD)


@pytest.fixture
def hilde(db: None) -> User:
    return User.objects.create_user("hilde", "hilde@example.org")


def downloaded(person: User) -> dict[str, Any]:
    """The files of a person's export, as JSON."""
    answer = logged_in(Client(), person).post(PATH)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    body = answer.getvalue()
    assert int(answer["Content-Length"]) == len(body)
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def test_every_foreign_key_to_a_person_is_exported_or_left_out_for_a_reason() -> None:
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if getattr(field, "concrete", False) and field.related_model is User
    }
    covered = {label for part in parts() for label in part.covers}
    assert found - covered - set(left_out()) == set()
    assert (covered | set(left_out())) - found == set()
    assert covered & set(left_out()) == set()
    assert all(left_out().values())
    assert len({part.name for part in parts()}) == len(parts())


def test_it_has_a_finished_match_its_credits_and_its_rating(sitting: Sitting, magriel, hilde, dice):
    dice((3, 1), (6, 5), (4, 2))
    for _ in range(3):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    match = Match.objects.get(table=sitting.pk)
    files = downloaded(magriel)
    assert [row["id"] for row in files["matches.json"]] == [str(match.pk)]
    (name,) = [name for name in files if name.startswith("matches/")]
    assert str(match.pk)[:8] in name
    entries = files["wallet_entries.json"]
    assert sum(row["amount_cents"] for row in entries) == files["wallet.json"][0]["balance_cents"]
    assert f"match:{match.pk}" in {row["transfer_reference"] for row in entries}
    (change,) = files["rating_changes.json"]
    assert change["opponent"] == "hilde"
    assert change["won"] is True
    for part in parts():
        assert files["index.json"]["rows"][f"{part.name}.json"] == len(files[f"{part.name}.json"])


def test_a_browser_that_accepts_compressed_pages_gets_the_zip_as_it_is(live: str) -> None:
    """A ZIP is compressed already; the server announces its length and no other encoding."""
    person = User.objects.create_user("magriel", "magriel@example.org", PASSWORD)
    name, value = session_cookie(person)
    with requests.Session() as http:
        http.cookies.update({name: value})
        http.headers.update({"Referer": live, "Origin": live, "Accept-Encoding": "gzip"})
        http.get(live + PATH)
        form = {"csrfmiddlewaretoken": http.cookies["csrftoken"]}
        answer = http.post(live + PATH, data=form)
    assert answer.headers["Content-Type"] == "application/zip"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None


def test_it_has_what_the_person_stored_and_nothing_of_others(magriel, hilde) -> None:
    EmailAddress.objects.create(user=magriel, email="magriel@example.org", verified=True)
    EmailAddress.objects.create(user=magriel, email="hilde@example.org", verified=False)
    mail_enqueue(to="Magriel@example.org", subject="yours", body="a secret link")
    mail_enqueue(to="hilde@example.org", subject="not yours", body="another")
    Mute.objects.create(owner=magriel, muted=hilde)
    Mute.objects.create(owner=hilde, muted=magriel)
    Favourite.objects.create(owner=magriel, name="evenings", wishes={"mode": "free"})
    LearntStep.objects.create(person=magriel, lesson="way", step="first", solved=True)
    name_change(user_id=magriel.pk, name="paul")
    magriel.refresh_from_db()
    for about in (magriel, hilde):
        journal_record(
            actor=hilde, verb="identity.change", subject=f"user:{about.pk}", before={},
            after={"name": "paul", "asked_by": "anna"}, reason=f"about {about.pk}",
        )  # fmt: skip
    files = downloaded(magriel)
    assert files["account.json"][0]["name"] == "paul"
    assert [row["name"] for row in files["past_names.json"]] == ["magriel"]
    assert [row["subject"] for row in files["mails.json"]] == ["yours"]
    assert [row["muted"] for row in files["mutes.json"]] == ["hilde"]
    assert [row["name"] for row in files["favourites.json"]] == ["evenings"]
    assert [row["step"] for row in files["lessons.json"]] == ["first"]
    decisions = files["decisions_about_the_account.json"]
    assert [row["reason"] for row in decisions] == [f"about {magriel.pk}"]
    assert decisions[0]["after"] == {"name": "paul"}  # staff are not named
    assert len(downloaded(hilde)["mutes.json"]) == 1


def test_it_has_no_secrets(magriel) -> None:
    User.objects.filter(pk=magriel.pk).update(is_bot=True)
    magriel.refresh_from_db()
    token = token_make(magriel, "mine")
    Authenticator.objects.create(user=magriel, type="totp", data={"secret": "closed-secret"})
    mail_enqueue(to="magriel@example.org", subject="reset", body="secret-link")
    EmailAddress.objects.create(user=magriel, email="magriel@example.org", verified=True)
    files = downloaded(magriel)
    text = json.dumps(files)
    assert [row["name"] for row in files["api_tokens.json"]] == ["mine"]
    assert [row["type"] for row in files["second_factors.json"]] == ["totp"]
    digest = magriel.api_tokens.get().digest
    for secret in (token, digest, "closed-secret", "secret-link", magriel.password):
        assert secret not in text


def test_the_file_has_the_name_of_its_person_in_any_script(hilde) -> None:
    User.objects.filter(pk=hilde.pk).update(username="Łucja")
    answer = logged_in(Client(), User.objects.get(pk=hilde.pk)).post(PATH)
    told = answer.headers["Content-Disposition"]
    assert told.startswith("attachment; filename*=utf-8''pasch-%C5%81ucja-")


def test_it_asks_for_a_fresh_proof_and_an_account(magriel) -> None:
    assert Client().post(PATH)["location"].startswith("/accounts/login/")
    stale = logged_in(Client(), magriel, proved_ago=3600)
    for ask in (stale.get, stale.post):
        assert ask(PATH)["location"].startswith("/accounts/reauthenticate/")
    assert logged_in(Client(), magriel).get(PATH).status_code == 200
    assert logged_in(Client(), magriel, proved_ago=None).get(PATH).status_code == 302
    guest = User.objects.create_user("guest-1", is_guest=True)
    assert logged_in(Client(), guest, proved_ago=None).post(PATH).status_code == 403


def test_the_password_leads_on_to_the_file(magriel) -> None:
    client = logged_in(Client(), magriel, proved_ago=3600)
    ask = client.post(PATH)["location"]
    answer = client.post(ask, {"password": PASSWORD})
    assert answer["Content-Type"] == "application/zip"
    assert zipfile.is_zipfile(io.BytesIO(answer.getvalue()))


def test_a_person_gets_three_an_hour_and_one_at_a_time(magriel, hilde) -> None:
    client = logged_in(Client(), magriel)
    cache.set(f"export:{magriel.pk}", 1)
    assert client.post(PATH).status_code == 429
    cache.delete(f"export:{magriel.pk}")
    for number in range(RATE.count):
        assert client.post(PATH).status_code == 200, number
    hour = int(time.time()) // RATE.seconds
    cache.set(f"throttle:export:{magriel.pk}:{hour}", RATE.count, 60)
    cache.set(f"throttle:export:{magriel.pk}:{hour + 1}", RATE.count, 60)
    assert client.post(PATH).status_code == 429
    assert logged_in(Client(), hilde).post(PATH).status_code == 200


def test_the_file_is_read_piece_by_piece_and_closed(tmp_path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * (2 * CHUNK_BYTES + 1))

    async def pieces(response: FileStream) -> list[int]:
        return [len(piece) async for piece in response]

    file = path.open("rb")
    response = FileStream(file, "application/zip")
    assert async_to_sync(pieces)(response) == [CHUNK_BYTES, CHUNK_BYTES, 1]
    response.close()
    assert file.closed


def test_account_settings_and_privacy_lead_to_it(magriel) -> None:
    client = logged_in(Client(), magriel)
    for page in ("/account/", "/settings/", "/privacy/"):
        assert f'href="{PATH}"' in client.get(page).content.decode()


def test_without_valkey_none_begins_and_one_that_runs_is_still_sent(
    magriel, settings, monkeypatch
) -> None:
    client = logged_in(Client(raise_request_exception=False), magriel)
    here, away = settings.CACHES, copy.deepcopy(settings.CACHES)
    away["default"]["LOCATION"] = NO_VALKEY
    write = account_export.export_write

    def valkey_goes(person: User, file: IO[bytes]) -> None:
        write(person, file)
        settings.CACHES = away

    monkeypatch.setattr(account_export, "export_write", valkey_goes)
    answer = client.post(PATH)
    assert answer.status_code == 200
    assert zipfile.is_zipfile(io.BytesIO(answer.getvalue()))
    assert client.post(PATH).status_code == 503
    settings.CACHES = here
    assert client.post(PATH).status_code == 429, "until the lock has expired"


def test_a_full_disk_leaves_no_lock_behind(magriel, monkeypatch) -> None:
    client = logged_in(Client(raise_request_exception=False), magriel)

    def full(person: User, file: IO[bytes]) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as planted:
        planted.setattr(account_export, "export_write", full)
        assert client.post(PATH).status_code == 500
    assert client.post(PATH).status_code == 200
