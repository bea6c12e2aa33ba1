"""A player's own credits in a real browser, with and without scripts."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from harness.wallets import credits_bought, mailbox_proved
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.selectors_desk import pause_of
from tests.matches import match_paid
from tests.wallet.conftest import MATCH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def magriel(transactional_db, settings):
    """A player with a finished match."""
    settings.LEDGER_WELCOME_CENTS = 0
    magriel, hilde = (User.objects.create_user(name) for name in ("magriel", "hilde"))
    mailbox_proved(magriel)
    for user in (magriel, hilde):
        credits_bought(user, 10_000)
    match_paid(MATCH, winner=magriel, loser=hilde, stake_cents=250, paid_cents=450, rake_cents=50)
    return magriel


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_asking_for_a_payout_and_taking_it_back(magriel, player, scripts):
    page = player("magriel", **PHONE, java_script_enabled=scripts)
    page.goto("/wallet/")
    page.get_by_role("link", name="Auszahlungen").click()
    form = page.locator("#ask form")
    form.get_by_label("Betrag").fill("12,50")
    form.get_by_label("Empfänger").fill("DE02 1203 0000")
    form.get_by_role("button").click()
    payout = Payout.objects.latest("id")
    card = page.locator(f"#payout-{payout.pk}")
    expect(card).to_contain_text("12,50")
    assert payout.amount_cents == 1_250
    assert wallet_balance(magriel.pk) == 10_200 - 1_250
    card.get_by_role("button").click()
    expect(card.locator(".step-bad")).to_have_count(1)
    assert wallet_balance(magriel.pk) == 10_200


def test_an_exclusion_asks_before_it_begins(magriel, player):
    page = player("magriel", **PHONE, locale="en-GB", java_script_enabled=False)
    page.goto("/wallet/limits/")
    page.get_by_label("For how long").select_option("365")
    page.get_by_role("button", name="Exclude myself").click()
    assert pause_of(magriel.pk) is None
    page.get_by_label("I understand").check()
    page.get_by_role("button", name="Exclude me now").click()
    expect(page.locator(".notice-warning")).to_contain_text("You have excluded yourself")
    pause = pause_of(magriel.pk)
    assert (pause.ends_at - pause.starts_at).days in (364, 365)
