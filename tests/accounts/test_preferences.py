"""Preferences, stored with the account or in a cookie, and a country beside the name."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from accounts.countries import codes, countries, country_name
from accounts.models import User
from accounts.services import preferences_save
from harness.logins import logged_in
from tests.accounts.conftest import PASSWORD
from tests.conftest import magriel
from tests.services.endings import NORMAL
from tests.services.test_figures import resigned

pytestmark = pytest.mark.django_db

OF_A_VISITOR = {"theme": "kontrast", "board": "aegean", "speed": "slow"}


def theme_drawn(client: Client) -> str:
    page = client.get(reverse("rules")).content.decode()
    return page.split('data-theme="')[1].split('"')[0]


def language_drawn(client: Client) -> str:
    page = client.get(reverse("rules")).content.decode()
    return page.split('<html lang="')[1].split('"')[0]


def test_stranger_sees_the_theme_of_the_device_and_the_language_of_the_browser() -> None:
    assert theme_drawn(Client()) == "device"
    assert language_drawn(Client(headers={"accept-language": "de-AT,de;q=0.9"})) == "de"
    assert language_drawn(Client(headers={"accept-language": "fr"})) == "en"


def test_theme_of_the_device_is_drawn_by_the_server(client) -> None:
    answer = client.post(reverse("theme"), {"theme": "ahorn", "next": "/rules/"})
    assert answer.url == "/rules/"
    assert client.cookies["preferences"]["httponly"]
    assert theme_drawn(client) == "ahorn"


@pytest.mark.parametrize("theme", ["", "neon", '"><script>'])
def test_unknown_theme_changes_nothing(client, theme: str) -> None:
    client.post(reverse("theme"), {"theme": theme})
    client.cookies["theme"] = theme
    assert theme_drawn(client) == "device"


@pytest.mark.parametrize("name", ["theme", "set_language"])
@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_switch_leads_nowhere_else(client, name: str, address: str) -> None:
    answer = client.post(reverse(name), {"next": address, "theme": "ahorn", "language": "de"})
    assert answer.url == "/"


@pytest.mark.parametrize("name", ["theme", "set_language"])
def test_reading_changes_nothing(client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 405


def test_account_takes_theme_and_language_along(client, magriel) -> None:
    client.force_login(magriel)
    client.post(reverse("theme"), {"theme": "kontrast"})
    client.post(reverse("set_language"), {"language": "de"})
    elsewhere = Client(headers={"accept-language": "en"})
    elsewhere.force_login(magriel)
    assert theme_drawn(elsewhere) == "kontrast"
    assert language_drawn(elsewhere) == "de"


def test_settings_are_stored_with_the_account(client, magriel) -> None:
    client.force_login(magriel)
    chosen = {"keys": "language theme board sounds volume", "language": "de", "theme": "ahorn"}
    answer = client.post(reverse("settings"), {**chosen, "board": "salon", "volume": "30"})
    assert answer.status_code == 302
    magriel.refresh_from_db()
    assert (magriel.language, magriel.theme) == ("de", "ahorn")
    assert magriel.preferences == {"board": "salon", "sounds": False, "volume": 30}
    elsewhere = Client()
    elsewhere.force_login(magriel)
    assert 'data-board="salon"' in elsewhere.get(reverse("rules")).content.decode()


def test_settings_of_a_visitor_are_kept_in_the_browser(client) -> None:
    client.post(reverse("settings"), {"keys": "board pips", "board": "slate"})
    assert client.cookies["preferences"]["httponly"]
    assert 'data-board="slate"' in client.get(reverse("rules")).content.decode()
    client.post(reverse("settings"), {"keys": "checkers", "checkers": "jade"})
    assert 'data-board="slate"' in client.get(reverse("rules")).content.decode()


@pytest.mark.parametrize(
    "form",
    [
        {"keys": "theme language", "theme": "ahorn", "language": "fr"},
        {"keys": "theme volume", "theme": "ahorn", "volume": "101"},
        {"keys": "theme zone", "theme": "ahorn", "zone": "../../etc/passwd"},
        {"keys": "theme is_staff", "theme": "ahorn", "is_staff": "1"},
    ],
)
def test_a_value_that_is_not_offered_changes_nothing(client, magriel, form) -> None:
    client.force_login(magriel)
    answer = client.post(reverse("settings"), form, headers={"accept": "application/json"})
    assert answer.status_code == 400
    assert form["keys"].split()[1] in answer.json()["error"]
    magriel.refresh_from_db()
    assert (magriel.theme, magriel.preferences, magriel.is_staff) == ("", {}, False)


def test_a_new_account_takes_over_what_its_browser_had_chosen(client, settings) -> None:
    client.post(reverse("settings"), {"keys": "theme board speed", **OF_A_VISITOR})
    form = {"username": "barbara", "password1": PASSWORD}
    client.post(reverse("account_signup"), form)
    barbara = get_user_model().objects.get(username="barbara")
    assert barbara.theme == "kontrast"
    assert barbara.preferences == {"board": "aegean", "speed": "slow"}


def test_account_page_needs_a_login(client) -> None:
    assert client.get(reverse("account")).url.startswith(reverse("account_login"))


def test_unknown_preference_is_an_error(magriel) -> None:
    with pytest.raises(ValueError, match="neon"):
        preferences_save(magriel, theme="neon")
    magriel.refresh_from_db()
    assert magriel.theme == ""


# --- a country beside the name --------------------------------------------------------------------
__all__ = ["magriel"]

GERMAN = {"accept-language": "de"}


def test_countries_have_names_in_both_languages_and_no_others_do() -> None:
    assert country_name("AT", "de") == "Österreich"
    assert country_name("AT", "en") == "Austria"
    assert [country_name(code, "de") for code in ("EU", "ZZ", "at", "", "001", "<b>")] == [""] * 6
    assert len(codes()) > 240
    german = [name for _code, name in countries("de")]
    assert german.index("Ägypten") < german.index("Albanien")
    assert german.index("Österreich") < german.index("Polen")


def test_nobody_shows_one_until_they_choose_it(magriel: User, hilde: User) -> None:
    resigned(magriel, hilde, **NORMAL)
    pages = [reverse("player", args=["magriel"]), reverse("ranking") + "?pool=normal"]
    for page in pages:
        text = Client(headers=GERMAN).get(page).content.decode()
        assert 'data-testid="country"' not in text
        assert 'class="country"' not in text
    reader = logged_in(Client(), magriel)
    told = reader.post(reverse("settings"), {"keys": "country", "country": "AT"})
    assert told.status_code == 302
    profile, ranking = (Client(headers=GERMAN).get(page).content.decode() for page in pages)
    assert '<span data-testid="country">Österreich</span>' in profile
    assert '<abbr class="country" title="Österreich">AT</abbr>' in ranking
    assert ranking.count('class="country"') == 1
    assert '<option value="AT" selected>' in reader.get(reverse("settings")).content.decode()


def test_only_a_country_is_stored_and_only_people_are_asked(magriel: User) -> None:
    with pytest.raises(ValueError, match="country"):
        preferences_save(magriel, country="ZZ")
    assert 'name="country"' in logged_in(Client(), magriel).get("/settings/").content.decode()
    assert 'name="country"' not in Client().get("/settings/").content.decode()
