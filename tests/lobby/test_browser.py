"""The lobby in real browsers: challenges arrive by themselves, filters stay, forms add up."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Match, Table
from games.pages import lobby as page_of_lobby
from games.services.tables import table_open
from tests.e2e.hands import PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ENGLISH = {"locale": "en-GB"}
AT_A_TABLE = re.compile(r"/table/[0-9a-f-]{36}/$")


def test_a_challenge_arrives_by_itself_and_seats_both(player, shots):
    User.objects.create_user("hilde")
    asked = player("hilde", **ENGLISH)
    asked.goto("/play/")
    expect(asked.locator("#lobby-tables")).to_be_visible()
    asking = player("magriel", **ENGLISH, **PHONE)
    asking.goto("/player/hilde/challenge/")
    asking.locator("#terms_mode").select_option("prize3")
    expect(asking.get_by_text("A tie pays each").nth(0)).to_be_visible()
    shots(asking, "challenge-make", full_page=True)
    asking.get_by_role("button", name="Send the challenge").click()
    expect(asking.get_by_text("Waiting for the answer of hilde.")).to_be_visible()
    asked.get_by_role("link", name="Look and answer").click()
    shots(asked, "challenge-asked", full_page=True)
    asked.get_by_role("button", name="Accept for 2.50").click()
    expect(asked).to_have_url(AT_A_TABLE)
    expect(asking).to_have_url(AT_A_TABLE)
    assert Match.objects.get().mode == "prize3"
    assert asked.problems == asking.problems == []


def test_the_list_follows_and_the_filters_stay(player, django_user_model, monkeypatch):
    monkeypatch.setattr(page_of_lobby, "FILTERED_FROM", 0)
    page = player("hilde", **ENGLISH)
    page.goto("/play/")
    page.locator("#filter_mode").select_option("prize5")
    expect(page).to_have_url(re.compile(r"/play/\?.*mode=prize5"))
    page.mouse.move(0, 0)
    page.locator("h1").click()
    tilo, ida = (django_user_model.objects.create_user(name) for name in ("tilo", "ida"))
    shown = table_open(user=tilo, mode="prize5", stake_cents=250)
    hidden = table_open(user=ida, mode="normal")
    expect(page.locator(f'[data-table="{shown.pk}"]')).to_be_visible()
    expect(page.get_by_text("1 more table does not fit the filters.")).to_be_visible()
    edges = """id => {
      const row = document.querySelector(`[data-table="${id}"] .player`);
      const [name, symbol] = [".player-name", ".strength"].map((part) => row.querySelector(part));
      return [name.getBoundingClientRect().right, symbol.getBoundingClientRect().left];
    }"""
    name_end, symbol_begin = page.evaluate(edges, str(shown.pk))  # the list may be swapped any time
    assert symbol_begin >= name_end, "the strength stands right of the name"
    expect(page.locator(f'[data-table="{hidden.pk}"]')).to_have_count(0)
    page.locator("#filter_mode").select_option("")
    expect(page).to_have_url("/play/")
    assert page.problems == []


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_later_page_stays_live_and_a_filter_leads_back_to_the_first(
    player, django_user_model, monkeypatch, shots, device
):
    monkeypatch.setattr(page_of_lobby, "OPEN_TABLES_MAX", 2)
    monkeypatch.setattr(page_of_lobby, "FILTERED_FROM", 0)
    people = [django_user_model.objects.create_user(f"player{number}") for number in range(4)]
    tables = [table_open(user=person, mode="normal") for person in people[:3]]
    page = player("hilde", **ENGLISH, **device)
    page.goto("/play/")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile(r"/play/\?after="))
    expect(page.locator(f'[data-table="{tables[2].pk}"]')).to_be_visible()
    page.mouse.move(0, 0)
    page.locator("h1").click()
    newest = table_open(user=people[3], mode="normal")
    expect(page.locator(f'[data-table="{newest.pk}"]')).to_be_visible()
    expect(page.locator(f'[data-table="{tables[0].pk}"]')).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/play/\?after="))
    shots(page, f"lobby-second-page-{'phone' if device else 'desktop'}", full_page=True)
    page.locator("#filter_mode").select_option("normal")
    expect(page).to_have_url("/play/?mode=normal")
    expect(page.locator(f'[data-table="{tables[0].pk}"]')).to_be_visible()
    assert page.problems == []


def test_who_was_cut_off_connects_again_and_the_list_follows(player, django_user_model):
    page = player("hilde", **ENGLISH)
    page.goto("/play/")
    page.mouse.move(0, 0)
    with page.expect_websocket(), page.expect_response(re.compile(r"/play/tables/")):
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
    tilo = django_user_model.objects.create_user("tilo")
    shown = table_open(user=tilo, mode="prize5", stake_cents=250)
    expect(page.locator(f'[data-table="{shown.pk}"]')).to_be_visible()
    assert page.problems == []


def test_a_late_answer_to_the_former_filters_changes_nothing(player, monkeypatch):
    monkeypatch.setattr(page_of_lobby, "FILTERED_FROM", 0)
    page = player("hilde", **ENGLISH)
    held = []
    page.route(
        re.compile(r"/play/tables/"),
        lambda route: route.continue_() if held else held.append(route),
    )
    page.goto("/play/")
    page.wait_for_selector("#lobby-tables.htmx-request", state="attached")
    page.locator("#filter_mode").select_option("prize5")
    with page.expect_response(re.compile("mode=prize5")):  # sent after it, whichever came first
        held[0].continue_()
    expect(page).to_have_url(re.compile(r"/play/\?.*mode=prize5"))
    assert page.problems == []


def test_free_stakes_are_worked_out_while_one_types(player):
    page = player("hilde", **ENGLISH)
    page.goto("/play/open/?mode=stake")
    page.fill("#terms_base", "0,80")
    expect(page.locator("#stake-facts")).to_contain_text("8.00 ℂ")
    page.locator("#rules-more > summary").click()
    page.uncheck("#terms_has_cube")
    expect(page.locator("#stake-facts")).to_contain_text(re.compile(r"play begins\s*2\.40"))
    expect(page.locator("#rules-more")).to_have_attribute("open", "")
    page.fill("#terms_base", "much")
    expect(page.locator("#stake-facts")).to_contain_text("Enter an amount such as 1 or 0.50.")
    assert not Table.objects.exists()
    assert page.problems == []


def test_without_scripts_everything_still_opens(player):
    page = player("hilde", **ENGLISH, java_script_enabled=False)
    page.goto("/play/open/")
    page.locator("#terms_mode").select_option("stake")
    page.get_by_role("button", name="Open table").click()
    expect(page.get_by_text("You chose another game; here are its rules.")).to_be_visible()
    assert not Table.objects.exists()
    page.fill("#terms_base", "0.80")
    page.get_by_role("button", name="Show costs and winnings").click()
    expect(page.locator("#stake-facts")).to_contain_text("8.00 ℂ")
    page.get_by_role("button", name="Open table").click()
    expect(page).to_have_url(AT_A_TABLE)
    assert Table.objects.get().stake_cents == 800


def test_one_waits_at_a_private_table_until_the_guest_comes(player, django_user_model):
    django_user_model.objects.create_user("hilde")
    host = player("magriel", **ENGLISH)
    host.goto("/play/open/?mode=prize5")
    host.check("#terms_private")
    host.get_by_role("button", name="Open table").click()
    link = host.locator("#link").input_value()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.get_by_role("button", name="Copy").click()
    expect(host.get_by_text("Link copied")).to_be_visible()
    assert host.evaluate("navigator.clipboard.readText()") == link
    host.get_by_role("link", name="To the table").click()
    expect(host.locator("#table-link")).to_have_value(link)
    guest = player("hilde", **ENGLISH, **PHONE)
    guest.goto(link)
    guest.get_by_role("button", name="Sit down for 2.50").click()
    expect(guest).to_have_url(AT_A_TABLE)
    expect(host).to_have_url(AT_A_TABLE)
    assert host.problems == guest.problems == []


def test_the_pace_stays_while_the_list_follows_and_back_leads_to_the_former(
    player, django_user_model
):
    page = player("hilde", **ENGLISH)
    page.goto("/play/")
    page.get_by_role("link", name="Fast").click()
    expect(page).to_have_url("/play/?pace=fast")
    expect(page.get_by_role("button", name="Match to 5 about 14 min")).to_be_visible()
    page.mouse.move(0, 0)
    page.locator("h1").click()
    tilo = django_user_model.objects.create_user("tilo")
    shown = table_open(user=tilo, mode="prize5", stake_cents=250)
    expect(page.locator(f'[data-table="{shown.pk}"]')).to_be_visible()
    expect(page).to_have_url("/play/?pace=fast")
    kept = "[localStorage, sessionStorage].map((store) => store.getItem('htmx-history-cache'))"
    assert page.evaluate(kept) == [None, None], "no page stays behind for the next reader"
    page.go_back()
    expect(page).to_have_url("/play/")
    expect(page.get_by_role("button", name="Match to 5 about 20 min")).to_be_visible()
    assert page.problems == []
