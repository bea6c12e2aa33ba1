"""A house with a name, a sign and a word of its own shows them everywhere, and no other."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from house.parts import HousePart
from tests.desk.conftest import PASSWORD
from tests.house_settings import house_has

pytestmark = pytest.mark.django_db

NAME = "Tric Trac"
#: the only sentences with the name of the software
ABOUT_THE_SOFTWARE = re.compile(
    r"Pasch is open-source software under the Apache licence 2\.0\."
    r"|Pasch ist freie Software unter der Apache-Lizenz 2\.0\."
    r"|This site runs Pasch, open-source software|läuft mit Pasch, freier Software"
)
VISITED = ("home", "ranking", "imprint", "privacy", "contact", "account_login", "rules", "terms")
OWN = ("lobby", "wallet", "wallet_limits", "account", "settings", "archive", "mfa_index", "learn")
#: pages about games, where the German word for a roll of doubles stands
ABOUT_DOUBLES = {"rules", "terms", "learn", "home"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_has_the_names_of_the_house(language: str) -> None:
    house_has(HousePart.NAME, name=NAME)
    house_has(HousePart.CURRENCY, sign="Pt", word_en="points", word_de="Punkte")
    visitor, player = Client(), logged_in(Client(), User.objects.create_user("hilde"))
    for client, names in ((visitor, VISITED), (player, OWN)):
        client.cookies["django_language"] = language
        for name in names:
            answer = client.get(reverse(name))
            page = answer.content.decode()
            assert answer.status_code == 200, name
            assert re.search(rf"<title>[^<]* · {NAME}</title>", page), name
            assert f'<meta property="og:site_name" content="{NAME}">' in page
            text = ABOUT_THE_SOFTWARE.sub("", page)
            assert "Pasch" not in text or (name in ABOUT_DOUBLES and language == "de"), (
                name,
                text[text.find("Pasch") - 80 :][:160],
            )
            assert "ℂ" not in page, name
            assert not re.search(r"(?<![\w(])[Cc]redits\b(?!=)", _words(text)), name


def _words(page: str) -> str:
    """The texts of a page, without its tags."""
    return re.sub(r"<[^>]*>", " ", page)


def test_errors_manifest_and_the_offline_page_have_the_name() -> None:
    house_has(HousePart.NAME, name=NAME)
    manifest = json.loads(Client().get(reverse("manifest")).content)
    assert (manifest["name"], manifest["short_name"]) == (NAME, NAME)
    for address in (reverse("offline"), "/nothing-here/"):
        page = Client().get(address).content.decode()
        assert NAME in page
        assert "Pasch" not in page


def test_mails_and_authenticators_have_the_name() -> None:
    house_has(HousePart.NAME, name=NAME)
    user = User.objects.create_user("hilde", "hilde@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Client().post(reverse("account_reset_password"), {"email": user.email})
    (sent,) = mail.outbox
    assert sent.subject.startswith(f"[{NAME}] ")
    assert "Pasch" not in sent.subject + str(sent.body)
    assert "issuer=Tric%20Trac" in get_adapter().build_totp_url(user, "SECRET")


def test_scripts_write_amounts_with_the_sign_of_the_house(player) -> None:
    house_has(HousePart.CURRENCY, sign="Pt")
    page = player(None)
    page.goto("/")
    written = page.evaluate(
        """async () => {
            const { amounts, money } = await import("/static/js/table/text.js");
            return [money(-250), amounts([90, 180], " / ")];
        }"""
    )
    assert written == ["−2,50 Pt", "+0,90 / +1,80 Pt"]
