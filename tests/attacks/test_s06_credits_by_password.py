"""S6, similar: credits given, vouchers made and wallets released with a password alone."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from games.models import Match
from ledger.desk.forms import new_key
from ledger.models import Adjustment, JournalEntry, Proposal, Voucher
from ledger.selectors import wallet_balance, wallet_is_frozen
from ledger.services.decisions import alone_cents_spent, may_decide_alone
from ledger.services.limits import player_freeze
from tests.attacks.conftest import at_desk
from tests.attacks.test_s06_decisions_alone import SMALL, VOID, decide, play, with_a_password

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def adjust(client: Client, name: str, amount: str) -> HttpResponse:
    fields = {
        "player": name,
        "direction": "give",
        "amount": amount,
        "reason": "so",
        "key": new_key(),
    }
    return client.post(reverse("desk:adjustments"), fields)


def assert_asked_for_the_factor(answer: HttpResponse) -> None:
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("mfa_reauthenticate"))


@pytest.mark.parametrize("amount", ["40", "80"])
def test_s06_a_password_alone_proposes_no_adjustment(
    anna: User, magriel: User, amount: str
) -> None:
    assert_asked_for_the_factor(adjust(with_a_password(anna), "magriel", amount))
    assert wallet_balance(magriel.pk) == 10_000
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize("verb", ["confirm", "refuse"])
def test_s06_a_password_alone_decides_no_adjustment(
    anna: User, bert: User, magriel: User, verb: str
) -> None:
    adjust(at_desk(anna), "magriel", "80")
    waiting = Proposal.objects.get()
    address = reverse(f"desk:proposal_{verb}", args=[waiting.pk])
    assert_asked_for_the_factor(with_a_password(bert).post(address, {"reason": "so"}))
    waiting.refresh_from_db()
    assert waiting.state == "waiting"
    assert wallet_balance(magriel.pk) == 10_000


def test_s06_a_password_alone_makes_no_vouchers(anna: User) -> None:
    client = with_a_password(anna)
    client.get(reverse("desk:vouchers"))
    key = client.session["desk_voucher_form"]
    fields = {"amount": "5", "count": "2", "note": "summer", "key": key}
    assert_asked_for_the_factor(client.post(reverse("desk:vouchers"), fields))
    assert not Voucher.objects.exists()


def test_s06_a_password_alone_releases_no_wallet(anna: User, bert: User, magriel: User) -> None:
    player_freeze(user=magriel, actor=anna, reason="looked into")
    address = reverse("desk:player_thaw", args=[magriel.pk])
    assert_asked_for_the_factor(with_a_password(bert).post(address, {"reason": "so"}))
    assert wallet_is_frozen(magriel.pk)


def test_s06_nobody_releases_a_wallet_of_their_own(anna: User, magriel: User) -> None:
    role_give(magriel, Role.MODERATOR)
    TOTP.activate(magriel, generate_totp_secret())
    player_freeze(user=magriel, actor=anna, reason="looked into")
    at_desk(magriel).post(reverse("desk:player_thaw", args=[magriel.pk]), {"reason": "so"})
    assert wallet_is_frozen(magriel.pk)
    assert not JournalEntry.objects.filter(verb="player.thaw").exists()


PAGES = ("adjustments", "vouchers", "player", "proposals")


@pytest.mark.parametrize("name", PAGES)
def test_s06_pages_ask_for_the_factor_before_the_form(
    anna: User, bert: User, magriel: User, name: str
) -> None:
    adjust(at_desk(bert), "magriel", "80")
    player_freeze(user=magriel, actor=bert, reason="looked into")
    page = reverse(f"desk:{name}", args=[magriel.pk] if name == "player" else [])
    stale = with_a_password(anna).get(page).content.decode()
    fresh = at_desk(anna).get(page).content.decode()
    forms = ("/thaw/", "/confirm/", 'data-testid="propose"', 'data-testid="make"')
    shown = [form for form in forms if form in fresh]
    assert shown or name == "proposals"
    assert not [form for form in shown if form in stale]
    if shown:
        assert re.search(r'name="next" value="([^"]+)"', stale)[1] == page


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "/", "", "/desk/../x"])
def test_s06_the_way_back_from_the_factor_stays_at_the_desk(anna: User, back: str) -> None:
    answer: Any = at_desk(anna).post(reverse("desk:factor"), {"next": back})
    assert answer.status_code == 302
    assert "example" not in answer.url
    assert answer.url.startswith(reverse("mfa_reauthenticate"))


# --- split over several kinds ---------------------------------------------------------------------
__all__ = ["play"]

KINDS = ("adjustment", "vouchers", "match")


def move(kind: str, actor: User, match: Match) -> bool:
    """Move 15 ℂ in this way at the desk; return whether one person did it alone."""
    client = at_desk(actor)
    if kind == "adjustment":
        adjust(client, "magriel", "15")
        return Adjustment.objects.exists()
    if kind == "vouchers":
        client.get(reverse("desk:vouchers"))
        fields = {"amount": "5", "count": "3", "note": "summer"}
        key = client.session["desk_voucher_form"]
        client.post(reverse("desk:vouchers"), {**fields, "key": key})
        (alone,) = set(Voucher.objects.values_list("alone", flat=True))
        return bool(alone)
    decide(client, match, VOID)
    match.refresh_from_db()
    return match.ended_at is not None


@pytest.mark.parametrize("order", list(permutations(KINDS)))
def test_s06_the_limit_is_one_sum_over_all_kinds(
    play: Callable[..., Match],
    anna: User,
    bert: User,
    magriel: User,
    order: tuple[str, ...],
) -> None:
    match = play("mia", "friend", **SMALL)
    assert [move(kind, anna, match) for kind in order] == [True, False, False]
    assert alone_cents_spent(anna) == 1500
    assert alone_cents_spent(bert) == 0


def test_s06_a_day_later_the_sum_is_empty(anna: User, magriel: User, monkeypatch) -> None:
    adjust(at_desk(anna), "magriel", "20")
    assert not may_decide_alone(anna, 1, lock=False)
    later = timezone.now() + timedelta(hours=24)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert may_decide_alone(anna, 2000, lock=False)
    assert not may_decide_alone(anna, 2001, lock=False)


def test_s06_pages_say_what_is_left_of_the_sum(anna: User, magriel: User) -> None:
    adjust(at_desk(anna), "magriel", "12")
    assert JournalEntry.objects.get().verb == "adjustment.give"
    for name in ("adjustments", "vouchers"):
        page = at_desk(anna).get(reverse(f"desk:{name}")).content.decode()
        assert "used: 12.00 ℂ" in page.replace("\xa0", " ")
