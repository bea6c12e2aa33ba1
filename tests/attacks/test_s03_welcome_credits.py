"""S3: welcome credits are paid out only after they were played for; sign-ups have a limit."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models.signals import pre_save
from django.test import Client
from django.urls import reverse

from accounts.crowds import SIGN_UP
from accounts.models import User
from accounts.names import skeleton
from harness.logins import logged_in
from harness.servers import NO_VALKEY
from harness.wallets import mailbox_proved
from house.parts import HousePart
from ledger.models import Payout
from ledger.selectors import house_totals, wallet_balance
from pasch.home import house
from pasch.servers.embedded import Home
from tests.desk.conftest import PASSWORD
from tests.house_settings import house_has
from tests.platform.test_settings import settings_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WISH = {"amount_cents": 10_000, "destination": "DE02120300000000202051", "note": ""}


@pytest.fixture(autouse=True)
def _nobody_was_here() -> None:
    """Clear the counts of earlier tests."""
    cache.clear()


def sign_up(name: str, address: str) -> None:
    form = {"username": name, "email": "", "password1": PASSWORD}
    client = Client(REMOTE_ADDR=address, raise_request_exception=False)
    client.post(reverse("account_signup"), form)


def ask(user: User) -> Any:
    """Request a payout of the whole balance through the interface, in a fresh session."""
    return logged_in(Client(), user).post(
        reverse("api_payout_request"),
        WISH,
        content_type="application/json",
        headers={"Idempotency-Key": f"all-of-{user.username}"},
    )


def test_twenty_sign_ups_from_twenty_addresses_are_not_twenty_accounts(settings: Any) -> None:
    settings.SIGNUPS_PER_HOUR = 5
    for number in range(20):
        sign_up(f"robot-no{number}", f"192.0.2.{number}")
    assert User.objects.filter(username__startswith="robot").count() == 5


def test_administrators_stop_a_flood_at_the_desk(settings: Any) -> None:
    settings.SIGNUPS_PER_HOUR = 50
    house_has(HousePart.LIMITS, signups_per_hour=3)
    for number in range(10):
        sign_up(f"robot-no{number}", f"192.0.2.{number}")
    assert robots() == 3


def robots() -> int:
    return User.objects.filter(username__startswith="robot").count()


def test_one_network_cannot_use_up_the_sign_ups_of_the_house(settings: Any) -> None:
    """With 60 an hour for the house and 20 a minute for one address, three minutes used all up."""
    settings.SIGNUPS_PER_HOUR = SIGN_UP.of_network.count + 1
    settings.ACCOUNT_RATE_LIMITS = False
    for number in range(2 * SIGN_UP.of_network.count):
        sign_up(f"robot-no{number}", "192.0.2.1")
    assert robots() == SIGN_UP.of_network.count
    sign_up("magriel", "198.51.100.1")
    assert User.objects.filter(username="magriel").exists()
    sign_up("somebody", "198.51.100.1")  # the limit of the house is reached
    assert not User.objects.filter(username="somebody").exists()


def test_the_addresses_of_one_ipv6_network_are_one(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    for number in range(2 * SIGN_UP.of_network.count):
        sign_up(f"robot-no{number}", f"2001:db8::{number + 1:x}")
    assert robots() == SIGN_UP.of_network.count
    sign_up("another", "2001:db8:0:ff::1")  # a home has a /56
    assert not User.objects.filter(username="another").exists()
    sign_up("magriel", "2001:db8:0:100::1")
    assert User.objects.filter(username="magriel").exists()


@pytest.fixture
def _always_second() -> Iterator[None]:
    """Another person gets each name between the check and the insert."""

    def first(sender: Any, instance: User, **_: Any) -> None:
        if instance.username == "robot" and instance.pk is None:
            User.objects.bulk_create([User(username="robot", name_key=skeleton("robot"))])

    pre_save.connect(first, sender=User)
    yield
    pre_save.disconnect(first, sender=User)


@pytest.mark.usefixtures("_always_second")
def test_a_lost_race_for_a_name_counts_towards_nothing(settings: Any) -> None:
    """The form finds the name free, the database does not: that does not count as a sign-up."""
    settings.SIGNUPS_PER_HOUR = 1
    for number in range(3):
        sign_up("robot", f"192.0.2.{number}")
    assert not User.objects.exists()
    sign_up("magriel", "192.0.2.9")
    assert User.objects.filter(username="magriel").exists()


def test_nobody_signs_up_while_nothing_can_be_counted(settings: Any) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": NO_VALKEY,
        }
    }
    sign_up("robot", "192.0.2.1")
    assert not User.objects.exists()


def test_welcome_credits_are_not_paid_out(settings: Any) -> None:
    """The attack: sign up, request all of it at once. A confirmed address does not help."""
    settings.LEDGER_WELCOME_CENTS = 10_000
    for number in range(3):
        user = User.objects.create_user(f"robot-no{number}")
        assert wallet_balance(user.pk) == 10_000
        assert ask(user).status_code == 403
        mailbox_proved(user)
        answer = ask(user)
        assert (answer.status_code, answer.json()["code"]) == (409, "credits_locked")
    assert not Payout.objects.exists()
    assert house_totals().holds_cents == 0


def test_the_wallet_says_what_is_locked_and_what_is_missing(settings: Any) -> None:
    settings.LEDGER_WELCOME_CENTS = 10_000
    user = User.objects.create_user("magriel")
    client = logged_in(Client(headers={"accept-language": "en"}), user)
    page = client.get(reverse("wallet")).content.decode()
    for said in (
        "100.00\u00a0ℂ are locked bonus credits.",
        "0.00\u00a0ℂ of 300.00\u00a0ℂ played, 0 of 3 people.",
        "Available for payout: 0.00\u00a0ℂ",
    ):
        assert said in page
    told = client.get(reverse("api_wallet")).json()
    assert {name: told[name] for name in told if "lock" in name or "pay" in name} == {
        "payable_cents": 0,
        "locked_cents": 10_000,
        "locked_to_play_cents": 30_000,
        "locked_people_missing": 3,
        "payouts_open_cents": 0,
    }


def test_a_house_gives_nothing_away_unless_it_says_so() -> None:
    assert settings_of(LEDGER_WELCOME_CENTS=None)["LEDGER_WELCOME_CENTS"] == 0


def test_the_house_to_try_gives_something(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DATABASE_URL", "LEDGER_WELCOME_CENTS"):
        monkeypatch.delenv(name, raising=False)
    told = house._environment(Home(tmp_path), "127.0.0.1", 8000)
    assert told["LEDGER_WELCOME_CENTS"] == "10000"
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert "LEDGER_WELCOME_CENTS" not in house._environment(Home(tmp_path), "127.0.0.1", 8000)
