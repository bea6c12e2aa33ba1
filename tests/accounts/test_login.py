"""Registering and logging in: clear refusals, limits, second factors, and no other way in."""

import base64
import hashlib
import hmac
import signal
import struct
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from accounts.adapter import SecondFactorAdapter
from accounts.hashing import PacedArgon2PasswordHasher
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db

User = get_user_model()


def register(client, **changed):
    form = {"username": "tilo", "password1": PASSWORD, "email": ""}
    return client.post(reverse("account_signup"), form | changed)


def log_in(client, login="magriel", password=PASSWORD):
    return client.post(reverse("account_login"), {"login": login, "password": password})


def is_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_registering_logs_in(client) -> None:
    answer = register(client)
    assert answer.status_code == 302
    assert is_in(client)
    assert User.objects.get().username == "tilo"


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"username": "ti"}, "at least 3"),
        ({"username": "ti lo"}, "letters and digits"),
        ({"username": "Admin"}, "reserved"),
        ({"username": "MAGRIEL"}, "taken"),
        ({"username": "rnagriel"}, "too much like"),
        ({"password1": "short"}, "too short"),
        ({"password1": "password1234"}, "too common"),
    ],
)
def test_bad_registration_says_what_to_mend(client, magriel, changed, part) -> None:
    answer = register(client, **changed)
    errors = " ".join(
        str(error) for errors in answer.context["form"].errors.values() for error in errors
    )
    assert part in errors
    assert User.objects.count() == 1
    assert not is_in(client)


@pytest.mark.parametrize("length", [64, 128])
def test_long_passwords_are_welcome(client, length: int) -> None:
    password = "correct horse ⚄ battery " * 10
    assert register(client, password1=password[:length]).status_code == 302


@pytest.mark.parametrize("login", ["magriel", "MAGRIEL", "magriel@example.org"])
def test_name_in_any_case_or_address_logs_in(client, magriel, login: str) -> None:
    assert log_in(client, login).status_code == 302
    assert is_in(client)


def test_unknown_name_and_wrong_password_sound_the_same(client, magriel) -> None:
    unknown = log_in(client, login="nobody_here")
    wrong = log_in(client, password="wrong")
    assert unknown.context["form"].errors == wrong.context["form"].errors


def test_login_gives_a_new_session(client, magriel) -> None:
    client.get(reverse("account_login"))
    session = client.session
    session["before"] = 1
    session.save()
    before = session.session_key
    log_in(client)
    assert client.session.session_key != before


def test_guessing_a_password_is_stopped_even_for_the_right_one(client, magriel) -> None:
    for _ in range(6):
        log_in(client, password="wrong")
    log_in(client)
    assert not is_in(client)


def test_closed_account_cannot_log_in(client, magriel) -> None:
    magriel.is_active = False
    magriel.save()
    log_in(client)
    assert not is_in(client)


# --- passwords are hashed in a process beside -----------------------------------------------------
class Interrupted(Exception):
    """What ends a command while it waits for an answer."""


def test_an_interrupted_question_leaves_no_answer_for_the_next_password() -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    hasher = PacedArgon2PasswordHasher()
    stored = hasher.encode("right", "a-salt-of-sixteen")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        with pytest.raises(Interrupted):
            [hasher.verify("right", stored) for _ in range(50)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not hasher.verify("wrong", stored)
    assert hasher.verify("right", stored)


# --- second factors -------------------------------------------------------------------------------
def code_of(secret: str) -> str:
    """The code that an authenticator shows now (RFC 6238: SHA-1, 6 digits, 30 s)."""
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 10**6:06d}"


def password_given(client: Client):
    return client.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})


def is_inside(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


@pytest.fixture
def secret(magriel) -> str:
    """Set up an authenticator for magriel and return its secret."""
    EmailAddress.objects.create(user=magriel, email=magriel.email, verified=True, primary=True)
    client = Client()
    password_given(client)
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
    assert password_given(client).url.startswith(reverse("mfa_authenticate"))
    assert not is_inside(client)


def test_code_logs_in_once_and_not_again(client, secret) -> None:
    code = code_of(secret)
    password_given(client)
    client.post(reverse("mfa_authenticate"), {"code": code})
    assert is_inside(client)
    other = Client()
    password_given(other)
    other.post(reverse("mfa_authenticate"), {"code": code})
    assert not is_inside(other)


def test_guessing_codes_is_stopped(client, secret) -> None:
    password_given(client)
    for guess in range(8):
        client.post(reverse("mfa_authenticate"), {"code": f"{guess:06d}"})
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not is_inside(client)


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
