"""The desk in real browsers: a payout from the request to the audit, and a stale second factor."""

import base64
import hashlib
import hmac
import struct
import time

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from celery.contrib.testing.worker import start_worker
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.mails import mails_send
from accounts.models import User
from accounts.roles import Role, role_give
from harness.wallets import credits_bought, mailbox_proved
from ledger.models import AuditRun, Payout
from ledger.selectors import house_totals, wallet_balance
from ledger.services.payouts import payout_request
from pasch.celery import app
from tests.desk.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
CODE_SECONDS = 30


@pytest.fixture
def magriel(transactional_db, settings) -> User:
    settings.LEDGER_WELCOME_CENTS = 0
    user = User.objects.create_user("magriel", "magriel@example.org", PASSWORD)
    mailbox_proved(user)
    credits_bought(user, 10_000)
    return user


def administrator(name: str) -> str:
    """Make an administrator with an authenticator and return its secret."""
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    role_give(user, Role.ADMINISTRATOR)
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def code_of(secret: str, ahead: int = 0) -> str:
    """The code that an authenticator shows now, or `ahead` codes later (RFC 6238)."""
    moment = int(time.time()) // CODE_SECONDS + ahead
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", moment), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 10**6:06d}"


def log_in(page: Page, name: str, secret: str) -> None:
    """Log in as a person does: name, password, and the code of the authenticator."""
    page.goto("/desk/")
    page.locator("#id_login").fill(name)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("#id_password").press("Enter")
    page.wait_for_url("**/2fa/authenticate/**")
    page.locator("#id_code").fill(code_of(secret))
    page.locator("main form").first.locator("button").first.click()
    page.wait_for_url("**/desk/")


@pytest.mark.slow
def test_a_payout_from_the_wish_to_the_audit(player, magriel):
    secrets = {name: administrator(name) for name in ("anna", "bert")}

    wish = player("magriel", locale="en-GB", **PHONE)
    wish.goto("/wallet/payouts/")
    wish.locator("[name=amount_cents]").fill("25.00")
    wish.locator("[name=destination]").fill("DE02 1203 0000 0000 2020 51")
    wish.locator("[name=destination]").press("Enter")
    expect(wish.locator(".notice-success")).to_be_visible()
    payout = Payout.objects.get()
    assert wallet_balance(magriel.pk) == 7500

    anna = player(None, locale="en-GB", **DESKTOP)
    log_in(anna, "anna", secrets["anna"])
    anna.get_by_role("link", name=f"Payout {payout.pk}").click()
    anna.get_by_test_id("approve").get_by_role("button").click()
    expect(anna.get_by_test_id("state")).to_have_text("approved")
    expect(anna.get_by_text("You approved it: another administrator pays.")).to_be_visible()
    expect(anna.get_by_test_id("claim")).to_have_count(0)

    bert = player(None, locale="en-GB", java_script_enabled=False, **PHONE)
    log_in(bert, "bert", secrets["bert"])
    bert.goto(f"/desk/payouts/{payout.pk}/")
    bert.get_by_test_id("claim").get_by_role("button").click()
    expect(bert.get_by_test_id("state")).to_have_text("being paid")
    bert.get_by_label("Receipt").fill("SEPA 4711")
    bert.get_by_test_id("settle").get_by_role("button").click()
    expect(bert.get_by_test_id("state")).to_have_text("paid")

    wish.goto("/wallet/")
    expect(wish.get_by_test_id("balance")).to_contain_text("75.00")
    assert mails_send() == 3
    assert [message.to for message in mail.outbox[-3:]] == [["magriel@example.org"]] * 3
    assert "SEPA 4711" in mail.outbox[-1].body

    anna.goto(f"/desk/journal/?subject={payout.reference}")
    expect(anna.locator(".desk-journal > li")).to_have_count(3)
    expect(anna.locator(".desk-journal > li").first).to_contain_text("bert settled a payout")

    with start_worker(app, perform_ping_check=False, shutdown_timeout=10):
        anna.goto("/desk/audit/")
        anna.get_by_role("button", name="Run now").click()
        expect(anna.get_by_text("Everything holds")).to_be_visible()
    expect(anna.get_by_test_id("difference")).to_contain_text("0.00")
    assert AuditRun.objects.get().finding_count == 0
    assert house_totals().paid_out_cents == 2500
    assert anna.problems == wish.problems == bert.problems == []


@pytest.mark.slow
def test_a_stale_second_factor_is_shown_again_before_deciding(player, magriel, settings):
    settings.MFA_TOTP_TOLERANCE = 1  # the code of the login is used up; do not wait for the next
    secret = administrator("anna")
    payout_request(
        user=magriel,
        amount_cents=2500,
        destination="DE02",
        client_key="first",
        verified_at=timezone.now(),
    )
    page = player(None, locale="en-GB", **DESKTOP)
    log_in(page, "anna", secret)
    settings.LEDGER_SECOND_FACTOR_SECONDS = 0
    page.goto(f"/desk/payouts/{Payout.objects.get().pk}/")
    expect(page.get_by_test_id("approve")).to_have_count(0)
    page.get_by_role("button", name="Confirm with the second factor").click()
    page.wait_for_url("**/2fa/reauthenticate/**")
    settings.LEDGER_SECOND_FACTOR_SECONDS = 900
    page.locator("#id_code").fill(code_of(secret, ahead=1))
    page.locator("main form").first.locator("button").first.click()
    page.get_by_test_id("approve").get_by_role("button").click()
    expect(page.get_by_test_id("state")).to_have_text("approved")
    assert page.problems == []
