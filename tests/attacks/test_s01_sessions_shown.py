"""S1 by reading alone: nothing in Django's administration lets a person act as another one."""

import string
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from tests.desk.conftest import PASSWORD, at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SESSIONS = "/admin/usersessions/usersession/"


@pytest.fixture
def chief(anna: User) -> User:
    """anna is a superuser as well, and may see every page."""
    User.objects.filter(pk=anna.pk).update(is_superuser=True)
    return User.objects.get(pk=anna.pk)


def test_no_page_tells_the_session_of_another_administrator(chief: User, magriel: User) -> None:
    """The attack: guess the key of a session letter by letter, and send it as a cookie.

    The list showed no key, but its query string could filter by it: a right guess had a row.
    """
    theirs = Client()
    theirs.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})
    theirs.get(reverse("account"))
    key = theirs.cookies[settings.SESSION_COOKIE_NAME].value
    row = UserSession.objects.get(session_key=key)
    looking, guessed = at_desk(chief), ""
    for _ in range(3):
        for letter in string.ascii_lowercase + string.digits:
            found = looking.get(f"{SESSIONS}?session_key__startswith={guessed}{letter}")
            if f"{SESSIONS}{row.pk}/change/" in found.content.decode():
                guessed += letter
                break
    assert not guessed
    assert looking.get(SESSIONS).status_code == 404


@pytest.mark.parametrize("model", ["usersessions_usersession", "mfa_authenticator"])
def test_sessions_and_second_factors_have_no_page_there(chief: User, model: str) -> None:
    with pytest.raises(NoReverseMatch):
        reverse(f"admin:{model}_changelist")


def test_no_column_that_opens_a_door_is_registered() -> None:
    opens: Any = {"session_key", "session_data", "password", "digest", "key", "data", "body"}
    shown = {
        (model._meta.label, field.name)
        for model in admin.site._registry
        for field in model._meta.fields
        if field.name in opens
    }
    assert shown <= {
        ("accounts.User", "password"),  # left out of its page
        ("ledger.Account", "key"),
        ("ledger.Transfer", "key"),
        ("ledger.Transfer", "digest"),
    }
