"""A case in real browsers, in both languages: alarm, two reviewers, appeal, a third, refund."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from celery.contrib.testing.worker import start_worker
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.roles import Role, role_give
from fairplay.models import Case
from fairplay.procedure import CaseState
from fairplay.tasks import screen_results
from harness.waiting import wait_until
from harness.wallets import handed_over
from ledger import audit
from ledger.models import Payout
from ledger.selectors import wallet_balance
from pasch.celery import app
from tests.desk.conftest import PASSWORD
from tests.desk.test_browser import DESKTOP, PHONE, log_in

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = {
    "en-GB": {"state": "not decided", "final": "confirmed", "kind": "Losing on purpose (dumping)"},
    "de-DE": {
        "state": "nicht entschieden",
        "final": "bestätigt",
        "kind": "Absichtliches Verlieren (Dumping)",
    },
}


def staff(name: str, role: Role) -> str:
    """Make a member of staff with an authenticator and return its secret."""
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    role_give(user, role)
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return str(secret)


def judge(page: Page, case: Case, sanction: str) -> None:
    """Give an opinion on the page of the case."""
    page.goto(f"/desk/cases/{case.pk}/")
    page.locator(f"[name=sanction][value={sanction}]").check()
    page.locator("[name=refund]").check()
    page.locator("[name=for_them]").fill("It happened once.")
    page.locator("[name=reasons]").fill("The match was given up after two rolls.")
    page.get_by_test_id("opinion").locator("button").click()
    expect(page.locator(".notice-success")).to_be_visible()


@pytest.mark.slow
def test_what_was_handed_over_cannot_be_paid_out_in_a_running_house(player, person, dice):
    dice((3, 1), (4, 2))
    taker = person("taker", 500)
    handed_over(person("giver", 500), taker)
    page = player("taker", locale="en-GB", **DESKTOP)
    page.goto("/wallet/")
    expect(page.get_by_test_id("unchecked")).to_contain_text("4.00")
    with start_worker(app, perform_ping_check=False, shutdown_timeout=10):
        screen_results.delay()
        # the task stores no result that could be waited for
        wait_until(Case.objects.exists, "nothing was screened")
    page.reload()
    expect(page.get_by_test_id("held")).to_contain_text("4.00")
    page.goto("/wallet/payouts/")
    page.locator("[name=amount_cents]").fill("6.00")
    page.locator("[name=destination]").fill("DE02 1203 0000 0000 2020 51")
    page.locator("[name=destination]").press("Enter")
    expect(page.get_by_text("of your wallet are held until a check")).to_be_visible()
    assert not Payout.objects.exists()
    page.locator("[name=amount_cents]").fill("5.00")
    page.locator("[name=destination]").press("Enter")
    expect(page.locator(".notice-success")).to_be_visible()
    assert wallet_balance(taker.pk) == 400
    assert page.problems == []


@pytest.mark.slow
@pytest.mark.parametrize("locale", sorted(WORDS))
def test_a_case_from_the_alarm_to_the_refund(player, alarm, locale, settings):
    settings.STAFF_SECOND_FACTOR = True
    settings.LEDGER_SEAL_FILE = ""
    settings.MFA_TOTP_TOLERANCE = 2
    words = WORDS[locale]
    taker = player("taker", locale=locale, **PHONE)
    taker.goto("/fairplay/mine/")
    taker.get_by_test_id(f"case-{alarm.pk}").get_by_role("link").click()
    expect(taker.get_by_test_id("state")).to_have_text(words["state"])
    expect(taker.locator("h1")).to_contain_text(words["kind"])
    expect(taker.get_by_test_id("hold")).to_be_visible()
    taker.locator("[name=text]").fill("My brother wanted to try it.")
    taker.get_by_test_id("statement").locator("button").click()
    expect(taker.get_by_text("My brother wanted to try it.")).to_be_visible()

    for name in ("one", "two"):
        secret = staff(name, Role.MODERATOR)
        page = player(None, locale=locale, **DESKTOP)
        log_in(page, name, secret)
        page.goto("/desk/cases/")
        expect(page.get_by_test_id(f"case-{alarm.pk}")).to_be_visible()
        judge(page, alarm, "no_stakes")
        assert page.problems == []

    taker.reload()
    expect(taker.get_by_test_id("sanction")).to_be_visible()
    taker.get_by_test_id("appeal").locator("[name=text]").fill("Please look again.")
    taker.get_by_test_id("appeal").locator("button").click()
    expect(taker.get_by_text("Please look again.")).to_be_visible()

    secret = staff("three", Role.ADMINISTRATOR)
    third = player(None, locale=locale, **DESKTOP)
    log_in(third, "three", secret)
    judge(third, alarm, "warning")
    expect(third.get_by_test_id("state")).to_have_text(words["final"])
    third.get_by_test_id("refund").locator("button").click()
    expect(third.locator(".notice-success")).to_be_visible()

    taker.reload()
    expect(taker.get_by_test_id("state")).to_have_text(words["final"])
    case = Case.objects.get()
    assert (case.state, case.sanction, case.refund) == (CaseState.CONFIRMED, "warning", True)
    giver = User.objects.get(username="giver")
    assert wallet_balance(giver.pk) == 500
    assert not [result for result in audit.run().results if result.findings]
    assert taker.problems == third.problems == []
