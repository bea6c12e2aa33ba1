"""The content of the pages for each reader, as the server renders it."""

import csv
import io
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games.models import Table
from games.services.tables import table_open
from harness.logins import logged_in
from harness.prices import house_prices
from ledger.selectors import wallet_balance
from ledger.templatetags.credits import credits_change, credits_filter, credits_text, percent
from pasch.templatetags.shell import second
from tests.pages.texts import ROOT

pytestmark = pytest.mark.django_db

PUBLIC = ("home", "rules", "fair", "lobby", "ranking", "account_login", "account_signup")
ERRORS = ("400", "403", "403_csrf", "404", "413", "429", "500", "503")
INLINE = re.compile(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(src=|application/json))", re.I)


@pytest.fixture
def reader(house, visitor) -> Client:
    """magriel, logged in."""
    return logged_in(visitor, house.magriel)


def text_of(response) -> str:
    """The text of a page, without its tags."""
    page = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(page.replace("\u00a0", " ").replace("&nbsp;", " ").split())


# --- everybody ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PUBLIC)
def test_the_house_can_be_seen_without_a_login(house, visitor, name):
    response = visitor.get(reverse(name))
    assert response.status_code == 200
    assert f'href="{reverse("rules")}"' in response.content.decode()


@pytest.mark.parametrize(("language", "word"), [("de", "Rangliste"), ("en", "Ranking")])
def test_the_first_words_are_in_the_browsers_language(db, language, word):
    page = Client(headers={"accept-language": language}).get("/").content.decode()
    assert f'<html lang="{language}"' in page
    assert word in page


def test_rules_say_what_each_stake_pays_and_what_leaving_costs(db, visitor):
    words = text_of(visitor.get(reverse("rules")))
    assert "2.50 ℂ 5.00 ℂ 0.50 ℂ 4.50 ℂ" in words
    assert "5.00 ℂ 10.00 ℂ 1.00 ℂ 9.00 ℂ" in words
    assert "55.6%" in words
    assert "The opponent wins the match and the whole prize" in words


def test_rules_say_how_a_session_ends(db, visitor):
    words = text_of(visitor.get(reverse("rules")))
    assert "A player stops a session Between two games this costs nothing" in words
    assert "The players of a session are not both ready" in words
    assert "If a bank no longer covers the most that one game can cost" in words
    assert "In a session only the running game is lost" in words


def test_rules_follow_the_rake_the_house_has(db, visitor):
    house_prices(rake_bps=500)
    words = text_of(visitor.get(reverse("rules")))
    assert "The house keeps 5% of the pot" in words
    assert "2.50 ℂ 5.00 ℂ 0.25 ℂ 4.75 ℂ" in words
    assert "52.6%" in words


@pytest.mark.parametrize("code", ERRORS)
def test_error_pages_need_neither_request_nor_database(code):
    page = render_to_string(f"{code}.html")
    assert f">{code[:3]}<" in page
    assert not INLINE.findall(page)


def test_an_unknown_address_gives_the_houses_own_page(db, visitor):
    response = visitor.get("/no/such/page/")
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


# --- the lobby ------------------------------------------------------------------------------------
def test_an_open_table_shows_what_may_be_lost_and_won(house, visitor):
    words = text_of(visitor.get(reverse("lobby")))
    assert "5.00 ℂ each, the winner gets 9.00 ℂ" in words
    join = text_of(visitor.get(reverse("table_join", args=[house.waiting.pk])))
    for shown in ("Maximum loss 5.00 ℂ", "Rake 1.00 ℂ", "Wins needed to break even 55.6%"):
        assert shown in join


def test_a_visitor_is_led_through_the_login_to_the_table(house, visitor):
    join = reverse("table_join", args=[house.waiting.pk])
    page = visitor.get(reverse("lobby")).content.decode()
    assert f'href="{reverse("account_login")}?next={join}"' in page


def test_the_list_alone_is_what_the_lobby_fetches_again(house, visitor):
    page = visitor.get(reverse("lobby_tables")).content.decode()
    assert str(house.waiting.pk) in page
    assert "<html" not in page


def test_ones_own_match_stands_on_top_with_the_way_back_to_it(house, reader):
    page = reader.get(reverse("lobby")).content.decode()
    assert f'href="{reverse("table", args=[house.playing.pk])}"' in page
    assert page.index("My tables") < page.index("Open tables")


def test_before_opening_a_table_everything_about_the_stake_is_shown(house, reader):
    words = text_of(reader.get(reverse("table_open"), {"mode": "prize5"}))
    assert (
        "Reserved when play begins 2.50 ℂ Maximum loss 2.50 ℂ Pot (both stakes) 5.00 ℂ "
        "Rake 0.50 ℂ The winner receives 4.50 ℂ Wins needed to break even 55.6%"
    ) in words


def test_sitting_down_asks_first_and_takes_nothing(house, reader):
    before = wallet_balance(house.magriel.pk)
    response = reader.get(reverse("table_join", args=[house.waiting.pk]))
    words = text_of(response)
    for line in (
        "Your stake 5.00 ℂ",
        "Maximum loss 5.00 ℂ",
        "Pot (both stakes) 10.00 ℂ",
        "Rake 1.00 ℂ",
        "The winner receives 9.00 ℂ",
        "Wins needed to break even 55.6%",
        "Sit down for 5.00 ℂ",
    ):
        assert line in words
    assert wallet_balance(house.magriel.pk) == before
    assert Table.objects.get(pk=house.waiting.pk).phase == "open"


# --- the wallet -----------------------------------------------------------------------------------
def test_a_wallet_is_its_owners_alone(house, visitor):
    for name in ("wallet", "wallet_csv"):
        response = visitor.get(reverse(name))
        assert response.status_code == 302
        assert reverse("account_login") in response["location"]


def test_a_wallet_lists_every_entry_with_the_running_balance(house, reader):
    page = reader.get(reverse("wallet"))
    assert "Won against hilde" in text_of(page)
    assert "Running match against" in text_of(page)
    rows = page.context["rows"]
    assert [(str(row.label.text), row.amount_cents, row.balance_cents) for row in rows] == [
        ("Stake", -250, 9950),
        ("Match paid out", 450, 10200),
        ("Stake", -250, 9750),
        ("Welcome credits", 10000, 10000),
    ]


def test_the_balance_stands_on_every_page(house, reader):
    for name in ("home", "lobby", "wallet", "rules"):
        assert "99.50 ℂ" in text_of(reader.get(reverse(name)))


def test_the_file_of_a_wallet_adds_up_to_the_balance(house, reader):
    response = reader.get(reverse("wallet_csv"))
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode())))
    assert sum(int(row["amount_cents"]) for row in rows) == wallet_balance(house.magriel.pk)
    assert Decimal(rows[0]["balance_cents"]) == wallet_balance(house.magriel.pk)


@pytest.mark.parametrize("number", ["", "0", "-1", "999", "x"])
def test_a_page_that_does_not_exist_shows_one_that_does(house, reader, number):
    assert reader.get(reverse("wallet"), {"page": number}).status_code == 200


# --- credits --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cents", "english", "german"),
    [
        (0, "0.00 ℂ", "0,00 ℂ"),
        (5, "0.05 ℂ", "0,05 ℂ"),
        (250, "2.50 ℂ", "2,50 ℂ"),
        (-250, "−2.50 ℂ", "−2,50 ℂ"),
        (-5, "−0.05 ℂ", "−0,05 ℂ"),
        (123456789, "1,234,567.89 ℂ", "1.234.567,89 ℂ"),
    ],
)
def test_credits_are_written_in_the_readers_notation(cents, english, german):
    with override("en"):
        assert credits_filter(cents).replace("\u00a0", " ") == english
    with override("de"):
        assert credits_filter(cents).replace("\u00a0", " ") == german


@given(st.integers(-(10**15), 10**15))
def test_what_is_written_is_exactly_the_amount(cents):
    with override("en"):
        text = credits_text(cents).removesuffix("\u00a0ℂ").replace("−", "-").replace(",", "")
    assert Decimal(text) * 100 == cents


def test_a_movement_shows_its_sign_and_its_direction():
    with override("en"):
        assert credits_change(450) == '<span class="amount amount-up">+4.50\u00a0ℂ</span>'
        assert credits_change(-250) == '<span class="amount amount-down">−2.50\u00a0ℂ</span>'


def test_a_missing_amount_is_not_written():
    assert credits_filter(None) == ""


def test_a_share_is_written_in_the_readers_notation():
    with override("en"):
        assert percent(Decimal("55.6")) == "55.6%"
    with override("de"):
        assert percent(Decimal("55.6")) == "55,6\u00a0%"


# --- dates and times ------------------------------------------------------------------------------
#: formats of platform/pasch/formats, Django's for months and years, and ISO for the attribute
ALLOWED = {
    *("c", "DATE_FORMAT", "SHORT_DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"),
    *("YEAR_MONTH_FORMAT", "M", "Y"),
}
WHEN = datetime(2026, 11, 22, 20, 14, tzinfo=UTC)


def test_templates_use_no_other_format() -> None:
    found = []
    for path in (ROOT / "templates").rglob("*.html"):
        formats = re.findall(r"\|(?:date|time):\"([^\"]*)\"", path.read_text())
        found += [f"{path.name}: {name}" for name in formats if name not in ALLOWED]
    assert found == []


def test_scripts_write_dates_in_one_place() -> None:
    scripts = [*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "static" / "board").rglob("*.js")]
    found = {
        path.name for path in scripts if re.search("DateTimeFormat|dateStyle", path.read_text())
    }
    assert found == {"dates.js"}


@pytest.mark.parametrize(
    ("language", "written"), [("en", "22 Nov 2026, 20:14 UTC"), ("de", "22.11.2026, 20:14 UTC")]
)
def test_a_moment_is_written_the_european_way(language: str, written: str) -> None:
    with translation.override(language):
        assert f">{written}</time>" in render_to_string("shell/time.html", {"when": WHEN})


def test_a_moment_with_seconds_is_written_the_same_way() -> None:
    with translation.override("de"):
        assert ">22.11.2026, 20:14:00 UTC</time>" in second(WHEN)


# --- the first page of a new account --------------------------------------------------------------
FORM = {"username": "ida", "password1": "quite-a-long-secret"}


def test_registering_leads_to_the_first_steps(visitor: Client) -> None:
    answer = visitor.post(reverse("account_signup"), FORM)
    words = text_of(visitor.get(answer["location"], follow=True))
    assert "Welcome, ida" in words
    for step in ("Your first game", "Learn the moves", "Play a friend"):
        assert step in words


def test_who_registers_for_a_table_comes_back_to_it(visitor: Client) -> None:
    tilo = User.objects.create_user("tilo")
    table = table_open(user=tilo, mode="prize5", stake_cents=250, private=True)
    join = reverse("table_join", args=[table.pk])
    answer = visitor.post(reverse("account_signup") + f"?next={join}", {**FORM, "next": join})
    assert answer["location"] == join
    assert "Sit down for 2.50 ℂ" in text_of(visitor.get(join))


def test_a_stranger_has_no_first_steps(visitor: Client) -> None:
    assert visitor.get(reverse("welcome")).status_code == 302
