"""S24: a crowd of sign-ups slows itself down, and closes the door to nobody."""

import hashlib
import itertools
import re
import time
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.signing_up import BITS, SALT, SIGNUPS_PER_NETWORK, bits_of, challenge_for
from tests.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

HERE = "192.0.2.1"


def sign_up(name: str, address: str = HERE, proof: str = "", **headers: str) -> Any:
    form = {"username": name, "email": "", "password1": PASSWORD, "password2": PASSWORD}
    client = Client(REMOTE_ADDR=address)
    return client.post(reverse("account_signup"), {**form, "proof": proof}, headers=headers)


def solved(challenge: str, bits: int) -> str:
    for number in itertools.count():
        proof = f"{challenge}.{number}"
        if int.from_bytes(hashlib.sha256(proof.encode()).digest()) >> (256 - bits) == 0:
            return proof
    raise AssertionError


def is_here(name: str) -> bool:
    return User.objects.filter(username=name).exists()


@pytest.fixture
def _crowd() -> None:
    for number in range(SIGNUPS_PER_NETWORK.count):
        sign_up(f"robot-no{number}")
    assert is_here(f"robot-no{SIGNUPS_PER_NETWORK.count - 1}")


@pytest.mark.usefixtures("_crowd")
def test_the_eleventh_of_a_class_solves_a_puzzle_and_is_in() -> None:
    answer = sign_up("eleventh")
    page = answer.content.decode()
    assert (answer.status_code, is_here("eleventh")) == (429, False)
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert "eleventh" in page
    assert "JavaScript" in page
    found = re.search(r'data-challenge="([^"]+)" data-bits="(\d+)"', page)
    assert found is not None
    proof = solved(unescape(found[1]), int(found[2]))
    assert sign_up("eleventh", proof=proof).status_code == 302
    assert is_here("eleventh")
    assert sign_up("twelfth", proof=proof).status_code == 429, "once"


@pytest.mark.usefixtures("_crowd")
def test_a_program_reads_what_to_do() -> None:
    answer = sign_up("program", Accept="application/json")
    told = answer.json()
    assert (answer.status_code, told["code"], told["bits"]) == (429, "proof_needed", BITS)
    assert int(answer["Retry-After"]) > 0
    assert sign_up("program", proof=solved(told["challenge"], BITS)).status_code == 302


@pytest.mark.usefixtures("_crowd")
def test_no_other_proof_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    challenge = challenge_for(HERE)
    right = solved(challenge, BITS)
    easy = signing.dumps({"bits": 0, "once": "x"}, salt="another")
    for wrong in (
        "",
        "x",
        f"{challenge}.",
        f"{challenge}.-1",
        f"{easy}.1",
        right + "0",
        f"{SALT}.5",
    ):
        assert sign_up("robot", proof=wrong).status_code == 429, wrong
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 1_000)
    assert sign_up("robot", proof=right).status_code == 429, "too old"


@pytest.mark.usefixtures("_crowd")
def test_the_puzzle_grows_with_the_crowd_of_its_own_network() -> None:
    for number in range(SIGNUPS_PER_NETWORK.count):
        challenge = challenge_for(HERE)
        assert bits_of(challenge) == BITS
        sign_up(f"late-no{number}", proof=solved(challenge, BITS))
    assert bits_of(challenge_for(HERE)) == BITS + 1
    assert bits_of(challenge_for("198.51.100.1")) == BITS


def test_sixty_from_six_addresses_close_nothing(settings: Any) -> None:
    settings.SIGNUPS_PER_HOUR = 3
    for number in range(6):
        sign_up(f"robot-no{number}", f"192.0.2.{number}")
    assert not is_here("robot-no3")
    challenge = challenge_for("198.51.100.1")
    assert sign_up("magriel", "198.51.100.1", solved(challenge, BITS)).status_code == 302
