"""The account page: the muted people, and notifications of challenges on other pages."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Challenge, Mute, Table
from games.selectors import challenge_terms, table_state
from games.services.challenges import challenge_make
from games.services.chat import mute_set
from tests.pages.test_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    """hilde and magriel."""
    return User.objects.create_user("hilde"), User.objects.create_user("magriel")


def test_muted_players_are_listed_and_can_be_unmuted(
    people: tuple[User, User],
) -> None:
    hilde, magriel = people
    for owner, muted in ((hilde, magriel), (magriel, hilde)):
        mute_set(user_id=owner.pk, person_id=muted.pk, on=True)
    client = Client(headers={"accept-language": "en"})
    client.force_login(hilde)
    assert "Muted players You don't see their messages" in text_of(client.get(reverse("account")))
    address = reverse("mute_end", args=[magriel.pk])
    assert client.get(address).status_code == 405
    response = client.post(address, follow=True)
    assert "No muted players." in text_of(response)
    assert list(Mute.objects.values_list("owner", flat=True)) == [magriel.pk], "only one's own"
    assert client.post(address).status_code == 302


def test_mutes_need_an_account(people: tuple[User, User]) -> None:
    response = Client().post(reverse("mute_end", args=[people[0].pk]))
    assert response["location"].startswith(reverse("account_login"))


@pytest.mark.parametrize(("chosen", "welcome"), [("", True), ("no", False)])
def test_quick_games_and_challenges_ask_whether_others_may_watch(
    people: tuple[User, User], chosen: str, welcome: bool
) -> None:
    hilde, magriel = people
    client = Client()
    client.force_login(hilde)
    wishes = {"mode": "normal", "watchers": chosen}
    client.post(reverse("quick"), {**wishes, "tile": ":normal"})
    assert table_state(Table.objects.get()).terms.watchers is welcome
    client.post(
        reverse("challenge_make", args=[magriel.get_username()]), {**wishes, "clock": "normal"}
    )
    assert challenge_terms(Challenge.objects.get()).watchers is welcome


PRETEND = """() => {
  window.told = [];
  window.asked = 0;
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() {
      window.asked += 1;
      return (window.Notification.permission = 'granted');
    }
    constructor(title, { body }) { super(); window.told.push(`${title}: ${body}`); }
  };
}"""
ASK_AGAIN = "document.getElementById('challenges').dispatchEvent(new Event('challenges:refresh'))"
CHALLENGED = "#challenges [data-challenge]"


def test_a_challenge_is_told_to_who_looks_elsewhere_and_wants_it(
    player: Callable[..., Any],
) -> None:
    magriel, tilo = User.objects.create_user("magriel"), User.objects.create_user("tilo")
    page = player("hilde")
    hilde = User.objects.get(username="hilde")
    page.goto("/settings/")
    page.wait_for_selector("[data-without-script]", state="hidden")
    page.evaluate(PRETEND)
    page.locator("#set-notify_challenges").check()
    page.locator("#settings-status", has_text="Gespeichert").wait_for()
    assert page.evaluate("window.asked") == 1
    hilde.refresh_from_db()
    assert hilde.preferences["notify_challenges"] is True
    challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    page.evaluate(ASK_AGAIN)
    page.wait_for_selector(CHALLENGED)
    assert page.evaluate("window.told") == [], "who looks at the page sees it there"
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    challenge_make(user=tilo, opponent_id=hilde.pk, mode="normal")
    page.evaluate(ASK_AGAIN)
    page.wait_for_selector(f"{CHALLENGED} >> nth=1")
    assert page.evaluate("window.told") == ["Pasch: tilo fordert dich heraus."]
    assert page.problems == []
