"""The content of the pages for each reader, as the server renders it."""

import csv
import io
import re
from decimal import Decimal

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.models import Table
from harness.logins import logged_in
from harness.prices import house_prices
from ledger.selectors import wallet_balance

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


@pytest.mark.parametrize("name", [*PUBLIC, "wallet", "account", "mfa_index", "account_email"])
def test_no_page_holds_script_or_style_of_its_own(reader, name):
    page = reader.get(reverse(name), follow=True).content.decode()
    assert INLINE.findall(page) == []


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
    shown = "Stake 5.00 ℂ Maximum loss 5.00 ℂ Winner gets 9.00 ℂ Rake 1.00 ℂ Break-even 55.6%"
    assert shown in words


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
