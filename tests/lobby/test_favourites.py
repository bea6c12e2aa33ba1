"""Saved settings: as many as allowed, one of a name, and always at the prices of today."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Favourite, Table
from games.selectors import favourites_of, table_state
from games.services.favourites import (
    FAVOURITES_MAX,
    BadFavouriteName,
    FavouriteNameTaken,
    FavouritesTooMany,
    NoSuchFavourite,
    favourite_delete,
    favourite_rename,
    favourite_save,
)
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import BadTerms
from harness.prices import house_prices
from harness.sitting import Sitting
from tests.lobby.test_pairing import logged_in

pytestmark = pytest.mark.django_db(transaction=True)

FREE = {"mode": "normal"}


def names(user: User) -> list[str]:
    return [favourite.name for favourite in favourites_of(user.pk)]


def test_what_was_saved_is_kept_in_its_order(hilde, magriel):
    favourite_save(user=hilde, name="  five \n points ", mode="prize5", stake_cents=500)
    favourite_save(user=hilde, name="free", **FREE)
    favourite_save(user=magriel, name="free", **FREE)
    assert names(hilde) == ["five points", "free"]
    assert favourites_of(hilde.pk)[0].wishes == {"mode": "prize5", "stake_cents": 500}


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\x00b", "a\u202eb"])
def test_a_name_that_cannot_be_read_is_refused(hilde, name):
    kept = favourite_save(user=hilde, name="free", **FREE)
    with pytest.raises(BadFavouriteName):
        favourite_save(user=hilde, name=name, **FREE)
    with pytest.raises(BadFavouriteName):
        favourite_rename(user=hilde, favourite_id=kept.pk, name=name)
    assert names(hilde) == ["free"]


def test_what_the_house_does_not_offer_is_not_saved(hilde):
    with pytest.raises(BadTerms):
        favourite_save(user=hilde, name="cheap", mode="prize5", stake_cents=1)
    assert names(hilde) == []


def test_two_settings_never_have_one_name(hilde):
    first = favourite_save(user=hilde, name="first", **FREE)
    favourite_save(user=hilde, name="second", **FREE)
    with pytest.raises(FavouriteNameTaken):
        favourite_save(user=hilde, name="first", **FREE)
    with pytest.raises(FavouriteNameTaken):
        favourite_rename(user=hilde, favourite_id=first.pk, name="second")
    favourite_rename(user=hilde, favourite_id=first.pk, name="first")
    assert names(hilde) == ["first", "second"]


def test_settings_of_others_are_out_of_reach(hilde, magriel):
    theirs = favourite_save(user=magriel, name="theirs", **FREE)
    with pytest.raises(NoSuchFavourite):
        favourite_rename(user=hilde, favourite_id=theirs.pk, name="mine")
    favourite_delete(user=hilde, favourite_id=theirs.pk)
    assert names(magriel) == ["theirs"]
    favourite_delete(user=magriel, favourite_id=theirs.pk)
    assert names(magriel) == []


def test_saved_at_once_there_are_never_more_than_allowed(hilde):
    def save(number: int) -> bool:
        try:
            favourite_save(user=hilde, name=f"number {number}", **FREE)
        except FavouritesTooMany:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(save, range(FAVOURITES_MAX + 8)))
    assert sum(saved) == FAVOURITES_MAX == Favourite.objects.count()


# --- who may open the pages -----------------------------------------------------------------------


def test_pages_are_for_their_owners_alone(hilde, magriel):
    kept = favourite_save(user=hilde, name="free of hilde", **FREE)
    page, change = reverse("favourites"), reverse("favourite_change", args=[kept.pk])
    play = reverse("favourite_play", args=[kept.pk])
    for visitor in (Client(), logged_in(magriel)):
        assert "free of hilde" not in visitor.get(page, follow=True).content.decode()
        visitor.post(change, {"name": "taken"})
        visitor.post(change, {"delete": "1"})
        assert visitor.post(play).status_code in (302, 404)
    assert Client().post(play)["location"].startswith(reverse("account_login"))
    assert logged_in(magriel).post(play).status_code == 404
    assert names(hilde) == ["free of hilde"]
    assert not Table.objects.exists()


def test_reading_an_address_changes_nothing(hilde):
    kept = favourite_save(user=hilde, name="free", **FREE)
    for name in ("favourite_change", "favourite_play"):
        assert logged_in(hilde).get(reverse(name, args=[kept.pk])).status_code == 405
    assert names(hilde) == ["free"]
    assert not Table.objects.exists()


def test_the_terms_played_last_are_one_press_away(hilde, magriel, tilo):
    client = logged_in(hilde)
    assert "/play/again/" not in client.get(reverse("lobby")).content.decode()
    assert client.post(reverse("play_again")).status_code == 404
    for opener, guest, wishes in (
        (hilde, magriel, {"mode": "normal", "variant": "nackgammon", "jacoby": True}),
        (magriel, hilde, {"mode": "normal", "variant": "tapa", "clock": "slow"}),
        (hilde, tilo, {"mode": "normal", "private": True}),
    ):
        table = table_open(user=opener, **wishes)
        table_join(user=guest, table_id=table.pk)
        Sitting(table, (opener, guest)).give(0, cmd.StandUp())
    shown = client.get(reverse("lobby")).content.decode()
    assert "Again: Normal game" in shown
    found = client.post(reverse("play_again"))
    table = Table.objects.get(opener=hilde, phase="open")
    assert found.url == reverse("table", args=[table.pk])
    terms = table_state(table).terms
    assert (terms.variant, terms.clock, terms.has_cube) == ("tapa", "slow", False)


def test_terms_with_a_stake_lead_to_the_form_with_their_cost(hilde, magriel):
    table = table_open(user=magriel, mode="single", rate_cents=100, limit_cents=1000)
    table_join(user=hilde, table_id=table.pk)
    client = logged_in(hilde)
    assert "Again" in client.get(reverse("lobby")).content.decode()
    found = client.post(reverse("play_again"))
    form = reverse("table_open")
    assert found.url == f"{form}?mode=single&clock=normal&watchers=yes&game=100-1000"
    assert client.get(found.url).status_code == 200


def test_terms_that_are_not_offered_any_more_are_not_shown(hilde, magriel):
    table = table_open(user=magriel, mode="prize5", stake_cents=500)
    table_join(user=hilde, table_id=table.pk)
    client = logged_in(hilde)
    assert "Again" in client.get(reverse("lobby")).content.decode()
    house_prices(prize_stakes_cents=[300])
    assert "Again" not in client.get(reverse("lobby")).content.decode()
    assert client.post(reverse("play_again")).url == reverse("lobby")
