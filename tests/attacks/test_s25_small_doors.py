"""S25: the smaller doors: a deletion undone by the password alone, names that pass for ours."""

from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.deletions import AccountDeletion, keep_token
from accounts.models import User
from accounts.names import is_title_reserved
from ledger.selectors import wallet_balance

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_s25_undoing_a_deletion_asks_for_the_second_factor() -> None:
    owner = User.objects.create_user("hilde", "hilde@example.org")
    TOTP.activate(owner, generate_totp_secret())
    codes = RecoveryCodes.activate(owner).get_unused_codes()
    asked = AccountDeletion.objects.create(
        user=owner,
        due_at=timezone.now() + timedelta(days=14),
        given_up_cents=wallet_balance(owner.pk),
    )
    User.objects.filter(pk=owner.pk).update(is_active=False)
    address = reverse("account_keep", args=[keep_token(asked)])
    for code in ("", "000000"):
        assert Client().post(address, {"code": code}).status_code == 200
        assert not User.objects.get(pk=owner.pk).is_active
    Client().post(address, {"code": codes[0]})
    assert User.objects.get(pk=owner.pk).is_active


@pytest.mark.parametrize("title", ["Paѕсh Support", "𝕻𝖆𝖘𝖈𝖍", "P a s c h", "Suppοrt"])
def test_s25_titles_do_not_pretend_to_be_the_house(title: str) -> None:
    assert is_title_reserved(title)


@pytest.mark.parametrize("title", ["Team Cup", "Кубок Москвы", "Supporters Cup", "Hausmann Open"])
def test_s25_other_titles_are_free(title: str) -> None:
    assert not is_title_reserved(title)
