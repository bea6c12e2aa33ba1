"""Registering and logging in: clear refusals, limits, and no other way in."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from tests.accounts.conftest import PASSWORD

User = get_user_model()
pytestmark = pytest.mark.django_db


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
