"""S1 with a player's account: taking over an account does not move its credits."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityChange, IdentityKind
from accounts.models import User
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.services.books import stakes_escrow
from pasch.staff.decisions import decision_confirm, decisions_take_effect
from pasch.staff.identities import IDENTITIES, identity_change
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

THEIRS = "anna.two@example.net"
WAYS_IN = (
    (IdentityKind.ADDRESS, THEIRS),
    (IdentityKind.VERIFY, ""),
    (IdentityKind.NO_ADDRESS, ""),
    (IdentityKind.FACTORS, ""),
)


def change(actor: User, person: User, kind: IdentityKind, value: str = "") -> IdentityChange:
    told = {"reason": "lost the phone", "verified_at": timezone.now()}
    return identity_change(user_id=person.pk, kind=kind, value=value, actor=actor, **told)


def test_one_administrator_does_not_come_in_as_a_player_with_credits(
    anna: User, bert: User, magriel: User
) -> None:
    """The attack: set an address, reset the password by mail, and lose the credits in a match."""
    assert wallet_balance(magriel.pk) > 0
    form = {"kind": "address", "value": THEIRS, "reason": "asked me to"}
    page = at_desk(anna).post(reverse("desk:identity", args=[magriel.pk]), form, follow=True)
    assert "second administrator confirms it" in page.content.decode()
    assert User.objects.get(pk=magriel.pk).email == "magriel@example.org"


@pytest.mark.parametrize(("kind", "value"), WAYS_IN)
def test_every_way_in_waits_for_a_second_administrator(
    anna: User, bert: User, magriel: User, kind: IdentityKind, value: str
) -> None:
    TOTP.activate(magriel, generate_totp_secret())
    EmailAddress.objects.filter(user=magriel).update(verified=False)
    asked = change(anna, magriel, kind, value)
    assert asked.waits
    assert decisions_take_effect(IDENTITIES) == 0
    decision_confirm(IDENTITIES, decision_id=asked.pk, actor=bert, verified_at=timezone.now())
    asked.refresh_from_db()
    assert not asked.waits


def test_or_for_its_time(anna: User, bert: User, magriel: User) -> None:
    TOTP.activate(magriel, generate_totp_secret())
    asked = change(anna, magriel, IdentityKind.FACTORS)
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from - timedelta(seconds=1)) == 0
    assert Authenticator.objects.filter(user=magriel).count() == 1
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from) == 1
    assert not Authenticator.objects.filter(user=magriel).exists()


def test_credits_at_stake_and_in_a_payout_count_too(
    anna: User, bert: User, magriel: User, payout: Payout
) -> None:
    """Credits in an escrow or a payout hold count as much as those in the wallet."""
    left = wallet_balance(magriel.pk)
    other = User.objects.create_user("other")
    stakes_escrow(reference="match:one", stakes={magriel.pk: left, other.pk: left})
    assert wallet_balance(magriel.pk) == 0
    assert change(anna, magriel, IdentityKind.ADDRESS, THEIRS).waits


def test_an_account_without_credits_is_mended_at_once(
    anna: User, magriel: User, settings: Any
) -> None:
    settings.LEDGER_WELCOME_CENTS = 0
    poor = User.objects.create_user("poor", "poor@example.org")
    assert wallet_balance(poor.pk) == 0
    assert not change(anna, poor, IdentityKind.ADDRESS, THEIRS).waits


def test_closing_and_names_of_players_wait_for_nobody(anna: User, magriel: User) -> None:
    assert not change(anna, magriel, IdentityKind.NAME, "margriet").waits
    assert not change(anna, magriel, IdentityKind.CLOSE).waits
    assert Client().get(reverse("account_login")).status_code == 200
