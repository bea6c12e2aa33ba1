"""The header and its news on every page: running games, challenges, and who is muted."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.models import Challenge, Deadline, Match, Mute, Table
from games.selectors import challenge_terms, table_state
from games.services.challenges import challenge_make
from games.services.chat import mute_set
from games.services.practice import practice_open
from games.services.running import running_of
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from tests.pages.conftest import SmallHouse
from tests.pages.test_pages import text_of
from tournaments.models import Meeting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


PAGES = ("home", "lobby", "watch", "ranking", "rules", "wallet", "archive", "account")


def reads_of(model: type[Model], client: Client, page: str) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(reverse(page)).status_code == 200
    return [query["sql"] for query in asked if model._meta.db_table in query["sql"]]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_leads_back_to_a_running_match(
    house: SmallHouse, visitor: Client, page: str
) -> None:
    visitor.force_login(house.magriel)
    words = text_of(visitor.get(reverse(page)))
    assert "Your move · " in words or "Your move " in words
    page_text = visitor.get(reverse(page)).content.decode()
    header = page_text[: page_text.index("</header>")]
    assert f'href="{reverse("table", args=[house.playing.pk])}"' in header


def test_the_other_player_reads_whose_move_it_is(house: SmallHouse, visitor: Client) -> None:
    visitor.force_login(house.hilde)
    assert "magriel to move" in text_of(visitor.get(reverse("rules")))


@pytest.mark.parametrize("model", [Match, Challenge, Meeting])
def test_a_page_asks_once_whether_anything_waits_for_a_person_and_never_for_a_stranger(
    visitor: Client, django_user_model: Any, model: type[Model]
) -> None:
    assert reads_of(model, visitor, "rules") == []
    visitor.force_login(django_user_model.objects.create_user("otto"))
    (asked,) = reads_of(model, visitor, "rules")
    assert asked.split()[:2] in (["SELECT", "EXISTS"], ["SELECT", "coalesce("])


def test_a_page_reads_running_games_once_and_only_for_somebody_who_plays(
    house: SmallHouse, visitor: Client, django_user_model: Any
) -> None:
    assert reads_of(Deadline, visitor, "rules") == []
    visitor.force_login(django_user_model.objects.create_user("otto"))
    assert reads_of(Deadline, visitor, "rules") == []
    visitor.force_login(house.magriel)
    assert len(reads_of(Deadline, visitor, "rules")) == 1


def test_the_game_that_waits_for_the_reader_comes_first_then_the_nearest_deadline(
    house: SmallHouse, django_user_model: Any
) -> None:
    magriel, ida = house.magriel, django_user_model.objects.create_user("ida")
    second = table_open(user=ida, mode="normal", clock="fast")
    table_join(user=magriel, table_id=second.pk)  # ida, who opened it, begins
    third = practice_open(user=magriel, strength="beginner")
    rows = running_of(magriel.pk)
    mine = [row["table"].pk for row in rows if row["my_turn"]]
    assert [row["table"].pk for row in rows][: len(mine)] == mine
    assert set(mine) == {house.playing.pk, third.pk}
    assert rows[-1]["table"].pk == second.pk
    late, soon = Deadline.objects.get(table=house.playing), Deadline.objects.get(table=third)
    late.due_at = soon.due_at - timedelta(seconds=1)
    late.save(update_fields=["due_at"])
    assert running_of(magriel.pk)[0]["table"].pk == house.playing.pk


def test_a_match_that_is_over_is_no_longer_shown(house: SmallHouse, visitor: Client) -> None:
    visitor.force_login(house.magriel)
    table_command(
        table_id=house.playing.pk,
        user_id=house.magriel.pk,
        command_id=str(uuid4()),
        seen_seq=house.playing.seq,
        command=cmd.Leave(),
    )
    assert 'data-testid="running"' not in visitor.get(reverse("rules")).content.decode()


def test_the_page_of_a_table_shows_the_others_alone(house: SmallHouse, visitor: Client) -> None:
    visitor.force_login(house.magriel)
    table = visitor.get(reverse("table", args=[house.playing.pk])).content.decode()
    assert 'data-testid="running"' not in table
    other = practice_open(user=house.magriel, strength="beginner")
    table = visitor.get(reverse("table", args=[other.pk])).content.decode()
    header = table[table.index("<header") : table.index("</header>")]
    assert reverse("table", args=[house.playing.pk]) in header
    assert reverse("table", args=[other.pk]) not in header[: header.index("data-source")]


def test_what_is_fetched_is_the_part_of_the_header(house: SmallHouse, visitor: Client) -> None:
    assert text_of(visitor.get(reverse("running"))) == ""
    visitor.force_login(house.magriel)
    answer = visitor.get(reverse("running"))
    assert "Your move" in text_of(answer)
    assert answer["Cache-Control"] == "no-store"
    without = visitor.get(reverse("running"), {"besides": [str(house.playing.pk), "nonsense"]})
    assert text_of(without) == ""


def test_the_header_follows_a_match_that_is_played_elsewhere(
    house: SmallHouse, player: Callable[..., Any]
) -> None:
    """A match begins, and a challenge arrives, while the player reads another page."""
    page = player("tilo")
    page.goto(reverse("rules"))
    chip = page.get_by_test_id("running")
    expect(chip).to_have_count(0)
    page.wait_for_function(
        "() => performance.getEntriesByType('resource')"
        ".some(each => each.name.endsWith('/play/running/'))"
    )
    table_join(user=house.hilde, table_id=house.waiting.pk)
    expect(chip).to_contain_text("Dein Zug")
    table_command(
        table_id=house.waiting.pk,
        user_id=house.hilde.pk,
        command_id=str(uuid4()),
        seen_seq=0,
        command=cmd.Leave(),
    )
    expect(chip).to_have_count(0)
    assert page.problems == []


def test_the_header_connects_again_when_the_network_is_back(
    house: SmallHouse, player: Callable[..., Any]
) -> None:
    page = player("tilo")
    with page.expect_websocket(lambda socket: socket.url.endswith("/ws/me/")):
        page.goto(reverse("rules"))
    with page.expect_websocket(lambda socket: socket.url.endswith("/ws/me/")):
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
    assert page.problems == []


def test_an_offer_of_a_rematch_reaches_who_has_gone_to_another_page(
    house: SmallHouse, visitor: Client
) -> None:
    magriel, hilde = house.magriel, house.hilde
    table = table_open(user=magriel, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    sitting.turn()
    loser = sitting.state.decider
    sitting.give(loser, cmd.OfferResignation(level=1))
    sitting.give(1 - loser, cmd.AcceptResignation())
    sitting.give(1, cmd.Rematch())
    visitor.force_login(magriel)
    page = visitor.get(reverse("rules")).content.decode()
    header = page[: page.index("</header>")]
    assert "hilde wants a rematch" in header
    assert f'href="{reverse("table", args=[table.pk])}"' in header
    visitor.force_login(hilde)
    assert "wants a rematch" not in visitor.get(reverse("rules")).content.decode()


# --- mutes and calls ------------------------------------------------------------------------------
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
    assert table_state(Table.objects.get(phase="open")).terms.watchers is welcome
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
