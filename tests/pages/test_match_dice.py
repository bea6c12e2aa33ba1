"""The files about a match's dice: the record for everybody, the envelope for its players."""

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from django.test import Client
from django.urls import reverse

from backgammon.dice.chain import HOUSE, chain_tip, roll_element
from games.models import DiceRoll, GameDice, Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(magriel, hilde) -> Sitting:
    """A match for a prize, with the house's own dice."""
    opened = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=opened.pk)
    return Sitting(opened, (magriel, hilde))


def envelope_of(table: Sitting, user: object):
    """The response that this person gets."""
    client = Client()
    client.force_login(user)
    return client.get(reverse("dice_envelope", args=[table.pk]))


def test_the_record_is_there_for_everybody(table):
    table.turn()
    match = Match.objects.get()
    answer = Client().get(reverse("match_dice", args=[match.pk]))
    assert answer["Content-Disposition"].startswith("attachment")
    told = answer.json()
    assert [roll["n"] for roll in told["games"][0]["rolls"]] == [0, 1][: DiceRoll.objects.count()]
    assert "envelope_password" not in told["games"][0]
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert reverse("match_dice", args=[match.pk]) in page


def test_no_record_of_a_match_that_is_not(table):
    assert Client().get(reverse("match_dice", args=[table.pk])).status_code == 404


def test_the_envelope_opens_with_the_password_told_afterwards(table, magriel):
    sealed = envelope_of(table, magriel).json()
    secret = GameDice.objects.get().id
    table.turn()
    table.give(0, cmd.Leave())
    record = Client().get(reverse("match_dice", args=[Match.objects.get().pk])).json()["games"][0]
    derived = PBKDF2HMAC(
        SHA256(), 32, salt=bytes.fromhex(sealed["salt"]), iterations=sealed["iterations"]
    )
    key = derived.derive(record["envelope_password"].encode())
    nonce, hidden = bytes.fromhex(sealed["nonce"]), bytes.fromhex(sealed["sealed"])
    end = AESGCM(key).decrypt(nonce, hidden, None)
    assert chain_tip(secret.bytes, HOUSE, end).hex() == sealed["s0"] == record["s0"]
    assert roll_element(secret.bytes, HOUSE, end, 0).hex() == record["rolls"][0]["s"]


def test_the_envelope_is_for_players_before_the_first_roll(table, magriel, tilo):
    assert envelope_of(table, tilo).status_code == 404
    assert Client().get(reverse("dice_envelope", args=[table.pk])).status_code == 302
    table.turn()
    assert envelope_of(table, magriel).status_code == 404
