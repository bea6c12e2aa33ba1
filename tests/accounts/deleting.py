"""Helpers for tests of deleting accounts: people, the request, the end of its wait."""

from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.decisions import IdentityKind
from accounts.deletions import AccountDeletion
from accounts.models import User
from accounts.roles import Role, role_give
from harness.wallets import credits_bought, mailbox_proved
from ledger.audit import run
from pasch.deletion import (
    DeletionRefused,
    Obstacle,
    deletion_ask,
    deletions_finish,
)
from pasch.staff.identities import identity_change
from tests.accounts.conftest import PASSWORD
from tests.aging import guards_off


def person_with(name: str, cents: int, settings: Any) -> User:
    """A person with a password, a proved address and credits that were paid for."""
    settings.LEDGER_WELCOME_CENTS = 0
    person = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    mailbox_proved(person)
    credits_bought(person, cents)
    return person


@pytest.fixture
def magriel(transactional_db: None, settings: Any) -> User:
    """A player without credits."""
    return person_with("magriel", 0, settings)


@pytest.fixture
def hilde(transactional_db: None, settings: Any) -> User:
    return person_with("hilde", 10_000, settings)


@pytest.fixture
def staff(transactional_db: None) -> tuple[User, User]:
    """Two administrators."""
    people = (User.objects.create_user("anna"), User.objects.create_user("bert"))
    for person in people:
        role_give(person, Role.ADMINISTRATOR)
    return people


def ask(person: User, given_up_cents: int = 0) -> AccountDeletion:
    return deletion_ask(
        user_id=person.pk, given_up_cents=given_up_cents, keep_url=lambda token: f"/keep/{token}"
    )


def wait_over() -> None:
    """Let the waiting time of all requests be over; the guards allow nobody to do this."""
    with guards_off() as cursor:
        cursor.execute(
            "UPDATE accounts_accountdeletion SET asked_at = asked_at - interval '15 days',"
            " due_at = due_at - interval '15 days'"
        )
    with connection.cursor() as cursor:
        cursor.execute("SELECT change_take('accounts_accountdeletion')")


def delete(person: User, given_up_cents: int = 0) -> User:
    """Ask, wait, delete; the account afterwards."""
    ask(person, given_up_cents)
    wait_over()
    assert deletions_finish() == 1
    return User.objects.get(pk=person.pk)


def obstacle(person: User, given_up_cents: int = 0) -> Obstacle:
    with pytest.raises(DeletionRefused) as refused:
        ask(person, given_up_cents)
    assert not AccountDeletion.objects.exists()
    assert User.objects.get(pk=person.pk).is_active
    return refused.value.obstacle


def findings() -> list[Any]:
    return [finding for result in run().results for finding in result.findings]


def decide(person: User, actor: User, kind: IdentityKind, value: str = "") -> None:
    identity_change(
        user_id=person.pk,
        kind=kind,
        value=value,
        actor=actor,
        reason="a decision",
        verified_at=timezone.now(),
    )
