"""Errors in the house's own dress: status, language, what to do next, without scripts."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.pages.test_pages import INLINE

LANGUAGES = {"en": "Home", "de": "Startseite"}


@pytest.fixture(params=LANGUAGES)
def reader(request, db) -> Client:
    """A visitor whose forms need their token; `language` is the one the browser asks for."""
    client = Client(enforce_csrf_checks=True, headers={"accept-language": request.param})
    client.language = request.param
    return client


def is_of_the_house(response, reader: Client, status: int) -> str:
    """The page, after a look at what all error pages have."""
    page = response.content.decode()
    assert response.status_code == status
    assert f'<html lang="{reader.language}" data-theme="device">' in page
    assert f">{status}<" in page
    assert f'href="/">{LANGUAGES[reader.language]}</a>' in page
    title = re.search(r"<title>(.+) · Pasch</title>", page)
    assert title
    assert f"<h1>{title[1]}</h1>" in page
    assert re.search(r'<meta name="description" content=".+">', page)
    assert not INLINE.findall(page)
    assert "<script" not in page
    return page


def test_without_cookies_a_form_is_answered_with_how_to_allow_them(reader):
    login = reverse("account_login")
    before = f"http://testserver{login}?next=/play/"
    response = reader.post(login, {"login": "x"}, headers={"referer": before})
    page = is_of_the_house(response, reader, 403)
    assert {"en": "Cookies are turned off", "de": "Cookies sind ausgeschaltet"}[
        reader.language
    ] in page
    assert f'href="{login}?next=/play/"' in page
    assert "no-store" in response["cache-control"]


def test_a_form_out_of_date_leads_back_to_its_page_and_nowhere_else(reader):
    reader.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    elsewhere = {"referer": "http://elsewhere.example/trap/"}
    response = reader.post(reverse("account_login"), {"login": "x"}, headers=elsewhere)
    page = is_of_the_house(response, reader, 403)
    assert {"en": "This form is out of date", "de": "Dieses Formular ist veraltet"}[
        reader.language
    ] in page
    assert "elsewhere.example" not in page
    assert "/trap/" not in page


def test_a_page_that_does_not_exist(reader):
    page = is_of_the_house(reader.get("/no/such/page/"), reader, 404)
    assert 'href="/play/"' in page


def test_a_page_of_others(reader, django_user_model):
    reader.force_login(django_user_model.objects.create_user("hilde"))
    is_of_the_house(reader.get(reverse("desk:overview")), reader, 403)


def test_a_form_that_is_too_large(reader):
    reader.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    body = "login=" + "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    kind = "application/x-www-form-urlencoded"
    response = reader.post(reverse("account_login"), body, content_type=kind)
    is_of_the_house(response, reader, 413)


def test_a_request_that_makes_no_sense(reader):
    response = reader.get("/", headers={"host": "not a host"})
    is_of_the_house(response, reader, 400)


def test_too_many_requests(reader):
    reset = reverse("account_reset_password")
    reader.handler.enforce_csrf_checks = False
    for _ in range(20):
        reader.post(reset, {"email": "nobody@example.org"})
    is_of_the_house(reader.post(reset, {"email": "nobody@example.org"}), reader, 429)


def test_a_fault_of_the_house(reader, monkeypatch):
    def breaks(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("pasch.pages.front_door.free_games", breaks)
    reader.raise_request_exception = False
    page = is_of_the_house(reader.get("/"), reader, 500)
    assert 'href="">' in page
