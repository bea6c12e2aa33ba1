"""The games of one press: what a tile says and does, by pace and stake."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Challenge, Match, Table
from games.selectors import table_state
from games.selectors_pace import FEWEST, paces
from games.services.tables import table_join, table_open
from harness.wallets import credits_spent
from house.parts import HousePart
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)

At = Callable[[str], Client]


def tile_of(client: Client, name: str, **asked: object) -> tuple[str, dict[str, str]]:
    """A tile of the lobby as the page has it: its words, and the fields that a press sends."""
    page = client.get(reverse("lobby"), asked).content.decode()
    forms = re.findall(r"<li><form.*?</form>", page, re.DOTALL)
    (form,) = (form for form in forms if f"<b>{name}</b>" in form)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    fields.pop("csrfmiddlewaretoken")
    return re.sub(r"<[^>]+>|\s+", " ", form), fields


def ended(opener: User, guest: User, *, waited: timedelta, lasted: timedelta) -> None:
    """A free game between two people that was played to its end a while ago."""
    table = table_open(user=opener, mode="normal")
    table_join(user=guest, table_id=table.pk)
    match = Match.objects.latest("started_at")
    Table.objects.filter(pk=table.pk).update(
        phase="closed", created_at=match.started_at - waited, changed_at=match.started_at
    )
    Match.objects.filter(pk=match.pk).update(
        ending="borne_off", winner_seat=0, ended_at=match.started_at + lasted
    )


@pytest.mark.parametrize(
    ("name", "pace", "points", "contest"),
    [("One game", "slow", 0, "game"), ("Match to 7", "fast", 7, "points")],
)
def test_a_press_begins_the_game_of_the_tile_at_the_pace(at: At, name, pace, points, contest):
    _words, fields = tile_of(at("hilde"), name, pace=pace)
    assert at("hilde").post(reverse("quick"), fields).status_code == 302
    terms = table_state(Table.objects.get(phase="open")).terms
    assert (terms.clock, terms.contest, terms.stake_cents) == (pace, contest, 0)
    assert not points or terms.target_points == points


def test_a_tile_for_credits_asks_first_and_stakes_what_it_says(at: At):
    words, fields = tile_of(at("hilde"), "Match to 3", stake="250")
    assert "2.50 ℂ each" in words
    page = at("hilde").post(reverse("quick"), fields)
    assert "Find an opponent for 2.50 ℂ" in text_of(page)
    assert not Table.objects.exists()
    main = page.content.decode().partition("<main")[2]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', main))
    at("hilde").post(reverse("quick"), sent)
    terms = table_state(Table.objects.get()).terms
    assert (terms.stake_cents, terms.target_points) == (250, 3)


def test_a_stake_that_cannot_be_paid_cannot_be_pressed(at: At, hilde: User):
    credits_spent(hilde, 9_900)
    words, _fields = tile_of(at("hilde"), "One game", stake="250")
    assert "Not enough credits" in words
    page = at("hilde").get(reverse("lobby"), {"stake": "250"}).content.decode()
    assert len(re.findall(r'<button class="way[^>]* disabled>', page)) == 4


@pytest.mark.parametrize("asked", [{"pace": "endless"}, {"stake": "251"}, {"stake": "-1"}])
def test_what_an_address_makes_up_is_as_without_it(at: At, asked):
    assert tile_of(at("hilde"), "One game", **asked) == tile_of(at("hilde"), "One game")


def test_a_visitor_is_offered_no_stakes(client: Client):
    page = client.get(reverse("lobby"), {"stake": "250"}).content.decode()
    assert 'id="stake-' not in page
    assert "about 5 min" in page
    assert "only you need an account" in page


def test_the_friends_tile_opens_a_private_table(at: At):
    _words, fields = tile_of(at("hilde"), "With a friend", pace="slow")
    answer = at("hilde").post(reverse("table_open"), fields)
    table = Table.objects.get()
    assert answer.url == reverse("table_invite", args=[table.pk])
    assert table.code
    assert table_state(table).terms.clock == "slow"


def test_the_golden_tile_is_where_people_wait_and_gives_way_to_a_running_game(at: At, magriel):
    def golden(name: str) -> list[str]:
        page = at(name).get(reverse("lobby")).content.decode()
        return re.findall(r'way-gold".*?<b>(.*?)</b>', page, re.DOTALL)

    assert golden("hilde") == ["One game"]
    table_open(user=magriel, mode="match", target_points=5)
    assert golden("hilde") == ["Match to 5"]
    assert golden("magriel") == []


def test_minutes_and_waits_are_measured_once_there_are_enough(at: At, magriel, tilo):
    for number in range(FEWEST):
        assert paces().wait_seconds is None
        slow = number >= FEWEST - 3  # few waited long
        waited = timedelta(seconds=200 if slow else 31)
        ended(magriel, tilo, waited=waited, lasted=timedelta(minutes=9, seconds=number))
    assert "about 9 min" in tile_of(at("hilde"), "One game")[0]
    assert "about 12 min" in tile_of(at("hilde"), "Match to 3")[0]
    words = text_of(at("hilde").get(reverse("lobby")))
    assert "You rarely wait longer than 40 seconds." in words


def test_a_wait_of_minutes_is_said_in_minutes(at: At, magriel, tilo):
    for _number in range(FEWEST):
        ended(magriel, tilo, waited=timedelta(seconds=130), lasted=timedelta(minutes=5))
    words = text_of(at("hilde").get(reverse("lobby")))
    assert "You rarely wait longer than 3 minutes." in words


def test_an_accepted_challenge_is_no_wait(at: At, magriel, tilo):
    for _number in range(FEWEST):
        ended(magriel, tilo, waited=timedelta(0), lasted=timedelta(minutes=5))
    for table in Table.objects.all()[:1]:
        Challenge.objects.create(
            challenger=magriel,
            challenged=tilo,
            terms={},
            state="accepted",
            table=table,
            expires_at=table.created_at,
            answered_at=table.created_at,
        )
    assert paces().wait_seconds is None, "one less than is needed"


def test_with_a_stake_the_friends_tile_leads_to_the_form_with_it(at: At):
    page = at("hilde").get(reverse("lobby"), {"stake": "250", "pace": "fast"}).content.decode()
    (address,) = re.findall(r'<a class="way" href="([^"]+)"', page)
    form = at("hilde").get(address.replace("&amp;", "&")).context["form"]
    assert (form["mode"].value(), form["stake_cents"].value()) == ("match", "250")
    assert (form["clock"].value(), form["private"].value()) == ("fast", True)
    words = text_of(at("hilde").get(reverse("lobby"), {"stake": "250"}))
    assert "With a friend by link or code 2.50 ℂ each" in words, "for a stake they need an account"
    assert "Nothing is taken from your wallet before the second player sits down." in words
    assert "you play a bot" not in words


def test_a_house_without_staked_matches_offers_no_stakes(at: At):
    house_has(HousePart.OFFERS, modes=["normal"])
    page = at("hilde").get(reverse("lobby"), {"stake": "250"}).content.decode()
    assert 'id="stake-' not in page
    assert "<b>One game</b>" in page


def test_no_tile_that_cannot_be_paid_is_golden(at: At, hilde: User):
    credits_spent(hilde, 9_900)
    page = at("hilde").get(reverse("lobby"), {"stake": "250"}).content.decode()
    assert "way-gold" not in page
