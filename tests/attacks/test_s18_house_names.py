"""S18: names that pretend to be the house, in any part of the name."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: each of these was once accepted, or is a small change of a name that was.
PRETENDING = (
    "pasch-support", "Pasch.Team", "house_bot", "admin1n", "paschsupport", "realadmin", "supp0rt",
    "PaschSupport", "teampasch", "pasch24", "P4sch", "pa5ch.de", "the_pasch", "Pasch-Bank",
    "adm1n_mia", "mia.admin", "ADMINISTRATOR", "sysadmin7", "4dm1n", "a-d-m-i-n", "Moderator2",
    "chat.moderator", "rnoderator", "xxsupportxx", "5upport", "Supp-ort", "staff_mia", "thestaff",
    "official.mia", "0fficial", "Treasurer", "schatzmeister1", "housebot", "HouseBot", "haus_bot",
    "bot", "Bot7", "b0t1", "mia-bot", "Team.Mia", "t3am", "he1p", "help.mia", "HelpDesk", "dieBank",
    "haus-bank", "Gast", "gast_1234", "theteam", "webmaster", "Nobody", "mod.mia", "paschabot",
    "Paschke-Support", "hausbank", "pascha-dmin", "realad-min", "paschapasch", "staffstaffan",
    "aDmIn", "xaDmInx",
)  # fmt: skip

#: real names and words that contain one of the house's words.
INNOCENT = (
    "Paschke", "paschke_92", "mariapaschke", "Jan.Paschke", "Pascha", "Paschalis", "Paschen",
    "Paschinger", "botond", "Botond7", "Talbot", "Abbott", "Cabot", "Botha", "Robotnik", "bottom",
    "Sabotage", "Hausmann", "Neuhaus", "Hausner", "Haushofer", "Teamo", "Steam", "teamwork",
    "Banks", "Bankole", "Burbank", "Helper", "Helpmann", "Whelp", "Gasthaus", "Gaston", "Gasteiger",
    "Badminton", "badmintonfan", "Staffan", "Stafford", "Falstaff", "supporter", "BVB_Supporter",
    "Modeste", "Modigliani", "Greenhouse", "Waterhouse", "Adnan", "Adam1n", "Nobodyelse",
    "Beetroot", "Brad-Minton", "Conrad_Mindy", "Ownerby", "Systemova", "Guesthouse", "magriel",
    "Jürgen", "x_1.y",
)  # fmt: skip


def register(name: str) -> set[str]:
    """Register the name in a new browser and return the error codes of the name."""
    form = {"username": name, "password1": PASSWORD, "email": ""}
    client = Client(REMOTE_ADDR=f"10.0.{len(name)}.{sum(map(ord, name)) % 250}")
    answer = client.post(reverse("account_signup"), form)
    if answer.status_code == 302:
        return set()
    return {error.code for error in answer.context["form"].errors.as_data()["username"]}


@pytest.mark.parametrize("name", PRETENDING)
def test_s18_no_name_pretends_to_be_the_house(name: str) -> None:
    assert "name_reserved" in register(name)
    assert not User.objects.exists()


@pytest.mark.parametrize("name", INNOCENT)
def test_s18_innocent_names_are_welcome(name: str) -> None:
    assert register(name) == set()
    assert User.objects.filter(username=name).exists()


def test_s18_a_name_from_before_stays_and_logs_in() -> None:
    User.objects.create_user("pasch-support", password=PASSWORD)
    client = Client()
    form = {"login": "pasch-support", "password": PASSWORD}
    assert client.post(reverse("account_login"), form).status_code == 302
    assert "_auth_user_id" in client.session
