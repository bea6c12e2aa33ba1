"""The board of the house: chosen at the desk, looked at first, and below a player's own choice."""

import re
from dataclasses import asdict

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from accounts.services import preferences_save
from harness.logins import logged_in
from house.board import EXAMPLE, HouseBoard, board_style
from house.models import HouseChange
from house.parts import HousePart
from house.reader import house_now, house_refresh, house_use
from ledger.models import JournalEntry
from pasch.staff.house import check_house
from tests.desk.conftest import at_desk
from tests.desk.test_house_settings import send
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

GREEN = {
    "ground": "#1f5a3a",
    "points_light": "#d8b766",
    "points_dark": "#7c2429",
    "checkers_light": "#efe9e2",
    "checkers_dark": "#7f181e",
}
ADDRESS = "/house/board/1f5a3a-d8b766-7c2429-efe9e2-7f181e.css"
LINK = f'<link rel="stylesheet" href="{ADDRESS}">'
PAGE = "/desk/house/colours/"


def looks_of(page: str) -> tuple[str, ...]:
    """`data-board` and `data-checkers` of a page."""
    root = page.split("<html")[1].split(">")[0]
    return tuple(re.findall(r'data-(?:board|checkers)="(\w+)"', root))


def home(client: Client) -> str:
    return client.get(reverse("home")).content.decode()


def choices(client: Client, key: str) -> list[str]:
    """The values and words of a preference on the settings page, the chosen one with a star."""
    page = client.get(reverse("settings")).content.decode()
    radio = rf'name="{key}" value="(\w+)"( checked)?>.*?<span>([^<]+)</span></label>'
    found = re.findall(radio, page, re.DOTALL)
    return [f"{value}{'*' if checked else ''} {words}" for value, checked, words in found]


# --- changing -------------------------------------------------------------------------------------
def test_an_administrator_looks_at_a_board_and_then_every_page_has_it(anna: User) -> None:
    desk = at_desk(anna)
    data = {"number": "0", "reason": "our felt", **GREEN}
    page = desk.post(PAGE, {**data, "preview": "1"}).content.decode()
    assert not HouseChange.objects.exists()
    assert LINK in page
    shown = re.findall(
        r'data-theme="(\w+)".*?data-board="house" data-checkers="house">.*?<svg class="bg bg-dr'
        r'.*?aria-label="([^"]+)">(.*?)</svg>',
        page.split("</head>")[1],
        re.DOTALL,
    )
    assert [(theme, label) for theme, label, _drawn in shown] == [
        ("ahorn", "The board on light pages"),
        ("nussbaum", "The board on dark pages"),
    ]
    assert [drawn.count('href="#bg-man-') for *_said, drawn in shown] == [30, 30]
    assert "style=" not in page.split("<main")[1]
    answer = desk.post(PAGE, {**data, "save": "1"}, follow=True)
    assert "Every page shows it within seconds." in text_of(answer)
    house_refresh()
    assert HouseChange.objects.get().content == GREEN
    assert LINK in home(Client())
    assert looks_of(home(Client())) == ("house", "house")
    entry = JournalEntry.objects.get(verb="house.change")
    assert (entry.subject, entry.after) == ("house:colours", {"number": 1, **GREEN})
    assert list(check_house()) == []


def test_the_board_is_taken_back(anna: User) -> None:
    desk = at_desk(anna)
    assert "Back to Pasch's own board" not in desk.get(PAGE).content.decode()
    send(desk, "colours", **GREEN, accent_light="#0b5f8a")
    assert "Back to Pasch&#x27;s own board" in desk.get(PAGE).content.decode()
    data = {"number": "1", "reason": "no more", **GREEN, "accent_light": "#0b5f8a"}
    data["remove"] = "on"
    page = desk.post(PAGE, {**data, "preview": "1"}).content.decode()
    assert 'data-board="theme" data-checkers="ivory"' in page
    assert "default: as the theme" in page
    desk.post(PAGE, {**data, "save": "1"})
    house_refresh()
    assert HouseChange.objects.get(number=2).content == {"accent_light": "#0b5f8a"}
    assert "/house/board/" not in home(Client())
    assert "/house/0b5f8a/" in home(Client())
    assert "#1f5a3a" in text_of(desk.get(PAGE))  # the history keeps what was


def test_another_process_shows_it_without_a_restart() -> None:
    before = house_now()
    house_has(HousePart.COLOURS, **GREEN)
    house_use(before)  # a process that has read the settings earlier
    assert LINK not in home(Client())
    assert Client().get(ADDRESS).status_code == 200  # a page of another one may link it
    house_refresh()
    assert LINK in home(Client())


def test_what_could_not_be_seen_is_refused_at_its_field(anna: User) -> None:
    words = send(at_desk(anna), "colours", **{**GREEN, "checkers_dark": "#c05050"})
    assert "This is too light for dark checkers: the contrast with their rim is 4." in words
    (instead,) = re.findall(r"must be 9 or more\. (#\w{6}) would do\.", words)
    assert "Enter a colour such as" in send(
        at_desk(anna), "colours", **{**GREEN, "ground": "red;}"}
    )
    assert "all five colours or none" in send(at_desk(anna), "colours", ground="#1f5a3a")
    with translation.override("de"):
        client = at_desk(anna)
        client.post(reverse("set_language"), {"language": "de"})
        words = send(client, "colours", **{**GREEN, "ground": "#7d7d7d"})
    assert "Auf dieser Fläche wären manche Steine, Markierungen oder Pfeile nicht zu sehen" in words
    assert not HouseChange.objects.exists()
    send(at_desk(anna), "colours", **{**GREEN, "checkers_dark": instead})
    assert HouseChange.objects.get().content["checkers_dark"] == instead


def test_the_server_sets_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    values = [f"{name}={colour}" for name, colour in GREEN.items()]
    call_command("house", "colours", *values, "--reason", "our felt")
    assert re.search(r"colours +ground +#1f5a3a", capsys.readouterr().out)
    with pytest.raises(CommandError, match="board has all colours"):
        call_command("house", "colours", "ground=", "--reason", "r")
    call_command("house", "colours", *(f"{name}=" for name in GREEN), "--reason", "no more")
    assert HouseChange.objects.get(number=2).content == {}


# --- the style sheet ------------------------------------------------------------------------------
def test_the_address_has_the_style_sheet_for_ever_and_of_no_other_colours() -> None:
    answer = Client().get(ADDRESS)
    assert answer.content.decode() == board_style(HouseBoard(**GREEN))
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    sheet = answer.content.decode()
    assert "--field-1: #1f5a3a;" in sheet
    assert sheet.count('="house"]:not([data-theme="kontrast"])') == 2
    key = ADDRESS[13:-4]
    for name in ("red", "1f5a3a", key.upper(), f"{key}-000000", key.replace("7f181e", "efe9e2")):
        assert Client().get(f"/house/board/{name}.css").status_code == 404


# --- a player's own choice ------------------------------------------------------------------------
def test_a_players_own_board_and_checkers_stay_above_those_of_the_house(magriel: User) -> None:
    house_has(HousePart.COLOURS, **GREEN)
    client = logged_in(Client(), magriel)
    assert looks_of(home(client)) == ("house", "house")
    preferences_save(magriel, board="salon")
    assert looks_of(home(client)) == ("salon", "house")
    preferences_save(magriel, board="theme", checkers="ivory")
    assert looks_of(home(client)) == ("theme", "ivory")
    preferences_save(magriel, board="house", checkers="house")
    assert looks_of(home(client)) == ("house", "house")


def test_the_settings_offer_the_board_of_the_house_where_it_has_one() -> None:
    client = Client()
    assert choices(client, "board")[0] == "house* As the theme"
    assert choices(client, "checkers")[0] == "house* Ivory and ebony"
    form = {"keys": "pips board checkers", "board": "house", "checkers": "house"}
    client.post(reverse("settings"), form)
    house_has(HousePart.COLOURS, **GREEN)
    assert choices(client, "board")[:2] == ["house* Of the house", "theme As the theme"]
    assert choices(client, "checkers")[:2] == ["house* Of the house", "ivory Ivory and ebony"]
    client.post(reverse("settings"), {"keys": "board", "board": "theme"})
    assert choices(client, "board")[:2] == ["house Of the house", "theme* As the theme"]
    house_has(HousePart.COLOURS)
    assert choices(client, "board")[0] == "house* As the theme"  # these are the same again


def test_who_looks_at_a_board_sees_it_over_their_own(anna: User) -> None:
    preferences_save(anna, board="salon", checkers="jade")
    desk = at_desk(anna)
    data = {"number": "0", "reason": "r", **GREEN, "look": "nussbaum"}
    assert desk.post(PAGE, data).url == reverse("home")
    page = home(desk)
    assert looks_of(page) == ("house", "house")
    assert LINK in page
    assert LINK not in home(Client())
    desk.post(reverse("desk:house_look"), {"end": "1"})
    assert looks_of(home(desk)) == ("salon", "jade")


def test_the_example_of_the_form_can_be_chosen(anna: User) -> None:
    assert "Such as #24443b, as on walnut." in text_of(at_desk(anna).get(PAGE))
    house_has(HousePart.COLOURS, **EXAMPLE)
    board = house_now().board
    assert board is not None
    assert asdict(board) == EXAMPLE
