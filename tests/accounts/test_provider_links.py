"""Links of accounts with other providers: making and ending them, and what they prove."""

import json
import zipfile
from io import BytesIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.guests import SESSION_KEY, guest_begin
from accounts.identity import _address_set
from accounts.models import Mailbox, OutgoingMail, User
from harness.logins import logged_in
from pasch.deletion import deletions_finish
from tests.accounts.conftest import PASSWORD
from tests.accounts.deleting import ask, wait_over
from tests.accounts.providing import (
    LINKS,
    by_provider,
    come_back,
    is_in,
    post_form,
    provider,
    signed_up,
    told,
    visitor,
)
from tests.login_provider import Provider

__all__ = ["provider", "visitor"]

pytestmark = pytest.mark.django_db


# --- linking --------------------------------------------------------------------------------------
def test_an_owner_links_and_ends_and_is_told_each_time(
    provider: Provider, magriel: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="security")
    client = logged_in(Client(enforce_csrf_checks=True), magriel)
    answer = come_back(client, post_form(client, LINKS, "/accounts/oidc/key/link/"), provider)
    assert answer.url == LINKS
    page = told(client, LINKS)
    assert "You can now log in with Keyhouse." in page
    assert "Tilo@Example.org" in page
    assert "Link Keyhouse" not in page
    mail = OutgoingMail.objects.get()
    assert (mail.to, "you can now log in" in mail.body) == (magriel.email, True)
    assert not EmailAddress.objects.filter(email="tilo@example.org").exists()
    by_provider(again := Client(enforce_csrf_checks=True), provider)
    assert again.session["_auth_user_id"] == str(magriel.pk)
    assert post_form(client, LINKS, "").url == LINKS
    assert not SocialAccount.objects.exists()
    assert OutgoingMail.objects.filter(body__contains="no longer log in").count() == 1
    events = [getattr(each, "event", {}).get("event") for each in caplog.records]
    assert "provider_linked" in events
    assert "provider_unlinked" in events


def test_a_login_that_opens_another_account_is_not_moved(provider: Provider, magriel: User) -> None:
    signed_up(Client(), provider, "tilo2")
    client = logged_in(Client(), magriel)
    come_back(client, client.post("/accounts/oidc/key/link/"), provider)
    assert "opens another account. Nothing has changed." in told(client, LINKS)
    assert SocialAccount.objects.get().user.username == "tilo2"


def test_nobody_ends_the_last_way_in_or_the_link_of_another(
    visitor: Client, provider: Provider, magriel: User
) -> None:
    signed_up(visitor, provider, "tilo2")
    link = SocialAccount.objects.get()
    tilo = link.user
    inside = logged_in(Client(), tilo)
    inside.post(LINKS, {"link": link.pk})
    assert "This is your only way to log in." in told(inside, LINKS)
    other = logged_in(Client(), magriel)
    other.post(LINKS, {"link": link.pk})
    assert SocialAccount.objects.count() == 1
    tilo.set_password(PASSWORD)
    tilo.save()
    logged_in(inside, tilo).post(LINKS, {"link": link.pk})
    assert not SocialAccount.objects.exists()


# --- fresh proofs ---------------------------------------------------------------------------------
def test_a_new_login_at_the_provider_is_a_proof_for_people_without_a_password(
    visitor: Client, provider: Provider
) -> None:
    signed_up(visitor, provider, "tilo2")
    confirm = "/accounts/oidc/key/confirm/"
    place = reverse("account_set_password")
    answer = visitor.get(place)  # the login alone proves nothing
    assert answer.url.startswith(confirm)
    answer = come_back(visitor, post_form(visitor, answer.url, ""), provider)
    assert provider.asked[-1]["prompt"] == "login"
    assert answer.url == place
    typed = {"password1": PASSWORD}
    post_form(visitor, place, place, **typed)
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("what", ["no time", "long ago", "another person"])
def test_an_old_login_at_the_provider_or_another_one_proves_nothing(
    visitor: Client, provider: Provider, what: str
) -> None:
    signed_up(visitor, provider, "tilo2")
    confirm = "/accounts/oidc/key/confirm/"
    provider.in_token = {
        "no time": lambda claims: {k: v for k, v in claims.items() if k != "auth_time"},
        "long ago": lambda claims: {**claims, "auth_time": claims["iat"] - 3_600},
        "another person": lambda claims: {**claims, "sub": "person-9"},
    }[what]
    answer = visitor.get(reverse("account_set_password"))
    answer = come_back(visitor, post_form(visitor, answer.url, ""), provider)
    assert answer.url == reverse("account")
    assert visitor.get(reverse("account_set_password")).url.startswith(confirm)
    stale = logged_in(Client(), User.objects.get(username="tilo2"), proved_ago=None)
    mail = {"email": "thief@example.org", "action_add": ""}
    assert stale.post(reverse("account_email"), mail).url.startswith(confirm)
    assert User.objects.count() == 1


def test_a_login_at_a_provider_proves_nothing_about_the_staff(
    visitor: Client, provider: Provider
) -> None:
    signed_up(visitor, provider, "tilo2")
    User.objects.update(is_staff=True, is_superuser=True)
    assert visitor.get("/accounts/oidc/key/confirm/").status_code == 404
    person = User.objects.get()
    client = logged_in(Client(), person, method="provider")
    assert client.get(reverse("account_set_password")).url.startswith(
        reverse("account_reset_password")
    )


# --- what else knows links ------------------------------------------------------------------------
def test_the_login_counts_as_a_mailbox_so_that_an_exclusion_follows_it(
    visitor: Client, provider: Provider
) -> None:
    signed_up(visitor, provider, "tilo2")
    assert Mailbox.objects.filter(proved_at__isnull=False).count() == 2
    SocialAccount.objects.all().delete()
    provider.claims |= {"email": "new@example.org"}
    signed_up(again := Client(enforce_csrf_checks=True), provider, "tilo3")
    assert is_in(again)
    keys = [set(user.mailboxes.values_list("key", flat=True)) for user in User.objects.all()]
    assert len(keys[0] & keys[1]) == 1


def test_another_address_set_at_the_desk_ends_the_links(
    visitor: Client, provider: Provider
) -> None:
    signed_up(visitor, provider, "tilo2")
    person = User.objects.get()
    _address_set(person, "true@example.org")
    assert not SocialAccount.objects.exists()


def test_the_export_has_the_links(visitor: Client, provider: Provider) -> None:
    signed_up(visitor, provider, "tilo2")
    person = logged_in(Client(), User.objects.get())
    answer = person.post(reverse("account_export"))
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    with zipfile.ZipFile(BytesIO(body)) as archive:
        name = next(each for each in archive.namelist() if "logins_by_providers" in each)
        rows = json.loads(archive.read(name))
    rows = rows["rows"] if isinstance(rows, dict) else rows
    assert [row["provider"] for row in rows] == ["key"]
    assert "Tilo@Example.org" in json.dumps(rows)


@pytest.mark.django_db(transaction=True)
def test_a_deleted_account_has_no_link_and_its_login_is_a_new_person(
    visitor: Client, provider: Provider, settings: Any
) -> None:
    settings.LEDGER_WELCOME_CENTS = 0
    signed_up(visitor, provider, "tilo2")
    ask(User.objects.get())
    wait_over()
    deletions_finish()
    assert not SocialAccount.objects.exists()
    answer = by_provider(Client(), provider)
    assert answer.url == reverse("socialaccount_signup")


def test_a_guest_registers_with_a_provider_and_keeps_the_row(
    visitor: Client, provider: Provider
) -> None:

    visitor.get("/")
    request = RequestFactory().post("/")
    request.session = visitor.session
    guest = guest_begin(request)
    session = visitor.session
    session[SESSION_KEY] = guest.pk
    session.save()
    visitor.cookies["session"] = session.session_key
    signed_up(visitor, provider, "tilo2")
    person = User.objects.get()
    assert (person.pk, person.is_guest, person.username) == (guest.pk, False, "tilo2")
    assert SocialAccount.objects.get().user_id == guest.pk
