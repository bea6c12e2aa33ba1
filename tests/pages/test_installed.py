"""The house on a home screen: manifest, pictures, and the page without a network."""

import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from accounts.context import THEME_COLOURS
from pasch.assets.icons import ICONS, pixels
from tests.axe import violations

pytestmark = pytest.mark.django_db

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
    assert Client().get(told["start_url"]).status_code == 200
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


def test_the_pictures_are_those_that_the_command_draws() -> None:
    for icon in ICONS:
        if icon.size > 200:
            continue  # the same arithmetic, and four seconds of it
        data = (settings.ROOT / "static" / "icons" / icon.name).read_bytes()
        raw = zlib.decompress(data[data.index(b"IDAT") + 4 : -16])
        assert raw == b"".join(b"\0" + row for row in pixels(icon)), icon.name


@pytest.mark.parametrize("theme", list(THEME_COLOURS))
def test_the_browsers_frame_has_the_colour_of_the_page(theme: str) -> None:
    client = Client()
    client.cookies["theme"] = theme
    page = client.get(reverse("rules")).content.decode()
    assert f'<meta name="theme-color" content="{THEME_COLOURS[theme]}">' in page
    tokens = found("/static/css/tokens.css").read_text()
    block = tokens[tokens.index(f'[data-theme="{theme}"] {{') :]
    colour = re.search(r"--bg: (#\w+);", block)
    assert colour
    assert colour[1].ljust(7, colour[1][-1]) == THEME_COLOURS[theme]


def test_the_worker_keeps_one_page_and_its_styles_and_nothing_else() -> None:
    response = Client().get(reverse("worker"))
    assert response["Content-Type"] == "text/javascript"
    assert response["Cache-Control"] == "no-cache"
    kept = re.search(r"const KEPT = \[(.*?)\];", response.content.decode())
    assert kept
    addresses = re.findall(r'"(.*?)"', kept[1].replace("\\u002D", "-"))
    pages = [address for address in addresses if not address.startswith(settings.STATIC_URL)]
    assert pages == [reverse("offline")]


def test_the_page_without_a_network_knows_nobody(django_user_model: Any) -> None:
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
        expect(page.locator("html")).to_have_css("color-scheme", "dark")
        kept = page.evaluate(NAMES_KEPT)
        assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]
        page.context.set_offline(False)
        page.get_by_role("link", name="Noch einmal versuchen").click()
        expect(page).to_have_url("/")
    finally:
        page.context.set_offline(False)
        page.evaluate(SEND_AWAY)
