"""A country beside the name: chosen or not, in the reader's language, on the pages of ratings."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.countries import codes, countries, country_name
from accounts.models import User
from accounts.services import preferences_save
from harness.logins import logged_in
from tests.conftest import magriel
from tests.services.endings import NORMAL
from tests.services.test_figures import resigned

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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db
def test_only_a_country_is_stored_and_only_people_are_asked(magriel: User) -> None:
    with pytest.raises(ValueError, match="country"):
        preferences_save(magriel, country="ZZ")
    assert 'name="country"' in logged_in(Client(), magriel).get("/settings/").content.decode()
    assert 'name="country"' not in Client().get("/settings/").content.decode()
