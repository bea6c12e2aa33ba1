"""A second factor from end to end: set up, required at login, used once, encrypted at rest."""

import base64
import hashlib
import hmac
import struct
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.test import Client
from django.urls import reverse

from accounts.adapter import SecondFactorAdapter
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def code_of(secret: str) -> str:
    """The code that an authenticator shows now (RFC 6238: SHA-1, 6 digits, 30 s)."""
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 10**6:06d}"


def log_in(client: Client):
    return client.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


@pytest.fixture
def secret(magriel) -> str:
    """Set up an authenticator for magriel and return its secret."""
    EmailAddress.objects.create(user=magriel, email=magriel.email, verified=True, primary=True)
    client = Client()
    log_in(client)
    assert client.get(reverse("mfa_activate_totp")).url.startswith(
        reverse("account_reauthenticate")
    )
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert answer.status_code == 302
    return secret


def test_password_alone_no_longer_logs_in(client, secret) -> None:
    assert log_in(client).url.startswith(reverse("mfa_authenticate"))
    assert not is_in(client)


def test_code_logs_in_once_and_not_again(client, secret) -> None:
    code = code_of(secret)
    log_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code})
    assert is_in(client)
    other = Client()
    log_in(other)
    other.post(reverse("mfa_authenticate"), {"code": code})
    assert not is_in(other)


def test_guessing_codes_is_stopped(client, secret) -> None:
    log_in(client)
    for guess in range(8):
        client.post(reverse("mfa_authenticate"), {"code": f"{guess:06d}"})
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not is_in(client)


def test_secret_cannot_be_read_in_the_database(secret, magriel) -> None:
    stored = str(Authenticator.objects.filter(user=magriel).values_list("data", flat=True))
    assert secret not in stored


def test_old_keys_still_open_and_strange_ones_do_not(settings) -> None:
    adapter = SecondFactorAdapter()
    token = adapter.encrypt("a secret")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key"
    assert adapter.decrypt(token) == "a secret"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        adapter.decrypt(token)
