"""Fixtures of the ledger: players with a hundred credits, administrators with none."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from accounts.roles import Role, role_give
from harness.wallets import credits_bought, mailbox_proved
from ledger import audit


@pytest.fixture(autouse=True)
def _no_anchors(settings: Any) -> None:
    """Roots of seals go to the file that the test names, never into the house's own."""
    settings.LEDGER_SEAL_FILE = ""


@pytest.fixture(autouse=True)
def _books_without_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test the books without tables: do not check the references of transfers here."""
    monkeypatch.delitem(audit._checks, "M4")


@pytest.fixture
def person(db: None, settings: Any) -> Callable[..., User]:
    """Make a person with a confirmed mail address who has paid in this many cents."""

    def make(name: str, cents: int = 10_000, *, welcome: bool = False) -> User:
        settings.LEDGER_WELCOME_CENTS = cents if welcome else 0
        user = User.objects.create_user(username=name)
        mailbox_proved(user)
        credits_bought(user, 0 if welcome else cents)
        return user

    return make


@pytest.fixture
def magriel(person: Callable[..., User]) -> User:
    return person("magriel")


@pytest.fixture
def hilde(person: Callable[..., User]) -> User:
    return person("hilde")


@pytest.fixture
def administrator(person: Callable[..., User]) -> Callable[[str], User]:
    """Make an administrator: no credits, every right of the ledger."""

    def make(name: str, role: str = "administrator") -> User:
        user = person(name, 0)
        role_give(user, Role(role))
        return user

    return make


@pytest.fixture
def anna(administrator: Callable[[str], User]) -> User:
    return administrator("anna")


@pytest.fixture
def bert(administrator: Callable[[str], User]) -> User:
    return administrator("bert")
