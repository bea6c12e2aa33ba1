"""The papers, the name and the sign of a house: the facts of its operator, everywhere."""

import json
import re
from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from django.core import checks, mail
from django.core.exceptions import ImproperlyConfigured
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from house.parts import HousePart
from pasch.checks import check_operator
from pasch.operator import FACTS, Operator, operator_from_environment
from pasch.pages.papers import PAPERS
from tests.desk.conftest import PASSWORD
from tests.house_settings import house_has

pytestmark = pytest.mark.django_db


FULL = {fact.field: f"the {fact.field}" for fact in FACTS} | {"log_days": "14"}
LANGUAGES = {"en": "not stated yet", "de": "noch nicht angegeben"}


@pytest.fixture
def operator(settings):
    """An operator who has stated everything."""
    settings.OPERATOR = Operator(house="Tric Trac", minimum_age=21, **FULL)
    return settings.OPERATOR


def page(name: str, language: str = "en") -> str:
    client = Client(headers={"accept-language": language})
    return client.get(reverse(name)).content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name.replace("-", "_") for name in PAPERS])
def test_each_paper_has_no_gap_once_the_operator_has_stated_everything(
    db, operator, name, language
):
    shown = page(name, language)
    assert f'<html lang="{language}"' in shown
    assert "Tric Trac</title>" in shown
    assert LANGUAGES[language] not in shown


@pytest.mark.parametrize("name", ["home", "lobby", "account_login"])
def test_every_page_links_to_the_papers(db, name):
    shown = page(name)
    for paper in PAPERS:
        assert f'href="/{paper}/"' in shown


def test_the_imprint_lists_what_is_stated_and_marks_what_is_not(db, settings, operator):
    settings.OPERATOR = replace(operator, address="Ring 1|12345 Town", vat_id=None, phone="")
    shown = page("imprint")
    assert "Ring 1<br>12345 Town" in shown
    assert "the register" in shown
    assert shown.count("not stated yet") == 1
    assert "Telephone" not in shown


def test_the_age_stands_wherever_it_matters(db, operator):
    assert "at least 21 years old" in page("minimum_age")
    assert "at least 21 years old" in page("terms")
    assert "at least 21 years old" in page("account_signup")


def test_sign_up_warns_that_a_password_needs_an_address_to_be_reset(db):
    assert "can’t reset a forgotten password" in page("account_signup")


def test_the_page_for_a_forgotten_password_names_the_contact(db, operator):
    assert 'href="mailto:the mail"' in page("account_reset_password")


def test_privacy_states_the_times_the_code_keeps(db, operator):
    shown = page("privacy")
    assert "or 14 days after it was last renewed" in shown
    assert "90 days, or until the account is deleted; reported messages" in shown
    assert "24 hours after the last game" in shown


def test_an_error_of_the_house_names_the_contact(operator):
    assert "mailto:the mail" in render_to_string("500.html")


# --- the environment ------------------------------------------------------------------------------
def test_the_environment_fills_the_facts(monkeypatch):
    for fact in FACTS:
        monkeypatch.setenv(fact.variable, "-")
    monkeypatch.setenv("OPERATOR_NAME", "Backgammon e. V.")
    monkeypatch.setenv("LOG_DAYS", "30")
    monkeypatch.setenv("HOSTING", "")
    found = operator_from_environment()
    assert (found.name, found.log_days, found.phone) == ("Backgammon e. V.", "30", "")
    assert found.missing_variables == "HOSTING"


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("MINIMUM_AGE", "adult"),
        ("LOG_DAYS", "some"),
        ("HELPLINE_URL", "javascript:alert(1)"),
        ("HOUSE_NAME", "x" * 31),
        ("OPERATOR_NAME", "x" * 501),
    ],
)
def test_a_fact_that_cannot_be_shown_stops_the_start(monkeypatch, variable, text):
    monkeypatch.setenv(variable, text)
    with pytest.raises(ImproperlyConfigured, match=variable):
        operator_from_environment()


def test_the_check_names_what_is_empty(settings, operator):
    assert check_operator() == []
    settings.OPERATOR = replace(operator, mail=None, helpline=None)
    (found,) = check_operator()
    assert isinstance(found, checks.Warning)
    assert "OPERATOR_MAIL, HELPLINE." in found.msg


def test_the_desk_lists_what_is_empty_for_administrators(db, settings, operator, django_user_model):
    anna = django_user_model.objects.create_superuser("anna")
    reader = logged_in(Client(headers={"accept-language": "en"}), anna)
    assert "operator-gaps" not in reader.get(reverse("desk:overview")).content.decode()
    settings.OPERATOR = replace(operator, mail=None)
    shown = reader.get(reverse("desk:overview")).content.decode()
    assert "OPERATOR_MAIL" in shown.split('data-testid="operator-gaps"')[1][:400]


# --- the name of the house ------------------------------------------------------------------------
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
