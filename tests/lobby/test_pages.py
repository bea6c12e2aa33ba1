"""The pages of the lobby: every mode opens, all terms are shown before, no scripts are needed."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Match, Table
from games.pages import lobby as page_of_lobby
from games.selectors import table_state
from games.services.tables import table_close, table_join, table_open
from harness.prices import house_prices
from harness.wallets import credits_spent
from house.models import HouseChange
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)


def opened(client: Client, **form: object) -> Table:
    response = client.post(reverse("table_open"), {"clock": "normal", **form})
    assert response.status_code == 302, text_of(response)
    return Table.objects.latest("created_at")


# --- opening --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({"mode": "prize5", "stake_cents": 500, "holland": "on"}, (500, 0, {"holland": True})),
        ({"mode": "prize3", "stake_cents": 250}, (250, 0, {"has_cube": False})),
        ({"mode": "single", "game": "100-1000"}, (1000, 100, {})),
        ({"mode": "single", "game": "100-2000"}, (2000, 100, {})),
        ({"mode": "single", "game": "200-1000"}, (1000, 200, {})),
        ({"mode": "single", "game": "200-2000"}, (2000, 200, {})),
        ({"mode": "stake", "base": "0,50", "has_cube": ""}, (150, 50, {"has_cube": False})),
        ({"mode": "stake", "base": "0.50", "has_cube": "on"}, (500, 50, {"has_cube": True})),
        (
            {
                "mode": "stake",
                "base": "1",
                "has_cube": "on",
                "variant": "nackgammon",
                "jacoby": "on",
                "beavers": "on",
                "raccoons": "on",
                "start_rule": "roll_off_use",
                "auto_doubles_max": 2,
            },
            (1000, 100, {"variant": "nackgammon", "raccoons": True, "auto_doubles_max": 2}),
        ),
        ({"mode": "normal", "variant": "fevga"}, (0, 0, {"variant": "fevga"})),
        ({"mode": "normal", "clock": "slow", "has_cube": "on"}, (0, 0, {"clock": "slow"})),
    ],
)
def test_every_mode_opens_with_what_was_asked(at, form, expected):
    terms = table_state(opened(at("magriel"), **form)).terms
    stake_cents, rate_cents, rules = expected
    assert (terms.mode, terms.stake_cents, terms.rate_cents) == (
        form["mode"],
        stake_cents,
        rate_cents,
    )
    assert {rule: getattr(terms, rule) for rule in rules} == rules


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"raccoons": "on"}, "Raccoons require beavers: select both."),
        ({"has_cube": "", "jacoby": "on"}, "This rule needs the doubling cube."),
        ({"variant": "fevga"}, "“has_cube” cannot be chosen here (Custom stake · Fevga)."),
        ({"crawford": "on"}, "“crawford” cannot be chosen here (Custom stake · Backgammon)."),
        ({"stake_cents": "50"}, "“stake_cents” cannot be chosen here"),
        ({"auto_doubles_max": 1}, "Automatic doubles need a roll-off whose numbers are played."),
        ({"base": "0.01"}, "This base stake is outside of what the house offers."),
        ({"base": "99999"}, "This base stake is outside of what the house offers."),
        ({"base": "a lot"}, "Enter an amount such as 1 or 0.50."),
        ({"base": ""}, "This field is required."),
        ({"variant": "chess"}, "Select a valid choice. chess is not one of the available choices."),
        ({"clock": "endless"}, "Select a valid choice."),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_opens_nothing(at, change, said):
    form = {
        "mode": "stake",
        "base": "0.50",
        "has_cube": "on",
        "variant": "backgammon",
        "start_rule": "opener_alternates",
        "auto_doubles_max": 0,
        "clock": "normal",
        **change,
    }
    response = at("magriel").post(reverse("table_open"), form)
    assert said in text_of(response)
    assert not Table.objects.exists()


@pytest.mark.parametrize("form", [{}, {"mode": "chess"}, {"mode": "prize5", "stake_cents": "251"}])
def test_what_no_form_offers_opens_nothing(at, form):
    at("magriel").post(reverse("table_open"), {"clock": "normal", **form})
    assert not Table.objects.exists()


@pytest.mark.parametrize("mode", ["match", "tavli", "prize5", "normal", "single"])
def test_every_stake_has_a_name(at, mode):
    page = at("hilde").get(reverse("table_open"), {"mode": mode}).content.decode()
    names = re.findall(r'<label class="choice">.*?<b>(.*?)</b>', page, re.DOTALL)
    assert all(name.strip() for name in names), names
    assert mode in ("normal", "single") or names


def test_free_stakes_are_worked_out_before_anything_opens(at):
    form = {
        "mode": "stake",
        "base": "1.50",
        "has_cube": "on",
        "variant": "backgammon",
        "start_rule": "opener_alternates",
        "auto_doubles_max": 0,
        "clock": "normal",
    }
    client = at("magriel")
    pages = (
        client.get(reverse("table_terms"), form),
        client.post(reverse("table_open"), {**form, "preview": "1"}),
    )
    for page in pages:
        words = text_of(page)
        assert "Reserved when play begins 15.00 ℂ Maximum loss 15.00 ℂ" in words
        assert "Gammon the loser loses 3.00 ℂ +2.70 ℂ" in words
        assert "52.6%" in words
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("prize3", "The winner receives 4.50 ℂ A tie pays each 2.25 ℂ"),
        ("single", "1.00 ℂ a point, limit 10.00 ℂ"),
        (
            "single",
            "Plain win the loser loses 2.00 ℂ +1.80 ℂ Gammon the loser loses 4.00 ℂ +3.60 ℂ "
            "Backgammon the loser loses 6.00 ℂ +5.40 ℂ",
        ),
        ("stake", "We reserve 3 times the base stake without the cube, 10 times with it"),
    ],
)
def test_the_form_says_what_a_mode_pays(at, mode, line):
    assert line in text_of(at("magriel").get(reverse("table_open"), {"mode": mode}))


@pytest.mark.parametrize(
    ("chosen", "is_noted"),
    [
        ({"mode": "match"}, False),
        ({"mode": "match", "stake_cents": "250"}, True),
        ({"mode": "prize5"}, True),
        ({"mode": "normal"}, False),
    ],
)
def test_the_form_says_when_the_stake_is_reserved_where_there_is_one(at, chosen, is_noted):
    words = text_of(at("magriel").get(reverse("table_open"), chosen))
    assert ("Your stake is reserved only when an opponent sits down" in words) is is_noted


def test_the_form_follows_the_operators_prices(at):
    house_prices(prize_stakes_cents=[700], base_stake_cents_min=100)
    client = at("magriel")
    words = text_of(client.get(reverse("table_open"), {"mode": "prize5"}))
    assert "7.00 ℂ" in words
    assert "2.50 ℂ" not in words
    words = text_of(client.get(reverse("table_open"), {"mode": "stake"}))
    assert "A point is worth 1.00 ℂ" in words


def test_what_cannot_be_paid_cannot_be_chosen(at, magriel):
    credits_spent(magriel, 9_700)
    page = at("magriel").get(reverse("table_open"), {"mode": "prize5"}).content.decode()
    choice = re.findall(r'<input type="radio" name="stake_cents" value="(\d+)"([^>]*)>', page)
    assert [(cents, "disabled" in rest) for cents, rest in choice[:2]] == [
        ("250", False),
        ("500", True),
    ]


# --- the list -------------------------------------------------------------------------------------
@pytest.fixture
def full(magriel, tilo, ida) -> dict[str, Table]:
    """Three tables of different kinds."""
    return {
        "prize5": table_open(user=magriel, mode="prize5", stake_cents=500),
        "stake": table_open(user=tilo, mode="stake", stake_cents=900, variant="nackgammon"),
        "single": table_open(user=ida, mode="single", rate_cents=100, limit_cents=1000),
    }


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ({}, {"prize5", "stake", "single"}),
        ({"mode": "prize5"}, {"prize5"}),
        ({"variant": "nackgammon"}, {"stake"}),
        ({"affordable": "on"}, {"prize5", "single"}),
        ({"near": "on"}, {"prize5", "stake"}),
        ({"mode": "single", "variant": "nackgammon"}, set()),
        ({"mode": "chess", "variant": "'; --"}, {"prize5", "stake", "single"}),
    ],
)
def test_filters_live_in_the_address(at, hilde, full, filters, shown):
    """hilde has 50 credits, and ida is two groups weaker than she."""
    credits_spent(hilde, 5_000)
    for name in ("lobby", "lobby_tables"):
        page = at("hilde").get(reverse(name), {"filter": "1", **filters}).content.decode()
        listed = page.partition("open-title")[2] or page
        assert {mode for mode, table in full.items() if str(table.pk) in listed} == shown


def test_a_row_says_mode_variant_rules_and_rate(at, full):
    words = text_of(at("hilde").get(reverse("lobby")))
    assert "Custom stake · Nackgammon · with the cube" in words
    assert "9.00 ℂ a point, at most 90.00 ℂ to lose" in words


def test_t1_before_sitting_down_gammons_under_jacoby_stand_after_a_take(at, magriel):
    table = table_open(user=magriel, mode="stake", stake_cents=100, jacoby=True)
    words = text_of(at("hilde").get(reverse("table_join", args=[table.pk])))
    assert (
        "Plain win the loser loses 1.00 ℂ +0.90 ℂ After a take: Plain win the loser loses 2.00 ℂ"
        " +1.80 ℂ … Gammon the loser loses 4.00 ℂ +3.60 ℂ … Backgammon the loser loses 6.00 ℂ"
    ) in words


def test_t1_before_sitting_down_acey_deucey_counts_the_checkers_left(at, magriel):
    table = table_open(user=magriel, mode="stake", stake_cents=100, variant="acey_deucey")
    words = text_of(at("hilde").get(reverse("table_join", args=[table.pk])))
    assert "1 checker left the loser loses 1.00 ℂ +0.90 ℂ 15 checkers left" in words
    assert "the loser loses 3.00 ℂ · limit +2.70 ℂ" in words


def test_t1_the_most_that_can_be_lost_may_be_less_than_what_is_reserved(at, magriel):
    table = table_open(
        user=magriel, mode="stake", stake_cents=100, variant="misere", has_cube=False
    )
    words = text_of(at("hilde").get(reverse("table_join", args=[table.pk])))
    assert "Reserved when play begins 3.00 ℂ Maximum loss 1.00 ℂ" in words


def test_sitting_down_at_a_game_by_the_point_says_what_each_win_pays(at, full):
    words = text_of(at("hilde").get(reverse("table_join", args=[full["single"].pk])))
    assert "Reserved when play begins 10.00 ℂ" in words
    assert "Backgammon the loser loses 3.00 ℂ +2.70 ℂ" in words
    assert "Sit down for 10.00 ℂ" in words


def test_who_is_here_is_shown_with_strength(at):
    for name in ("ida", "hilde"):
        page = at(name).get(reverse("lobby"))
    words = text_of(page)
    assert "Here now 2" in words
    assert words.index("hilde 1500") < words.index("ida 1200")


def test_of_very_many_people_some_are_named_and_all_are_counted(at, monkeypatch):
    monkeypatch.setattr(page_of_lobby, "ONLINE_MAX", 1)
    for name in ("ida", "tilo", "hilde"):
        page = at(name).get(reverse("lobby"))
    words = text_of(page)
    here = "Here now 3 Strength 3 of 6: [A-Z][a-z]+ hilde 1500"
    assert re.search(here, words)
    assert "ida 1200" not in words
    asked = text_of(at("hilde").get(reverse("challenge_make", args=["ida"])))
    assert "ida 1200 here now" in asked


# --- quick pairing --------------------------------------------------------------------------------
def test_one_click_each_makes_a_free_match(at):
    form = {"mode": "match", "tile": "5:fast"}
    at("magriel").post(reverse("quick"), form)
    words = text_of(at("hilde").get(reverse("lobby"), {"pace": "fast"}))
    assert "Match to 5 about 14 min 1 waiting" in words
    at("hilde").post(reverse("quick"), form)
    own, table = Table.objects.filter(phase="open").order_by("created_at")
    at("magriel").post(reverse("seat_offer"), {"accept": str(table.pk)})
    at("hilde").post(reverse("seat_offer"), {"accept": str(own.pk)})
    own.refresh_from_db()
    assert table_state(own).terms.clock == "fast"
    assert Match.objects.exclude(mode="practice").count() == 1


def test_a_quick_game_for_credits_is_shown_with_its_price_first(at):
    form = {"for": "credits", "mode": "prize5", "tile": "250:fast"}
    for name in ("magriel", "hilde"):
        page = at(name).post(reverse("quick"), form)
        assert "Reserved when play begins 2.50 ℂ" in text_of(page)
        assert "Find an opponent for 2.50 ℂ" in text_of(page)
        assert Match.objects.count() == 0
        sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', body(page)))
        assert at(name).post(reverse("quick"), sent).status_code == 302
    assert table_state(Table.objects.get()).terms.stake_cents == 250
    assert Match.objects.count() == 1


def body(page) -> str:
    """The main part of a page."""
    return page.content.decode().partition("<main")[2]


@pytest.mark.parametrize(
    "form",
    [
        {"mode": "normal", "tile": "chess:fast"},
        {"mode": "normal", "tile": ":endless"},
        {"mode": "normal", "tile": ":fast", "stake_cents": "250"},
        {"mode": "prize5", "tile": "250:fast", "agreed": "1"},
        {"for": "credits", "mode": "prize5", "tile": "1:fast", "agreed": "1"},
        {"for": "credits", "mode": "prize5", "clock": "fast", "agreed": "1"},
    ],
)
def test_a_quick_game_that_does_not_exist_opens_nothing(at, form):
    assert at("magriel").post(reverse("quick"), form).status_code == 200
    assert not Table.objects.exists()


# --- private tables -------------------------------------------------------------------------------
def test_a_private_table_is_reached_by_code_and_link_alone(at):
    client, guest = at("magriel"), at("hilde")
    table = opened(client, mode="prize5", stake_cents=250, private="on")
    assert str(table.pk) not in guest.get(reverse("lobby")).content.decode()
    words = client.get(reverse("table_invite", args=[table.pk])).content.decode()
    shown = f"{table.code[:4]}-{table.code[4:]}"
    assert f'id="code">{shown}<' in words
    assert f"/t/{shown}/" in words
    join = reverse("table_join", args=[table.pk])
    assert guest.get(reverse("table_code", args=[shown]))["location"] == join
    for typed in (table.code, shown.lower(), f" {shown} "):
        assert guest.get(reverse("table_by_code"), {"code": typed})["location"] == join
    assert guest.post(join)["location"] == reverse("table", args=[table.pk])
    news = client.get(reverse("table_invite", args=[table.pk]), headers={"hx-request": "true"})
    assert news["HX-Redirect"] == reverse("table", args=[table.pk])


@pytest.mark.parametrize("code", ["", "BCDF", "BCDF-GHJK", "x" * 200, "\x00"])
def test_a_code_that_opens_nothing(at, code):
    response = at("hilde").get(reverse("table_by_code"), {"code": code}, follow=True)
    assert "There is no open table with this code." in text_of(response)


def test_the_invitation_is_the_openers_alone(at):
    table = opened(at("magriel"), mode="prize5", stake_cents=250, private="on")
    assert at("hilde").get(reverse("table_invite", args=[table.pk])).status_code == 404


# --- refusals -------------------------------------------------------------------------------------
def test_two_accounts_of_one_person_read_why_not(at, magriel, hilde):
    magriel.email = hilde.email = "h@example.org"
    magriel.save()
    hilde.save()
    table = table_open(user=magriel, mode="normal")
    response = at("hilde").post(reverse("table_join", args=[table.pk]), follow=True)
    assert "Two accounts of one person cannot play each other." in text_of(response)


def test_t11_a_table_that_its_opener_closed_does_not_speak_of_somebody_else(at, magriel):
    table = table_open(user=magriel, mode="normal")
    table_close(user=magriel, table_id=table.pk)
    address = reverse("table_join", args=[table.pk])
    for response in (at("hilde").get(address, follow=True), at("hilde").post(address, follow=True)):
        text = text_of(response)
        assert "The player who opened this table has closed it or left." in text
        assert "Somebody else" not in text


def test_t11_sitting_down_without_a_stake_gives_no_stake_back(at, magriel):
    table = table_open(user=magriel, mode="normal")
    text = text_of(at("hilde").get(reverse("table_join", args=[table.pk])))
    assert "gets the stake back" not in text


def test_sitting_down_elsewhere_closes_ones_own_table(at, magriel, hilde):
    own = table_open(user=hilde, mode="normal")
    table_join(user=hilde, table_id=table_open(user=magriel, mode="normal").pk)
    own.refresh_from_db()
    assert own.phase == "closed"
    assert str(own.pk) not in at("tilo").get(reverse("lobby")).content.decode()


@pytest.mark.parametrize("name", ["lobby", "rules"])
def test_a_page_reads_the_prices_once(at, name):
    with CaptureQueriesContext(connection) as asked:
        assert at("hilde").get(reverse(name)).status_code == 200
    assert sum(HouseChange._meta.db_table in query["sql"] for query in asked) == 1
