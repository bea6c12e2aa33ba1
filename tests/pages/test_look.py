"""The pages in a real browser: theme, language, menu, keyboard, lobby, and on a home screen."""

import base64
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from accounts.reader_preferences import THEME_COLOURS
from games.pages import lobby
from games.services.tables import table_join, table_open
from pasch.pages.installed import ICONS
from tests.axe import violations

pytestmark = pytest.mark.django_db


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_first_key_leads_past_the_header(house, player):
    page = player("magriel", **DESKTOP)
    page.goto("/wallet/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


@pytest.mark.slow
def test_the_header_has_room_for_a_long_name_at_every_width(player, django_user_model):
    name = "Maximiliane_Wuerfelmacht"
    django_user_model.objects.create_user(name)
    page = player(name, **DESKTOP)
    page.goto("/rules/")
    fits = "width => innerWidth === width && document.documentElement.scrollWidth === width"
    for width in (1000, 921, 920, 821, 820, 600):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(fits, arg=width, polling=50)  # styles follow the size a little later


@pytest.mark.slow
def test_a_new_table_appears_in_an_open_lobby_by_itself(house, player):
    page = player("hilde", **DESKTOP)
    page.goto("/play/")
    table = table_open(user=house.magriel, mode="prize5", stake_cents=250)
    expect(page.locator(f"[data-table='{table.pk}']")).to_be_visible()
    assert page.problems == []


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_offer_of_the_news_covers_no_filter_and_moves_no_table(
    house, player, screen, monkeypatch
):
    monkeypatch.setattr(lobby, "FILTERED_FROM", 0)
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_facts_of_the_chosen_stake_are_shown(house, player):
    page = player("tilo", **PHONE)
    page.goto("/play/open/?mode=prize5")
    form = page.locator("#open-form")
    expect(form.get_by_text("4,50", exact=False)).to_be_visible()
    form.get_by_role("radio", name="5,00").check()
    expect(form.get_by_text("9,00", exact=False)).to_be_visible()


@pytest.mark.slow
def test_two_clicks_sit_down_and_both_see_it(house, player, django_user_model):
    django_user_model.objects.create_user("jonas")
    page = player("jonas", **PHONE)
    page.goto("/play/")
    page.locator(f"#join-{house.waiting.pk}").click()
    page.get_by_role("button", name="Platz nehmen").click()
    expect(page).to_have_url(f"/table/{house.waiting.pk}/")


@pytest.mark.slow
def test_who_comes_second_is_told_so(house, player, django_user_model):
    late = django_user_model.objects.create_user("walter")
    quick = django_user_model.objects.create_user("barbara")
    page = player(late.username, **DESKTOP)
    page.goto(f"/table/{house.waiting.pk}/join/")
    table_join(user=quick, table_id=house.waiting.pk)
    page.get_by_role("button", name="Platz nehmen").click()
    expect(page.locator("#messages")).to_contain_text("hat schon jemand anderes Platz genommen")
    expect(page).to_have_url("/play/")


# --- on a home screen -----------------------------------------------------------------------------
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def found(url: str) -> Path:
    """The file behind an address of a static file."""
    path = finders.find(url.removeprefix(settings.STATIC_URL))
    assert isinstance(path, str), url
    return Path(path)


def size_of(png: Path) -> str:
    data = png.read_bytes()
    assert data.startswith(SIGNATURE)
    return "{}x{}".format(*struct.unpack(">II", data[16:24]))


def test_a_phone_finds_everything_that_the_manifest_names() -> None:
    told = Client().get(reverse("manifest")).json()
    assert (told["name"], told["display"], told["scope"]) == ("Pasch", "standalone", "/")
    assert told["start_url"] == "/"
    for address in (told["start_url"], *(each["url"] for each in told["shortcuts"])):
        assert Client().get(address).status_code == 200
    pictures = [icon for icon in told["icons"] if icon["type"] == "image/png"]
    assert [size_of(found(icon["src"])) for icon in pictures] == [i["sizes"] for i in pictures]
    assert {(icon["sizes"], icon["purpose"]) for icon in pictures} >= {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }


@pytest.mark.parametrize(
    ("language", "word"), [("de", "live und um Credits"), ("en", "for credits")]
)
def test_the_manifest_speaks_the_readers_language(language: str, word: str) -> None:
    told = Client(headers={"accept-language": language}).get(reverse("manifest")).json()
    assert told["lang"] == language
    assert word in told["description"]


#: the mean difference of a byte between the sign as the browser draws it and the file, and its PNG
COMPARED = """async ([sign, picture, size]) => {
  const drawn = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {width: size, height: size});
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, size, size);
    return [context.getImageData(0, 0, size, size).data, canvas.toDataURL()];
  };
  const [[one, png], [other]] = [await drawn(sign), await drawn(picture)];
  const apart = one.map((byte, index) => Math.abs(byte - other[index]));
  return [apart.reduce((sum, each) => sum + each, 0) / apart.length, png];
}"""
#: of a byte; smoothing differs between browsers, another shape or colour differs by far more
DIFFERENCE_MAX = 0.5


def sign(*, fills: bool) -> str:
    """The sign of the house as SVG; one that fills its square stays inside of masks."""
    text = (settings.ROOT / "static" / "favicon.svg").read_text()
    if fills:
        turn = "translate(16 16) scale(.72) translate(-16 -16)"
        text = text.replace("<path", f'<path transform="{turn}"').replace(' rx="7"', "")
    return text.replace("<svg ", '<svg width="32" height="32" ')


def test_the_pictures_show_the_sign(player: Callable[..., Any]) -> None:
    """PASCH_WRITE_ICONS=1 draws them again, after a change of the sign."""
    page = player(None)
    page.goto("/rules/")
    for name, size, purpose in (*ICONS, ("pasch-touch-180.png", 180, "maskable")):
        text = base64.b64encode(sign(fills=purpose == "maskable").encode()).decode()
        file = settings.ROOT / "static" / "icons" / name
        picture = base64.b64encode(file.read_bytes()).decode()
        addresses = [f"data:image/svg+xml;base64,{text}", f"data:image/png;base64,{picture}"]
        difference, drawn = page.evaluate(COMPARED, [*addresses, size])
        if os.environ.get("PASCH_WRITE_ICONS"):
            file.write_bytes(base64.b64decode(drawn.partition(",")[2]))
        else:
            assert difference < DIFFERENCE_MAX, name


@pytest.mark.parametrize("theme", list(THEME_COLOURS))
def test_the_browsers_frame_has_the_colour_of_the_page(theme: str) -> None:
    client = Client()
    client.cookies["preferences"] = f"theme={theme}"
    page = client.get(reverse("rules")).content.decode()
    assert f'<meta name="theme-color" content="{THEME_COLOURS[theme]}">' in page
    tokens = found("/static/css/tokens.css").read_text()
    pair = re.search(r"--bg: light-dark\((#\w+), (#\w+)\);", tokens)
    contrast = re.search(r"--bg: (#\w+);", tokens)
    assert pair
    assert contrast
    colours = {"ahorn": pair[1], "nussbaum": pair[2], "kontrast": contrast[1]}
    assert colours[theme].ljust(7, colours[theme][-1]) == THEME_COLOURS[theme]


def test_the_worker_keeps_one_page_and_its_styles_and_nothing_else() -> None:
    response = Client().get(reverse("worker"))
    assert response["Content-Type"] == "text/javascript"
    assert response["Cache-Control"] == "no-cache"
    kept = re.search(r"const KEPT = \[(.*?)\];", response.content.decode())
    assert kept
    addresses = re.findall(r'"(.*?)"', kept[1].replace("\\u002D", "-"))
    pages = [address for address in addresses if not address.startswith(settings.STATIC_URL)]
    assert pages == [reverse("offline")]


def test_the_offline_page_is_the_same_for_everybody(django_user_model: Any) -> None:
    reader = Client()
    reader.force_login(django_user_model.objects.create_user("hilde"))
    page = reader.get(reverse("offline")).content
    assert page == Client().get(reverse("offline")).content
    assert "Es gibt keine Verbindung" in page.decode()
    assert "There is no connection" in page.decode()


NAMES_KEPT = """caches.keys().then(async ([name]) => {
  const kept = await (await caches.open(name)).keys();
  return kept.map((request) => new URL(request.url).pathname);
})"""
LET_IN = """import('/static/js/notify.js').then(({register}) => new Promise((done, fail) => {
  navigator.serviceWorker.addEventListener('controllerchange', () => done());
  setTimeout(() => fail(new Error('the worker did not take over')), 60_000);
  void register();
}))"""
SEND_AWAY = """navigator.serviceWorker.getRegistrations().then((all) =>
  Promise.all(all.map((each) => each.unregister())))"""


@pytest.mark.slow
def test_a_lost_network_shows_our_page_once_the_worker_is_there(
    player: Callable[..., Any],
) -> None:
    page = player(None, viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    page.goto("/offline/")
    assert violations(page) == []
    page.goto("/rules/")
    page.evaluate(LET_IN)
    try:
        page.context.set_offline(True)
        page.goto("/wallet/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Es gibt keine Verbindung")
        expect(page.locator("html")).to_have_css("color-scheme", "light dark")
        kept = page.evaluate(NAMES_KEPT)
        assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]
        page.context.set_offline(False)
        page.get_by_role("link", name="Noch einmal versuchen").click()
        expect(page).to_have_url("/")
    finally:
        page.context.set_offline(False)
        page.evaluate(SEND_AWAY)
