"""A player's own credits in a real browser, with and without scripts."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from harness.wallets import credits_bought, mailbox_proved
from ledger.models import Payout, PlayLimit
from ledger.selectors import wallet_balance
from ledger.selectors_desk import pause_of
from ledger.services.limits import limit_set
from ledger.services.payouts import payout_cancel, payout_request
from tests.matches import match_paid
from tests.wallet.conftest import MATCH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def magriel(transactional_db, settings):
    """A player with a finished match, an open payout and a cancelled one, and limits."""
    settings.LEDGER_WELCOME_CENTS = 0
    magriel, hilde = (User.objects.create_user(name) for name in ("magriel", "hilde"))
    mailbox_proved(magriel)
    for user in (magriel, hilde):
        credits_bought(user, 10_000)
    match_paid(MATCH, winner=magriel, loser=hilde, stake_cents=250, paid_cents=450, rake_cents=50)
    wish = {"user": magriel, "destination": "DE02 1203 0000 0000 2020 51, Paul Magriel"}
    first = payout_request(
        **wish, amount_cents=2_000, client_key="the-first-one", verified_at=timezone.now()
    )
    payout_cancel(payout_id=first.pk, user=magriel)
    payout_request(
        **wish,
        amount_cents=4_050,
        client_key="the-second-one",
        verified_at=timezone.now(),
        note="Thank you",
    )
    limit_set(user=magriel, measure="loss", period="week", amount_cents=1_000)
    limit_set(user=magriel, measure="loss", period="week", amount_cents=5_000)
    limit_set(user=magriel, measure="stake", period="day", amount_cents=2_000)
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
    assert wallet_balance(magriel.pk) == 10_200 - 4_050 - 1_250
    card.get_by_role("button").click()
    expect(card.locator(".step-bad")).to_have_count(1)
    assert wallet_balance(magriel.pk) == 10_200 - 4_050


def test_more_than_there_is_says_how_much_there_is(magriel, player):
    page = player("magriel", **DESKTOP)
    page.goto("/wallet/payouts/")
    form = page.locator("#ask form")
    form.get_by_label("Betrag").fill("1000")
    form.get_by_label("Empfänger").fill("DE02 1203 0000")
    form.get_by_role("button").click()
    expect(form.locator(".errorlist")).to_contain_text("61,50")
    expect(form.get_by_label("Betrag")).to_have_value("1000")


def test_a_limit_is_lowered_at_once_and_raised_later(magriel, player):
    page = player("magriel", **DESKTOP, locale="en-GB")
    page.goto("/wallet/limits/")
    day = page.get_by_label("Stakes: 24 hours")
    expect(day).to_have_value("20.00")
    day.fill("5")
    page.locator("#save").click()
    expect(day).to_have_value("5.00")
    day.fill("")
    page.locator("#save").click()
    expect(day).to_have_value("5.00")
    expect(page.get_by_text("Stakes, 24 hours: no limit")).to_be_visible()
    page.locator("li").filter(has_text="Stakes, 24 hours").get_by_role("button").click()
    expect(page.get_by_text("Stakes, 24 hours: no limit")).to_have_count(0)
    limit = PlayLimit.objects.get(user=magriel, measure="stake", period="day")
    assert (limit.amount_cents, limit.next_from) == (500, None)
    assert page.problems == []


def test_a_break_is_one_click(magriel, player):
    page = player("magriel", **PHONE, locale="en-GB")
    page.goto("/wallet/limits/")
    page.get_by_role("button", name="Take a break now").click()
    expect(page.locator(".notice-warning")).to_contain_text("You are taking a break")
    assert pause_of(magriel.pk).kind == "break"


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
