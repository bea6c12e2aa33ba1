"""Colours of the house: readable ones only, and a look at them before they are saved."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from house.colours import ACCENTS, GROUNDS, INKS, LEAST, contrast, lowest, pale, style
from house.models import HouseChange
from house.parts import HousePart
from pasch.web.house_look import COOKIE
from tests.architecture.sources import ROOT
from tests.desk.conftest import at_desk
from tests.desk.test_house_settings import send
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

BLUE = {"accent_light": "#0b5f8a", "accent_dark": "#6cc6f5"}
ADDRESS = "/house/0b5f8a/6cc6f5/colours.css"


def pressed(anna: User, part: str, theme: str, **values: str) -> Client:
    """The browser of an administrator who looks at these values in this theme."""
    desk = at_desk(anna)
    data = {"number": "0", "reason": "r", **values, "look": theme}
    assert desk.post(reverse("desk:house_part", args=[part]), data).url == reverse("home")
    return desk


# --- contrast -------------------------------------------------------------------------------------
def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_the_colours_here_are_those_of_the_style_sheet() -> None:
    sheet = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}), #\w{6}\);", sheet))
    darks = dict(re.findall(r"--([\w-]+): light-dark\(#\w{6}, (#\w{6})\);", sheet))
    names = ("bg", "bg-2", "panel", "panel-2")
    assert {"light": tuple(map(pairs.get, names)), "dark": tuple(map(darks.get, names))} == GROUNDS
    assert {"light": pairs["accent"], "dark": darks["accent"]} == ACCENTS
    assert (pairs["accent-ink"], darks["accent-ink"]) == INKS


def test_the_usual_accents_can_be_read() -> None:
    assert pale(ACCENTS["light"], "light") is None
    assert pale(ACCENTS["dark"], "dark") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colour", ["#ffd84a", "#888888", "#2244cc", "#ff0000", "#000000"])
def test_a_suggestion_can_be_read_where_the_colour_cannot(colour, scheme) -> None:
    found = pale(colour, scheme)
    if found is None:
        assert lowest(colour, scheme) >= LEAST
    else:
        assert found.ratio < LEAST <= lowest(found.instead, scheme)


def test_a_pale_colour_is_refused_with_its_ratio_and_a_better_one(anna: User) -> None:
    words = send(at_desk(anna), "colours", accent_light="#FFD84A", accent_dark="#6cc6f5")
    found = pale("#ffd84a", "light")
    assert found is not None
    assert (
        f"the contrast is {found.ratio} and must be 4.5 or more. {found.instead} would do" in words
    )
    assert "Enter a colour such as #8a4b12." in send(at_desk(anna), "colours", accent_dark="red;}")
    assert not HouseChange.objects.exists()


# --- the style sheet ------------------------------------------------------------------------------
def test_every_page_links_the_style_sheet_of_the_house_and_keeps_it_for_ever() -> None:
    assert "colours.css" not in Client().get(reverse("home")).content.decode()
    house_has(HousePart.COLOURS, **BLUE)
    for page in (reverse("home"), "/nothing-here/"):
        assert f'href="{ADDRESS}"' in Client().get(page).content.decode()
    answer = Client().get(ADDRESS)
    assert answer.content.decode() == style(*BLUE.values())
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    assert ADDRESS in Client().get(reverse("worker")).content.decode()


@pytest.mark.parametrize("name", ["ffd84a/6cc6f5", "0b5f8a/222222", "0b5f8a/red", "0b5f8a/6CC6F5"])
def test_no_other_colours_have_a_style_sheet(name: str) -> None:
    assert Client().get(f"/house/{name}/colours.css").status_code == 404


# --- looking --------------------------------------------------------------------------------------
def test_a_look_shows_it_to_the_administrator_alone(anna: User) -> None:
    desk = pressed(anna, "name", "ahorn", name="Tric Trac")
    page = desk.get(reverse("home")).content.decode()
    assert "Tric Trac</title>" in page
    assert 'data-theme="ahorn"' in page
    assert "Preview: only you see this" in page
    assert "Tric Trac" not in Client().get(reverse("home")).content.decode()
    assert not HouseChange.objects.exists()
    desk = pressed(anna, "colours", "nussbaum", **BLUE)
    page = desk.get(reverse("lobby")).content.decode()
    assert ADDRESS in page
    assert 'data-theme="nussbaum"' in page


def test_a_look_changes_its_theme_and_ends(anna: User) -> None:
    desk = pressed(anna, "colours", "ahorn", **BLUE)
    said = {"theme": "nussbaum", "next": reverse("lobby")}
    assert desk.post(reverse("desk:house_look"), said).url == reverse("lobby")
    assert 'data-theme="nussbaum"' in desk.get(reverse("lobby")).content.decode()
    answer = desk.post(reverse("desk:house_look"), {"end": "1"})
    assert answer.url == reverse("desk:house_part", args=["colours"])
    assert ADDRESS not in desk.get(reverse("home")).content.decode()


def test_a_look_is_no_one_elses_and_does_not_last(anna: User, bert: User, monkeypatch) -> None:
    cookie = pressed(anna, "colours", "ahorn", **BLUE).cookies[COOKIE].value
    for other in (Client(), at_desk(bert)):
        other.cookies[COOKIE] = cookie
        assert ADDRESS not in other.get(reverse("home")).content.decode()
    forged = at_desk(anna)
    forged.cookies[COOKIE] = cookie[:-1] + ("A" if cookie[-1] != "A" else "B")
    assert ADDRESS not in forged.get(reverse("home")).content.decode()
    late = at_desk(anna)
    late.cookies[COOKIE] = cookie
    assert ADDRESS in late.get(reverse("home")).content.decode()
    monkeypatch.setattr("pasch.web.house_look.SECONDS", -1)  # ten minutes have passed
    assert ADDRESS not in late.get(reverse("home")).content.decode()


def test_what_decides_about_credits_has_no_look(anna: User) -> None:
    page = text_of(at_desk(anna).get(reverse("desk:house_part", args=["limits"])))
    assert "Look at it" not in page
    desk = at_desk(anna)
    data = {"number": "0", "reason": "r", "minimum_age": "1", "look": "ahorn"}
    desk.post(reverse("desk:house_part", args=["limits"]), data)
    assert COOKIE not in desk.cookies
