"""Theme and language: stored on the device, and also with the account for people who have one."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.services import preferences_save

pytestmark = pytest.mark.django_db


def theme_drawn(client: Client) -> str:
    page = client.get(reverse("rules")).content.decode()
    return page.split('data-theme="')[1].split('"')[0]


def language_drawn(client: Client) -> str:
    page = client.get(reverse("rules")).content.decode()
    return page.split('<html lang="')[1].split('"')[0]


def test_stranger_sees_walnut_and_the_language_of_the_browser() -> None:
    assert theme_drawn(Client()) == "nussbaum"
    assert language_drawn(Client(headers={"accept-language": "de-AT,de;q=0.9"})) == "de"
    assert language_drawn(Client(headers={"accept-language": "fr"})) == "en"


def test_theme_of_the_device_is_drawn_by_the_server(client) -> None:
    answer = client.post(reverse("theme"), {"theme": "ahorn", "next": "/rules/"})
    assert answer.url == "/rules/"
    assert client.cookies["theme"]["httponly"]
    assert theme_drawn(client) == "ahorn"


@pytest.mark.parametrize("theme", ["", "neon", '"><script>'])
def test_unknown_theme_changes_nothing(client, theme: str) -> None:
    client.post(reverse("theme"), {"theme": theme})
    client.cookies["theme"] = theme
    assert theme_drawn(client) == "nussbaum"


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


def test_account_page_saves(client, magriel) -> None:
    client.force_login(magriel)
    assert client.get(reverse("account")).status_code == 200
    client.post(reverse("account"), {"language": "de", "theme": "ahorn"})
    magriel.refresh_from_db()
    assert (magriel.language, magriel.theme) == ("de", "ahorn")
    assert client.cookies["theme"].value == "ahorn"


def test_account_page_refuses_what_the_house_does_not_have(client, magriel) -> None:
    client.force_login(magriel)
    answer = client.post(reverse("account"), {"language": "fr", "theme": "ahorn", "is_staff": "1"})
    magriel.refresh_from_db()
    assert answer.status_code == 200
    assert set(answer.context["form"].errors) == {"language"}
    assert (magriel.theme, magriel.is_staff) == ("", False)


def test_account_page_needs_a_login(client) -> None:
    assert client.get(reverse("account")).url.startswith(reverse("account_login"))


def test_unknown_preference_is_an_error(magriel) -> None:
    with pytest.raises(ValueError, match="neon"):
        preferences_save(magriel, theme="neon")
    magriel.refresh_from_db()
    assert magriel.theme == ""
