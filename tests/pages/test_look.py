"""The pages in a real browser: theme and language, menu, keyboard, and the lobby as it changes."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from games.services.tables import table_join, table_open

pytestmark = pytest.mark.slow

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
#: more entries than any menu has
MENU_STEPS_MAX = 40
#: how far the menu reaches, and how much of it lies beyond its edge
HEIGHTS = """() => {
    const panel = document.querySelector(".menu-panel");
    const bottom = panel.getBoundingClientRect().bottom;
    return { bottom, beyond: panel.scrollHeight - panel.clientHeight };
}"""
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


def test_theme_and_language_change_without_scripts(house, player):
    page = player("magriel", **DESKTOP, java_script_enabled=False)
    page.goto("/rules/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("details[data-menu] > summary").click()
    page.locator("summary", has_text="Farbschema").click()
    page.get_by_role("button", name="Hell", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "ahorn")
    page.locator("form.wide").get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page).to_have_url("/rules/")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "ahorn")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules and endings")


def test_the_menu_opens_and_closes_by_keyboard(house, player):
    page = player("magriel", **DESKTOP)
    page.goto("/")
    menu = page.locator("details[data-menu]")
    menu.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Konto")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Konto")).to_be_hidden()
    expect(menu.locator("> summary")).to_be_focused()


def test_the_menu_fits_on_the_smallest_phone_and_scrolls_inside_when_unfolded(house, player):
    page = player("magriel", **{**PHONE, "viewport": {"width": 360, "height": 640}})
    page.goto("/rules/")
    menu, panel = page.locator("details[data-menu]"), page.locator(".menu-panel")
    menu.locator("> summary").click()
    for name in ("Spielen", "Meine Matches", "Konto", "Einstellungen", "Abmelden"):
        expect(panel.get_by_text(name, exact=True)).to_be_in_viewport(ratio=1)
    assert page.evaluate(HEIGHTS)["beyond"] == 0
    for name, last in (("Farbschema", "Hoher Kontrast"), ("Sprache", "English")):
        panel.locator("summary", has_text=name).click()
        expect(panel.get_by_role("button", name=last)).to_be_in_viewport(ratio=1)
        assert page.evaluate(HEIGHTS)["bottom"] <= 640
    expect(panel.get_by_role("button", name="Hoher Kontrast")).to_be_hidden()


def test_the_whole_menu_is_reached_by_keyboard_on_a_phone_held_sideways(house, player):
    page = player("magriel", **{**PHONE, "viewport": {"width": 740, "height": 360}})
    page.goto("/rules/")
    page.locator("details[data-menu] > summary").focus()
    page.keyboard.press("Enter")
    reached = []
    while "Abmelden" not in reached and len(reached) < MENU_STEPS_MAX:
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        expect(focused).to_be_in_viewport(ratio=1)
        reached.append(" ".join(focused.inner_text().split()))
        if reached[-1].startswith("Sprache"):
            page.keyboard.press("Enter")
    assert reached[0] == "Spielen"
    assert reached[-4:-1] == ["Sprache Deutsch", "Deutsch", "English"]
    page.keyboard.press("Escape")
    expect(page.locator("details[data-menu] > summary")).to_be_focused()


def test_the_first_key_leads_past_the_header(house, player):
    page = player("magriel", **DESKTOP)
    page.goto("/wallet/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_the_header_has_room_for_a_long_name_at_every_width(player, django_user_model):
    name = "Maximiliane_Wuerfelmacht"
    django_user_model.objects.create_user(name)
    page = player(name, **DESKTOP)
    page.goto("/rules/")
    fits = "width => innerWidth === width && document.documentElement.scrollWidth === width"
    for width in (1000, 921, 920, 821, 820, 600):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(fits, arg=width, polling=50)  # styles follow the size a little later


def test_a_new_table_appears_in_an_open_lobby_by_itself(house, player):
    page = player("hilde", **DESKTOP)
    page.goto("/play/")
    table = table_open(user=house.magriel, mode="prize5", stake_cents=250)
    expect(page.locator(f"[data-table='{table.pk}']")).to_be_visible()
    assert page.problems == []


def test_the_list_holds_still_under_the_pointer_and_offers_the_news(house, player):
    page = player("hilde", **DESKTOP)
    with page.expect_response(lambda answer: "/play/tables/" in answer.url):
        page.goto("/play/")  # once it listens for news, the page reloads the list by itself
    page.locator(f"[data-table='{house.waiting.pk}']").hover()
    table = table_open(user=house.magriel, mode="prize5", stake_cents=250)
    news = page.locator("#lobby-news")
    expect(news).to_be_visible()
    expect(page.locator(f"[data-table='{table.pk}']")).to_have_count(0)
    news.dispatch_event("click")  # a real one may scroll the list from under the pointer first
    expect(page.locator(f"[data-table='{table.pk}']")).to_be_visible()
    expect(news).to_be_hidden()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_offer_of_the_news_covers_no_filter_and_moves_no_table(house, player, screen):
    page = player("hilde", **screen)
    with page.expect_response(lambda answer: "/play/tables/" in answer.url):
        page.goto("/play/")
    page.wait_for_selector("#lobby-tables:not(.htmx-request)")
    first = page.locator(f"[data-table='{house.waiting.pk}']")
    first.scroll_into_view_if_needed()
    before = first.bounding_box()
    page.evaluate("document.getElementById('lobby-news').hidden = false")
    assert first.bounding_box() == before
    news = page.locator("#lobby-news").bounding_box()
    for control in page.locator("#lobby-filters .field, #lobby-filters label, [data-table]").all():
        box = control.bounding_box()
        apart = news["y"] >= box["y"] + box["height"] or news["y"] + news["height"] <= box["y"]
        beside = news["x"] >= box["x"] + box["width"] or news["x"] + news["width"] <= box["x"]
        assert apart or beside, control.text_content()


def test_a_list_on_its_way_does_not_move_what_the_pointer_reached(house, player):
    page = player("hilde", **DESKTOP)
    held: list[Any] = []
    page.route(
        re.compile("/play/tables/"),
        lambda route: route.continue_() if held else held.append(route),
    )
    page.goto("/play/")
    page.wait_for_selector("#lobby-tables.htmx-request", state="attached")
    table = table_open(user=house.magriel, mode="prize5", stake_cents=250)
    page.locator(f"[data-table='{house.waiting.pk}']").hover()
    held[0].continue_()
    expect(page.locator("#lobby-news")).to_be_visible()
    expect(page.locator(f"[data-table='{table.pk}']")).to_have_count(0)
    page.mouse.move(5, 5)  # off the list, which is then fetched at once
    expect(page.locator(f"[data-table='{table.pk}']")).to_be_visible()


def test_the_facts_of_the_chosen_stake_are_shown(house, player):
    page = player("tilo", **PHONE)
    page.goto("/play/open/?mode=prize5")
    form = page.locator("#open-form")
    expect(form.get_by_text("4,50", exact=False)).to_be_visible()
    form.get_by_role("radio", name="5,00").check()
    expect(form.get_by_text("9,00", exact=False)).to_be_visible()


def test_two_clicks_sit_down_and_both_see_it(house, player, django_user_model):
    django_user_model.objects.create_user("jonas")
    page = player("jonas", **PHONE)
    page.goto("/play/")
    page.locator(f"#join-{house.waiting.pk}").click()
    page.get_by_role("button", name="Platz nehmen").click()
    expect(page).to_have_url(f"/table/{house.waiting.pk}/")


def test_who_comes_second_is_told_so(house, player, django_user_model):
    late = django_user_model.objects.create_user("walter")
    quick = django_user_model.objects.create_user("barbara")
    page = player(late.username, **DESKTOP)
    page.goto(f"/table/{house.waiting.pk}/join/")
    table_join(user=quick, table_id=house.waiting.pk)
    page.get_by_role("button", name="Platz nehmen").click()
    expect(page.locator("#messages")).to_contain_text("hat schon jemand anderes Platz genommen")
    expect(page).to_have_url("/play/")
