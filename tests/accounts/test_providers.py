"""Logging in by another provider: its setting, what it may open and what not, and its failures."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from accounts.crowds import SIGN_UP
from accounts.models import User
from accounts.providers import answers
from accounts.providers.configuration import LoginProvider
from accounts.providers.configuration import login_providers as providers_of
from harness.logins import logged_in
from pasch.doctor.inside.outgoing import login_providers
from tests.accounts.providing import (
    LINKS,
    LOGIN,
    by_provider,
    is_in,
    post_form,
    provider,
    signed_up,
    told,
    visitor,
    way_out,
)
from tests.login_provider import CLIENT_ID, OTHER_KEY, Provider, login_provider

pytestmark = pytest.mark.django_db

__all__ = ["provider", "visitor"]


# --- without providers ----------------------------------------------------------------------------
def test_without_a_provider_nothing_of_it_is_there(visitor: Client, magriel: User) -> None:
    for place in ("account_login", "account_signup"):
        assert "Continue with" not in told(visitor, reverse(place))
    assert Client().post(LOGIN).status_code == 404
    inside = logged_in(Client(), magriel)
    assert inside.get(LINKS).status_code == 404
    assert "other accounts" not in told(inside, reverse("account"))


def test_a_row_in_the_database_is_no_provider(settings: Any) -> None:
    SocialApp.objects.create(
        provider="openid_connect",
        provider_id="evil",
        name="Evil",
        client_id="x",
        settings={"server_url": "https://evil.example"},
    )
    assert Client().post("/accounts/oidc/evil/login/").status_code == 404


# --- signing up and logging in --------------------------------------------------------------------
def test_a_new_person_chooses_a_name_and_has_a_confirmed_address(
    visitor: Client, provider: Provider
) -> None:
    page = told(visitor, reverse("account_signup"))
    assert "Continue with Keyhouse" in page
    answer = by_provider(visitor, provider, reverse("account_signup"))
    assert User.objects.count() == 0  # nobody is made before the form
    form = told(visitor, answer.url)
    assert "By registering you confirm that you are at least 18 years old" in form
    answer = post_form(visitor, answer.url, answer.url, username="tilo2")
    assert answer.url == reverse("welcome")
    person = User.objects.get()
    assert (person.username, person.email) == ("tilo2", "tilo@example.org")
    assert (person.first_name, person.has_usable_password()) == ("", False)
    assert EmailAddress.objects.get(user=person).verified
    link = SocialAccount.objects.get(user=person)
    assert link.extra_data == {"label": "Tilo@Example.org"}
    assert "person-1" not in link.uid
    again = Client(enforce_csrf_checks=True)
    by_provider(again, provider)
    assert again.session["_auth_user_id"] == str(person.pk)
    assert User.objects.count() == 1


@pytest.mark.parametrize("said", [False, None, "false", 1])
def test_an_address_counts_as_confirmed_only_if_the_provider_says_so(
    visitor: Client, provider: Provider, said: object
) -> None:
    provider.claims["email_verified"] = said
    signed_up(visitor, provider, "tilo2")
    assert not EmailAddress.objects.get(email="tilo@example.org").verified


def test_another_address_than_the_provider_s_is_not_confirmed(
    visitor: Client, provider: Provider
) -> None:
    signed_up(visitor, provider, "tilo2", email="other@example.org")
    address = EmailAddress.objects.get()
    assert (address.email, address.verified) == ("other@example.org", False)


def test_the_address_may_come_from_the_second_question(visitor: Client, provider: Provider) -> None:
    told_of = {"email": "late@example.org", "email_verified": True}
    provider.claims = {"sub": "person-2"}
    provider.at_userinfo = told_of
    signed_up(visitor, provider, "tilo2")
    assert EmailAddress.objects.get(email="late@example.org").verified
    provider.at_userinfo = {"sub": "person-3", **told_of}
    by_provider(other := Client(), provider)
    assert not is_in(other)
    assert "cannot be checked" in told(other)


def test_the_rules_of_names_are_those_of_every_sign_up(
    visitor: Client, provider: Provider, magriel: User
) -> None:
    by_provider(visitor, provider)
    place = reverse("socialaccount_signup")
    for name, part in (("ti", "at least 3"), ("Admin", "reserved"), ("rnagriel", "too much like")):
        page = post_form(visitor, place, place, username=name).content.decode()
        assert part in page, name
    assert User.objects.count() == 1


def test_a_crowd_solves_the_puzzle_here_too(
    visitor: Client, provider: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_provider(visitor, provider)
    place = reverse("socialaccount_signup")
    for _ in range(SIGN_UP.of_network.count):
        SIGN_UP.enter("127.0.0.1", "")
    answer = post_form(visitor, place, place, username="tilo2")
    assert answer.status_code == 429
    assert 'name="proof"' in answer.content.decode()
    assert User.objects.count() == 0
    assert visitor.get(place).status_code == 200  # it still knows who signs up


def test_the_address_of_another_account_opens_nothing_and_links_nothing(
    visitor: Client,
    provider: Provider,
    magriel: User,
    tables_digest: Callable[[], dict[str, str]],
) -> None:
    EmailAddress.objects.create(user=magriel, email=magriel.email, verified=True, primary=True)
    provider.claims["email"] = magriel.email
    before = tables_digest()
    answer = by_provider(visitor, provider)
    assert answer.url == reverse("account_login")
    assert "Another account has this mail address. If it is yours, log in to it" in told(visitor)
    assert not is_in(visitor)
    assert {k: v for k, v in tables_digest().items() if k != "django_session"} == {
        k: v for k, v in before.items() if k != "django_session"
    }
    provider.claims["email_verified"] = False
    page = signed_up(visitor, provider, "tilo2").content.decode()
    assert "Another account has this mail address" in page
    assert not SocialAccount.objects.exists()


def test_a_second_factor_is_asked_after_a_provider(visitor: Client, provider: Provider) -> None:
    signed_up(visitor, provider, "tilo2")
    TOTP.activate(User.objects.get(), generate_totp_secret())
    again = Client(enforce_csrf_checks=True)
    assert by_provider(again, provider).url == reverse("mfa_authenticate")
    assert not is_in(again)


def test_a_closed_account_stays_closed(visitor: Client, provider: Provider) -> None:
    signed_up(visitor, provider, "tilo2")
    User.objects.update(is_active=False)
    by_provider(again := Client(), provider)
    assert not is_in(again)


# --- answers that do not count --------------------------------------------------------------------
WRONG: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "nonce": lambda claims: {**claims, "nonce": "another"},
    "no nonce": lambda claims: {k: v for k, v in claims.items() if k != "nonce"},
    "issuer": lambda claims: {**claims, "iss": "https://evil.example"},
    "audience": lambda claims: {**claims, "aud": "another-house"},
    "two audiences": lambda claims: {**claims, "aud": [CLIENT_ID, "another-house"]},
    "expired": lambda claims: {**claims, "exp": claims["iat"] - 3_600},
    "no subject": lambda claims: {k: v for k, v in claims.items() if k != "sub"},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_token_that_is_not_for_us_now_opens_nothing(
    visitor: Client, provider: Provider, what: str
) -> None:
    signed_up(Client(), provider, "tilo2")
    provider.in_token = WRONG[what]
    answer = by_provider(visitor, provider)
    assert answer.url == reverse("account_login")
    assert "The answer of Keyhouse cannot be checked" in told(visitor)
    assert not is_in(visitor)


def test_a_token_of_another_key_or_of_none_opens_nothing(
    visitor: Client, provider: Provider
) -> None:
    signed_up(Client(), provider, "tilo2")
    provider.key = OTHER_KEY
    by_provider(visitor, provider)
    assert not is_in(visitor)
    real = provider.token
    for algorithm, key in (("none", ""), ("HS256", "the-secret-of-this-house-and-more")):

        def forged(asked: dict[str, str], algorithm: str = algorithm, key: str = key) -> str:
            claims = jwt.decode(real(asked), options={"verify_signature": False})
            return jwt.encode(claims, key, algorithm, headers={"kid": "one"})

        provider.token = forged  # type: ignore[method-assign]  # what a forger sends
        by_provider(visitor, provider)
        assert not is_in(visitor)


def test_new_keys_of_a_provider_are_fetched_at_once_and_not_with_every_forgery(
    visitor: Client, provider: Provider
) -> None:
    signed_up(Client(), provider, "tilo2")
    provider.key = provider.published = OTHER_KEY  # under the id of the old one
    by_provider(visitor, provider)
    assert not is_in(visitor), "it was asked just now"
    url = provider.discovery["jwks_uri"]
    until, keys = answers._kept[url]
    answers._kept[url] = (until - answers.AWAY_SECONDS, keys)
    by_provider(visitor, provider)
    assert is_in(visitor)


def test_the_doctor_asks_each_provider(provider: Provider, settings: Any) -> None:
    assert login_providers().grade == "ok"
    (known,) = settings.LOGIN_PROVIDERS
    settings.LOGIN_PROVIDERS = (replace(known, url=f"{known.url}/elsewhere"),)
    found = login_providers()
    assert found.grade == "wrong"
    assert "Keyhouse" in found.text
    settings.LOGIN_PROVIDERS = ()
    assert login_providers().grade == "ok"


def test_an_answer_that_this_browser_has_not_asked_for_opens_nothing(
    visitor: Client, provider: Provider
) -> None:
    signed_up(Client(), provider, "tilo2")
    back = provider.enter(way_out(post_form(Client(), reverse("account_login"), LOGIN)))
    assert visitor.get(back).url == reverse("account_login")
    assert "took too long, or began in another browser" in told(visitor)
    assert not is_in(visitor)
    own = provider.enter(way_out(post_form(visitor, reverse("account_login"), LOGIN)))
    visitor.get(own)
    assert is_in(visitor)
    visitor.logout()
    assert not is_in(visitor)
    visitor.get(own)  # the same answer a second time
    assert not is_in(visitor)


def test_another_issuer_under_the_same_id_opens_no_account(
    visitor: Client, provider: Provider, settings: Any
) -> None:
    signed_up(Client(), provider, "tilo2", email="")
    settings.LOGIN_PROVIDERS = ()
    with login_provider(settings) as other:
        other.claims = {"sub": "person-1"}
        assert by_provider(visitor, other).url == reverse("socialaccount_signup")


def test_a_provider_that_is_away_says_so_and_changes_nothing(
    visitor: Client,
    provider: Provider,
    settings: Any,
) -> None:
    answer = post_form(visitor, reverse("account_login"), LOGIN)
    back = provider.enter(way_out(answer))
    provider.shutdown()
    provider.server_close()
    assert visitor.get(back).url == reverse("account_login")
    assert "Keyhouse does not answer right now." in told(visitor)
    with login_provider(settings, id="gone", name="Gonehouse") as gone:
        gone.shutdown()
        gone.server_close()
        place = "/accounts/oidc/gone/login/"
        assert post_form(visitor, reverse("account_login"), place).url == reverse("account_login")
    assert "Gonehouse does not answer right now." in told(visitor)
    assert User.objects.count() == 0


def test_who_cancels_is_told_so(visitor: Client, provider: Provider) -> None:
    answer = post_form(visitor, reverse("account_login"), LOGIN)
    state = provider.enter(way_out(answer)).partition("state=")[2]
    visitor.get(f"{LOGIN}callback/", {"error": "access_denied", "state": state})
    assert "You have not logged in with Keyhouse." in told(visitor)


def test_nobody_is_led_elsewhere(visitor: Client, provider: Provider) -> None:
    signed_up(Client(), provider, "tilo2")
    place = f"{reverse('account_login')}?next=https://evil.example/"
    assert by_provider(visitor, provider, place).url == "/"
    asked = Client().post(f"{LOGIN}?auth_params=redirect_uri%3Dhttps://evil.example&scope=all")
    out = way_out(asked)
    assert "evil" not in out
    assert "all" not in out.partition("scope=")[2].partition("&")[0].split("+")
    inner = Client(enforce_csrf_checks=True)
    place = f"{reverse('account_login')}?next=/lobby/"
    assert by_provider(inner, provider, place).url == "/lobby/"


# --- OIDC_PROVIDERS -------------------------------------------------------------------------------
CLUB = {
    "id": "club",
    "name": "Our club",
    "url": "https://login.example/realms/club",
    "client_id": "pasch",
    "secret": "not-for-eyes",
}


def test_nothing_is_the_default_and_several_keep_their_order() -> None:
    assert providers_of("") == providers_of(" ") == ()
    other = {**CLUB, "id": "a", "name": "A", "url": "http://127.0.0.1:9000/"}
    found = providers_of(json.dumps([CLUB, other]))
    assert found == (LoginProvider(**CLUB), LoginProvider(**other))
    assert "not-for-eyes" not in repr(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{", "is not JSON: Expecting property name"),
        (json.dumps(CLUB), "must be a list in JSON"),
        (json.dumps(["club"]), "must have an object at place 1"),
        (json.dumps([{**CLUB, "scope": "x"}]), "has an unknown field 'scope' in provider 1"),
        (json.dumps([CLUB, {**CLUB, "name": ""}]), "needs name in provider 2"),
        (json.dumps([{**CLUB, "secret": 7}]), "needs secret in provider 1"),
        (json.dumps([{**CLUB, "id": "Our Club"}]), "has the id 'Our Club' in provider 1"),
        (json.dumps([{**CLUB, "url": "http://login.example"}]), "it must be the issuer's address"),
        (json.dumps([{**CLUB, "url": "https://a.example/?x=1"}]), "without a query"),
        (json.dumps([CLUB, CLUB]), "has two providers with the id 'club'"),
        (json.dumps([CLUB, {**CLUB, "id": "b"}]), "has two providers with the name 'Our club'"),
    ],
)
def test_a_bad_value_is_refused_with_what_and_where(text: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        providers_of(text)
    assert str(refused.value).startswith("OIDC_PROVIDERS ")
    assert said in str(refused.value)
    assert "not-for-eyes" not in str(refused.value)
