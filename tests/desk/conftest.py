"""Fixtures of the desk: staff of every role with a second factor, players, a match, a payout."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from accounts.models import User
from accounts.roles import Role, role_give
from harness.logins import logged_in
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.models import Payout

PASSWORD = "a-long-password-nobody-uses"


@pytest.fixture(autouse=True)
def _house(settings: Any) -> None:
    """Staff need a second factor, as on the internet; the seals of tests go into no file."""
    settings.STAFF_SECOND_FACTOR = True
    settings.LEDGER_SEAL_FILE = ""


@pytest.fixture
def staff(db: None) -> Callable[..., User]:
    """`staff("anna", Role.TREASURER)` works at the desk and has a second factor."""

    def make(name: str, role: Role = Role.ADMINISTRATOR, *, second_factor: bool = True) -> User:
        user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
        role_give(user, role)
        if second_factor:
            TOTP.activate(user, generate_totp_secret())
        return user

    return make


@pytest.fixture
def anna(staff: Callable[..., User]) -> User:
    return staff("anna")


@pytest.fixture
def bert(staff: Callable[..., User]) -> User:
    return staff("bert")


@pytest.fixture
def magriel(db: None, settings: Any) -> User:
    """A player with 100 credits, paid in, and a proved mail address."""
    welcome, settings.LEDGER_WELCOME_CENTS = settings.LEDGER_WELCOME_CENTS, 0
    user = User.objects.create_user("magriel", "magriel@example.org", PASSWORD)
    settings.LEDGER_WELCOME_CENTS = welcome
    mailbox_proved(user)
    credits_bought(user, 10_000)
    return user


@pytest.fixture
def payout(magriel: User) -> Payout:
    """magriel has requested 25.00."""
    return payout_asked(magriel, 2500)


def at_desk(user: User | None, *, proved_ago: float = 0.0) -> Client:
    """A client in which `user` is logged in and gave the second factor so many seconds ago."""
    if user is None:
        return Client()
    client = logged_in(Client(), user, proved_ago=None)
    session = client.session
    at = time.time() - proved_ago
    records = [{"method": "password", "at": at, "username": user.username}]
    if Authenticator.objects.filter(user=user).exists():
        records.append({"method": "mfa", "at": at, "type": "totp"})
    session["account_authentication_methods"] = records
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client
