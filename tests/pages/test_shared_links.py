"""A link in a messenger has a title, a text and a picture; search engines find what is public."""

import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from analysis.training.house_set import set_store
from backgammon.rules.variants import KEYS, by_key
from games.pages.board_pictures import board_address
from games.services.tables import table_open

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_the_set() -> None:
    """Tests over real connections may have emptied the database before."""
    set_store(using="default")


def shared(path: str, client: Client | None = None) -> dict[str, str]:
    """Return the properties that a messenger reads from a page."""
    text = (client or Client()).get(path, headers={"host": "testserver"}).content.decode()
    found = re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', text)
    return {name: unescape(content) for name, content in found}


def picture_of(address: str) -> Image.Image:
    answer = Client().get(address)
    assert answer.status_code == 200, address
    assert "immutable" in answer["Cache-Control"]
    return Image.open(BytesIO(answer.content))


@pytest.mark.parametrize(
    "path", ["/", "/rules/", "/rules/plakoto/", "/exercises/today/", "/analysis/", "/ranking/"]
)
def test_every_page_says_what_a_messenger_shows(path: str) -> None:
    said = shared(path)
    text = Client().get(path).content.decode()
    title = re.search(r"<title>(.*) · [^·]*</title>", text)
    assert title
    assert said["title"] == unescape(title[1])
    description = re.search(r'<meta name="description" content="([^"]*)"', text)
    assert description
    assert said["description"] == unescape(description[1])
    assert said["url"] == f"http://testserver{path}"
    assert f'<link rel="canonical" href="http://testserver{path}">' in text
    assert picture_of(said["image"]).size == (1200, 630)


def test_a_page_about_a_position_shows_it() -> None:
    position = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8"
    there = shared(f"/analysis/?xgid={position}")["image"]
    assert there != shared("/analysis/")["image"]
    assert "dice=63" in there
    assert 'rel="canonical"' not in Client().get(f"/analysis/?xgid={position}").content.decode()
    assert shared("/exercises/today/")["image"] != shared("/")["image"]
    picture_of(there)


def test_an_invitation_names_who_invites() -> None:
    hilde = User.objects.create_user("hilde")
    table = table_open(user=hilde, mode="match", target_points=5)
    said = shared(reverse("table_join", args=[table.pk]))
    assert said["title"] == "hilde invites you to a game of backgammon"
    assert "12 s" in said["description"]


@pytest.mark.parametrize("variant", KEYS)
def test_every_game_has_a_picture_of_its_start(variant: str) -> None:
    start = by_key(variant).start
    assert picture_of(board_address(start, variant)).size == (1200, 630)
    assert picture_of(board_address(None, variant)).size == (1200, 630)


@pytest.mark.parametrize(
    "query",
    [
        "position=1+2+3",
        "position=" + "+".join(["15"] * 24),
        "variant=chess",
        "dice=70",
        "dice=66666",
        "dice=x",
        "cube=3",
        "cube=two",
        "owner=us",
        "position=" + "9" * 1000,
    ],
)
def test_what_is_no_position_has_no_picture(query: str) -> None:
    assert Client().get(f"/board.jpg?{query}").status_code == 404


def test_search_engines_find_what_is_public_and_nothing_else() -> None:
    robots = Client().get("/robots.txt").content.decode()
    assert "Disallow: /desk/" in robots
    assert "Sitemap: http://testserver/sitemap.xml" in robots
    tree = ElementTree.fromstring(Client().get("/sitemap.xml").content)
    found = [each.text or "" for each in tree.findall("{*}url/{*}loc")]
    assert "http://testserver/rules/fevga/" in found
    refused = re.findall(r"Disallow: (\S+)", robots)
    for address in found:
        path = address.removeprefix("http://testserver")
        assert not path.startswith(tuple(refused))
        assert Client().get(path).status_code == 200, path
