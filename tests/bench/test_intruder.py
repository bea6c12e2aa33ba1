"""The oracle of the intruder finds what was gained and changed; `bench.tamper` tries enough."""

from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from bench.intruder.oracle import faults, gain_cents, snapshot
from bench.tamper.changes import APPLICATION, CHANGES
from games.chouette.models import Share
from games.chouette.pace import PAUSE_MS
from harness.chouettes import Hands
from harness.visitor import Visitor
from harness.wallets import credits_bought
from ledger.services.adjustments import adjustment_make
from ledger.services.limits import player_freeze
from ledger.services.proposals import proposal_confirm

pytestmark = pytest.mark.django_db


@pytest.fixture
def db() -> psycopg.Connection:
    """The connection of the test, in the form that the oracle takes."""
    connection.ensure_connection()
    return connection.connection


@pytest.fixture
def people(settings: Any) -> dict[str, User]:
    """Two accomplices who could both decide, an honest administrator, and a player."""
    settings.LEDGER_WELCOME_CENTS = 0
    found = {}
    for name in ("villain", "accomplice", "adele", "hilde"):
        user = User.objects.create_user(name, f"{name}@example.org")
        credits_bought(user, 10_000)
        if name != "hilde":
            role_give(user, Role.ADMINISTRATOR)
        found[name] = User.objects.get(pk=user.pk)
    return found


def found_of(db: psycopg.Connection, people: dict[str, User], before: Any) -> list[str]:
    circle = {people["villain"].pk, people["accomplice"].pk}
    return faults(db, before, circle=circle, allowed_gain_cents=2_000)


def test_nothing_is_found_where_nothing_was_done(
    db: psycopg.Connection, people: dict[str, User]
) -> None:
    assert found_of(db, people, snapshot(db)) == []


def test_stakes_in_a_running_chouette_are_still_somebodys(
    db: psycopg.Connection, people: dict[str, User]
) -> None:
    before = snapshot(db)
    hands = Hands([people["hilde"], people["adele"], people["villain"]], rate_cents=100)
    hands.later(PAUSE_MS)
    assert Share.objects.filter(stake_cents__gt=0).count() == 3
    assert snapshot(db).holdings_cents == before.holdings_cents
    assert found_of(db, people, before) == []


def test_credits_and_two_hands_of_one_circle_are_found(
    db: psycopg.Connection, people: dict[str, User]
) -> None:
    before, now = snapshot(db), timezone.now()
    waiting = adjustment_make(
        actor=people["villain"],
        user=people["hilde"],
        amount_cents=50_000,
        reason="a present",
        client_key="1",
        verified_at=now,
    )
    proposal_confirm(proposal_id=waiting.pk, actor=people["accomplice"], verified_at=now)
    assert any("both hands" in fault for fault in found_of(db, people, before))
    credits_bought(people["accomplice"], 2_001)
    circle = {people["villain"].pk, people["accomplice"].pk}
    assert gain_cents(db, before, circle) == 2_001
    assert any("the circle gained 2001 cents" in fault for fault in found_of(db, people, before))


def test_a_changed_identity_and_a_wrong_name_in_the_journal_are_found(
    db: psycopg.Connection, people: dict[str, User]
) -> None:
    before = snapshot(db)
    User.objects.filter(pk=people["adele"].pk).update(email="thief@example.net")
    player_freeze(user=people["hilde"], actor=people["adele"], reason="she did nothing")
    found = found_of(db, people, before)
    assert any(f"person {people['adele'].pk} was changed" in fault for fault in found)
    assert any(f"names {people['adele'].pk}, who did nothing" in fault for fault in found)


def test_forms_are_filled_in_and_their_lists_chosen_from(live: str) -> None:
    forms = [set(form.fields) for form in Visitor(live).forms("/accounts/signup/", "accomplice")]
    assert any({"username", "email", "password1"} <= fields for fields in forms)


# --- bench.tamper ---------------------------------------------------------------------------------
def test_enough_is_tried() -> None:
    by_role = [change for change in CHANGES if change.who == APPLICATION]
    assert len(by_role) >= 20
    assert len(CHANGES) - len(by_role) >= 60
    assert len({(change.who, change.name) for change in CHANGES}) == len(CHANGES)
