"""S13: locking people out by wrong passwords, filling their mailboxes, and guessing."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.racing import racers

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NEW_PASSWORD = "another-password-nobody-uses"


@pytest.fixture
def magriel(db: None) -> User:
    user = User.objects.create_user("magriel", "magriel@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def looked_at() -> Iterator[list[str]]:
    """A list with an entry for every wrong password that reached the hasher."""
    seen: list[str] = []

    def failed(*, credentials: dict[str, Any], **_: Any) -> None:
        seen.append(str(credentials))

    user_login_failed.connect(failed)
    yield seen
    user_login_failed.disconnect(failed)


def browser(address: str = "192.0.2.1") -> Client:
    return Client(REMOTE_ADDR=address)


def log_in(client: Client, login: str = "magriel", password: str = PASSWORD) -> bool:
    client.post(reverse("account_login"), {"login": login, "password": password})
    return "_auth_user_id" in client.session


def log_out(client: Client) -> None:
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def known_browser(address: str = "192.0.2.1", **login: str) -> Client:
    """A browser from which this person has logged in before."""
    client = browser(address)
    assert log_in(client, **login)
    log_out(client)
    return client


def attack(*logins: str, networks: int = 7, each: int = 5) -> None:
    """Send wrong passwords from many networks, with every spelling of the login."""
    for network in range(networks):
        client = browser(f"198.51.{network}.7")
        for login in logins:
            for number in range(each):
                log_in(client, login, f"wrong-{number}")


# --- a known browser is not locked out ------------------------------------------------------------


@pytest.mark.parametrize("login", ["magriel", "MAGRIEL", "magriel@example.org"])
def test_s13_a_stranger_does_not_lock_out_a_known_browser(magriel: User, login: str) -> None:
    mine = known_browser()
    attack("magriel", "magriel@example.org")
    assert log_in(mine, login)


def test_s13_a_stranger_in_the_same_network_does_not_either(magriel: User) -> None:
    mine = known_browser()
    attacker = browser()
    for number in range(15):
        log_in(attacker, "magriel", f"wrong-{number}")
    assert log_in(mine)


def test_s13_nor_an_administrator(magriel: User) -> None:
    User.objects.filter(pk=magriel.pk).update(is_staff=True, is_superuser=True)
    mine = known_browser()
    attack("magriel")
    assert log_in(mine)


def test_s13_who_is_logged_in_confirms_their_password_during_the_attack(magriel: User) -> None:
    mine = browser()
    assert log_in(mine)
    del mine.cookies[settings.DEVICE_COOKIE_NAME]
    attack("magriel", "magriel@example.org")
    session = mine.session
    session["account_authentication_methods"] = []
    session.save()
    answer = mine.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer.status_code == 302


def test_s13_a_reset_by_mail_opens_the_door_on_a_new_device(magriel: User) -> None:
    attack("magriel", "magriel@example.org")
    mine = browser("203.0.113.5")
    assert not log_in(mine), "a device that nobody knows waits"
    mine.post(reverse("account_reset_password"), {"email": magriel.email})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    form = mine.get(link[1], follow=True)
    new = {"password1": NEW_PASSWORD}
    mine.post(form.redirect_chain[-1][0], new)
    assert log_in(mine, password=NEW_PASSWORD)


def test_s13_two_people_of_one_browser_are_both_known(magriel: User) -> None:
    User.objects.create_user("hilde", password=PASSWORD)
    mine = known_browser()
    assert log_in(mine, "hilde")
    log_out(mine)
    attack("magriel", "hilde")
    assert log_in(mine, "magriel")
    log_out(mine)
    assert log_in(mine, "hilde")


# --- guessing stays as hard as it was -------------------------------------------------------------


def test_s13_all_unknown_devices_together_have_few_guesses(
    magriel: User, looked_at: list[str]
) -> None:
    attack("magriel", "MAGRIEL", "magriel@example.org", networks=12)
    assert 5 <= len(looked_at) <= 30


def test_s13_one_network_has_five(magriel: User, looked_at: list[str]) -> None:
    for _ in range(3):
        attack("magriel", "magriel@example.org", networks=1, each=12)
    assert len(looked_at) == 5


def test_s13_one_network_has_few_guesses_at_all_names_together(looked_at: list[str]) -> None:
    people = [User.objects.create_user(f"player{n}") for n in range(20)]
    attack(*(user.username for user in people), networks=1, each=2)
    assert len(looked_at) <= 20


def test_s13_a_known_browser_has_few_guesses_too(magriel: User, looked_at: list[str]) -> None:
    stolen = known_browser()
    for number in range(15):
        log_in(stolen, password=f"wrong-{number}")
    assert len(looked_at) == 10


def test_s13_a_success_does_not_begin_the_count_anew(magriel: User, looked_at: list[str]) -> None:
    User.objects.create_user("mallory", password=PASSWORD)
    attacker = browser()
    for number in range(20):
        log_in(attacker, "magriel", f"wrong-{number}")
        log_in(attacker, "mallory")
        log_out(attacker)
    assert len(looked_at) <= 5


def test_s13_a_cookie_of_another_person_or_of_ones_own_make_helps_nobody(
    magriel: User, looked_at: list[str]
) -> None:
    User.objects.create_user("mallory", password=PASSWORD)
    foreign = known_browser("198.51.100.9", login="mallory").cookies[settings.DEVICE_COOKIE_NAME]
    forged = (foreign.value, f"{foreign.value}x", "e30:x:y", "", "{}", "ÿ" * 40)
    for network, value in enumerate(itertools.chain(forged, forged)):
        attacker = browser(f"198.51.101.{network}")
        attacker.cookies[settings.DEVICE_COOKIE_NAME] = value
        for number in range(12):
            log_in(attacker, password=f"wrong-{number}")
    assert len(looked_at) <= 30


@pytest.mark.django_db(transaction=True)
def test_s13_guesses_at_the_same_moment_are_counted_one_by_one(looked_at: list[str]) -> None:
    User.objects.create_user("magriel", password=PASSWORD)
    with racers(8) as race:
        for _ in range(4):
            race([lambda: log_in(browser(), password="wrong") for _ in range(8)])
    assert len(looked_at) <= 5


def test_s13_an_unknown_name_is_limited_in_the_same_way() -> None:
    User.objects.create_user("magriel", password=PASSWORD)
    answers = []
    for name in ("magriel", "nobody_here"):
        client = browser(f"198.51.102.{len(name)}")
        form = {"login": name, "password": "wrong"}
        pages = [client.post(reverse("account_login"), form) for _ in range(7)]
        answers.append([page.context["form"].errors for page in pages])
    assert answers[0] == answers[1]


# --- the cookie -----------------------------------------------------------------------------------


def test_s13_the_cookie_names_nobody_and_stays_away_from_scripts(magriel: User) -> None:
    cookie = known_browser().cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) > 180 * 86_400
    assert "magriel" not in cookie.value


# --- nobody's mailbox is filled -------------------------------------------------------------------


def ask_for_reset(address: str, network: int) -> int:
    client = browser(f"198.51.{network}.7")
    return client.post(reverse("account_reset_password"), {"email": address}).status_code


@pytest.mark.parametrize("known", [True, False])
def test_s13_a_stranger_sends_few_mails_to_one_mailbox(magriel: User, known: bool) -> None:
    local = "magriel" if known else "stranger"
    answers = {
        ask_for_reset(f"{local}{tag}@example.org", network)
        for network in range(8)
        for tag in ("", f"+{network}")
    }
    assert answers == {302}
    assert 1 <= len(mail.outbox) <= 5


def test_s13_the_first_link_stays_good_whatever_a_stranger_asks_for(magriel: User) -> None:
    ask_for_reset(magriel.email, 1)
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    for network in range(2, 10):
        ask_for_reset(magriel.email, network)
    mine = browser()
    form = mine.get(link[1], follow=True)
    new = {"password1": NEW_PASSWORD}
    mine.post(form.redirect_chain[-1][0], new)
    assert log_in(mine, password=NEW_PASSWORD)


def test_s13_signing_up_with_a_strangers_address_sends_few_mails(magriel: User) -> None:
    for number in range(8):
        form = {
            "username": f"visitor{number}",
            "email": f"victim+{number}@example.org",
            "password1": PASSWORD,
        }
        browser(f"198.51.{number}.7").post(reverse("account_signup"), form)
    assert User.objects.filter(username__startswith="visitor").count() == 8
    assert len(mail.outbox) <= 5
