"""S24: a crowd of accounts, guests or announcements slows itself down, and shuts nobody out."""

import hashlib
import itertools
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts.crowds import BITS, SALT, SIGN_UP
from accounts.guests import GUESTS
from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tournaments.models import Tournament
from tournaments.pages.new import ANNOUNCING

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

HERE = "192.0.2.1"


def sign_up(name: str, address: str = HERE, proof: str = "", **headers: str) -> Any:
    form = {"username": name, "email": "", "password1": PASSWORD}
    client = Client(REMOTE_ADDR=address)
    return client.post(reverse("account_signup"), {**form, "proof": proof}, headers=headers)


def solved(challenge: str, bits: int) -> str:
    for number in itertools.count():
        proof = f"{challenge}.{number}"
        if int.from_bytes(hashlib.sha256(proof.encode()).digest()) >> (256 - bits) == 0:
            return proof
    raise AssertionError


def solved_on(page: str) -> str:
    """The proof that the puzzle of this page asks for."""
    found = re.search(r'data-challenge="([^"]+)" data-bits="(\d+)"', page)
    assert found is not None
    return solved(unescape(found[1]), int(found[2]))


def is_here(name: str) -> bool:
    return User.objects.filter(username=name).exists()


@pytest.fixture
def _crowd() -> None:
    for number in range(SIGN_UP.of_network.count):
        sign_up(f"robot-no{number}")
    assert is_here(f"robot-no{SIGN_UP.of_network.count - 1}")


@pytest.mark.usefixtures("_crowd")
def test_the_eleventh_of_a_class_solves_a_puzzle_and_is_in() -> None:
    answer = sign_up("eleventh")
    page = answer.content.decode()
    assert (answer.status_code, is_here("eleventh")) == (429, False)
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert "eleventh" in page
    assert "JavaScript" in page
    proof = solved_on(page)
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
    challenge = SIGN_UP.puzzle(HERE).text
    right = solved(challenge, BITS)
    of_guests = solved(GUESTS.puzzle(HERE).text, BITS)
    easy = signing.dumps({"bits": 0, "once": "x"}, salt="another")
    for wrong in (
        "",
        "x",
        f"{challenge}.",
        f"{challenge}.-1",
        f"{easy}.1",
        right + "0",
        of_guests,
        f"{SALT}.5",
    ):
        assert sign_up("robot", proof=wrong).status_code == 429, wrong
    monkeypatch.setattr("accounts.crowds.CHALLENGE_SECONDS", -1)
    assert sign_up("robot", proof=right).status_code == 429, "too old"


@pytest.mark.usefixtures("_crowd")
def test_the_puzzle_grows_with_the_crowd_of_its_own_network() -> None:
    for number in range(SIGN_UP.of_network.count):
        puzzle = SIGN_UP.puzzle(HERE)
        assert puzzle.bits == BITS
        sign_up(f"late-no{number}", proof=solved(puzzle.text, BITS))
    assert SIGN_UP.puzzle(HERE).bits == BITS + 1
    assert SIGN_UP.puzzle("198.51.100.1").bits == BITS


def test_sixty_from_six_addresses_close_nothing(settings: Any) -> None:
    settings.SIGNUPS_PER_HOUR = 3
    for number in range(6):
        sign_up(f"robot-no{number}", f"192.0.2.{number}")
    assert not is_here("robot-no3")
    challenge = SIGN_UP.puzzle("198.51.100.1").text
    assert sign_up("magriel", "198.51.100.1", solved(challenge, BITS)).status_code == 302


def test_the_twenty_first_guest_of_a_network_solves_a_puzzle_and_plays() -> None:
    game = {"strength": "beginner", "variant": "backgammon", "clock": "slow"}
    for _ in range(GUESTS.of_network.count):
        assert Client(REMOTE_ADDR=HERE).post(reverse("practice_open"), game).status_code == 302
    late = Client(REMOTE_ADDR=HERE)
    page = late.post(reverse("practice_open"), game)
    assert (page.status_code, User.objects.filter(is_guest=True).count()) == (429, 20)
    sent = set(re.findall(r'name="(\w+)" value="(\w+)"', page.content.decode()))
    assert sent >= set(game.items()), "the page sends again what was asked for"
    assert "data-at-once" in page.content.decode()
    wrong = late.post(reverse("practice_open"), {**game, "proof": "wrong.1"}).content.decode()
    assert "data-at-once" not in wrong, "nothing goes round in circles"
    proof = solved_on(page.content.decode())
    assert late.post(reverse("practice_open"), {**game, "proof": proof}).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 21


TOURNAMENT = {
    "name": "Evening cup",
    "format": "knockout",
    "variant": "backgammon",
    "length": "3",
    "clock": "normal",
    "most": "8",
    "begins": "30",
    "minutes": "45",
}


def announcer(name: str, address: str = HERE) -> Client:
    client = Client(REMOTE_ADDR=address)
    client.force_login(User.objects.create_user(name))
    return client


def announced_and_called_off(client: Client, **more: str) -> Any:
    answer = client.post(reverse("tournament_new"), {**TOURNAMENT, **more})
    if answer.status_code == 302:
        client.post(answer["location"] + "direct/", {"wish": "call_off"})
    return answer


def test_a_person_announces_so_many_in_a_day_and_what_is_called_off_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """205 were announced and called off in 14 seconds, and stood in the calendar for 30 days."""
    client = announcer("magriel")
    made = [announced_and_called_off(client, name=f"Spam {n}") for n in range(7)]
    assert [answer.status_code for answer in made] == [302] * 6 + [200]
    assert "The next one is possible at <time" in made[-1].content.decode()
    assert 'value="Spam 6"' in made[-1].content.decode(), "what was typed is kept"
    assert set(Tournament.objects.values_list("phase", flat=True)) == {"called_off"}
    for address in ("tournament_calendar", "tournaments"):
        assert b"Spam" not in Client().get(reverse(address)).content, address
    assert client.get(made[0]["location"]).status_code == 200
    assert "Spam 0" in client.get(reverse("tournaments") + "?tab=mine").content.decode()
    monkeypatch.setattr("tournaments.services.holding.DAY", timedelta(0))
    assert announced_and_called_off(client).status_code == 302


def test_a_crowd_of_announcers_solves_puzzles() -> None:
    crowd = [announcer(f"robot-no{number}") for number in range(3)]
    for number in range(ANNOUNCING.of_network.count):
        assert announced_and_called_off(crowd[number % 2]).status_code == 302
    page = announced_and_called_off(crowd[2])
    assert page.status_code == 429
    assert announced_and_called_off(announcer("magriel", "198.51.100.1")).status_code == 302
    answer = announced_and_called_off(crowd[2], proof=solved_on(page.content.decode()))
    assert answer.status_code == 302
