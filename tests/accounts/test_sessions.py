"""When access ends, it ends everywhere, and the signal reaches those that hold connections."""

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.services import sessions_end, user_disable
from accounts.signals import access_ended
from accounts.tasks import forget_sessions
from accounts.templatetags.logins import browser_words
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard():
    """The arguments that `access_ended` was sent with."""
    told = []

    def listen(*, user_id, session_key, **_):
        told.append((user_id, session_key))

    access_ended.connect(listen)
    yield told
    access_ended.disconnect(listen)


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    """Callbacks on commit run at the end of `with committed():`."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def devices(magriel):
    """Two browsers in which the user logged in through the page."""
    clients = [Client(), Client()]
    for client in clients:
        client.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})
    return clients


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_disabling_ends_every_session_at_once(magriel, devices, heard, committed) -> None:
    assert all(is_in(client) for client in devices)
    with committed():
        user_disable(magriel)
    assert not any(is_in(client) for client in devices)
    assert (magriel.pk, None) in heard


def test_other_sessions_can_be_ended(magriel, devices, heard, committed) -> None:
    with committed():
        sessions_end(magriel, keep=devices[0].session.session_key)
    assert [is_in(client) for client in devices] == [True, False]
    assert (magriel.pk, None) in heard


def test_new_password_shuts_the_other_device_out(magriel, devices, heard, committed) -> None:
    new = PASSWORD + "-new"
    with committed():
        devices[0].post(
            reverse("account_change_password"),
            {"oldpassword": PASSWORD, "password1": new},
        )
    assert [is_in(client) for client in devices] == [True, False]
    assert (magriel.pk, None) in heard


def test_logging_out_ends_this_session_only(magriel, devices, heard, committed) -> None:
    key = devices[0].session.session_key
    with committed():
        devices[0].post(reverse("account_logout"))
    assert [is_in(client) for client in devices] == [False, True]
    assert (magriel.pk, key) in heard


def test_session_list_names_both_devices(devices) -> None:
    page = devices[0].get(reverse("usersessions_list")).content.decode()
    assert page.count("127.0.0.1") >= 2
    assert page.count("This device") == 1


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox, Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
            "Safari, iOS",
        ),
        ("python-requests/2.32", "python-requests/2.32"),
        ("", "unknown device"),
    ],
)
def test_a_browser_is_named_in_words(user_agent: str, words: str) -> None:
    assert browser_words(user_agent) == words


def test_addresses_and_browsers_of_ended_sessions_are_deleted(magriel, devices) -> None:
    key = devices[0].session.session_key
    Session.objects.filter(session_key=key).update(expire_date=timezone.now())
    forget_sessions()
    (kept,) = UserSession.objects.filter(user=magriel)
    assert kept.session_key == devices[1].session.session_key


def test_an_answer_to_the_old_session_does_not_delete_the_cookie_of_a_login(client) -> None:
    """Another tab has sent the old cookie just before the login; its answer arrives afterwards."""
    client.cookies[settings.SESSION_COOKIE_NAME] = "an-ended-session"
    late = client.get(reverse("home"))
    assert settings.SESSION_COOKIE_NAME not in late.cookies


def test_a_logout_deletes_the_cookie(devices) -> None:
    answer = devices[0].post(reverse("account_logout"))
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == ""
