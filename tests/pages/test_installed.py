"""The house on a home screen: manifest, pictures, and the page without a network."""

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
from pasch.pages.installed import ICONS
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
