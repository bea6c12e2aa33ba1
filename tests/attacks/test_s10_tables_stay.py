"""S10: one account sat down at every table and stood up before the first roll; all tables closed.

The attack uses REST and WebSockets against the running house, as the first time.
"""

from typing import Any

import pytest
import requests
from django.conf import settings as site
from django.test import Client

from accounts.models import User
from games.models import Match, Table
from games.selectors import table_state
from games.selectors_lobby import tables_open
from games.services.tables import table_open
from harness.logins import logged_in
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS
from ledger.selectors import wallet_balance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TABLES = 24
TOKEN = "a" * 32
API = "/api/v1/"


def openers() -> list[User]:
    """24 people, each at an open table, alternately for a prize and without a stake."""
    people = [User.objects.create_user(f"opener{n}") for n in range(TABLES)]
    for n, person in enumerate(people):
        wishes: dict[str, Any] = {"mode": "normal"} if n % 2 else {"mode": "prize5"}
        table_open(user=person, stake_cents=0 if n % 2 else 250, **wishes)
    return people


class Vandal:
    """A program that sits down by REST and stands up over the WebSocket."""

    def __init__(self, user: User, address: str) -> None:
        self.user, self.address = user, address
        self.http = requests.Session()
        session = logged_in(Client(), user).session
        self.http.cookies.set(site.SESSION_COOKIE_NAME, session.session_key)
        self.http.cookies.set(site.CSRF_COOKIE_NAME, TOKEN)
        self.headers = {"X-CSRFToken": TOKEN, "Referer": address}

    def post(self, where: str, body: Any = None) -> requests.Response:
        return self.http.post(
            f"{self.address}{API}{where}", json=body, headers=self.headers, timeout=WAIT_SECONDS
        )

    def join(self, table_id: Any) -> requests.Response:
        return self.post(f"tables/{table_id}/join/")

    def stand_up(self, table_id: Any, command: str = "stand_up") -> dict[str, Any]:
        with socket_of(self.user, self.address, table_id) as socket:
            voice = Voice(socket)
            voice.resume()
            return voice.command({"type": command})


def listed() -> list[tuple[str, int, dict[str, Any]]]:
    """The waiting openers in the lobby's order, with their terms."""
    return [
        (table.opener.username, table.stake_cents, table.state["terms"]) for table in tables_open()
    ]


def test_a_vandal_closes_no_table_of_24(live):
    people = openers()
    before = listed()
    vandal = Vandal(User.objects.create_user("vandal"), live)
    answers = []
    for place, _ in enumerate(people):
        table = list(tables_open())[place]
        answer = vandal.join(table.pk)
        answers.append(answer)
        if answer.status_code == 200:
            assert vandal.stand_up(table.pk, ("stand_up", "leave")[place % 2])["type"] == "accepted"
    assert listed() == before  # all openers, in the same order, on the same terms
    assert [wallet_balance(person.pk) for person in (*people, vandal.user)] == [10_000] * 25
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 21
    last = answers[-1]
    assert last.json()["code"] == "stood_up_too_often"
    assert 500 < int(last.headers["Retry-After"]) <= 600


def test_a_vandal_who_sits_down_everywhere_at_once_gets_three_tables(live):
    """Sitting down at many tables before standing up at any does not work, either."""
    openers()
    before = listed()
    vandal = Vandal(User.objects.create_user("vandal"), live)
    answers = {table.pk: vandal.join(table.pk) for table in list(tables_open())}
    taken = [table_id for table_id, answer in answers.items() if answer.status_code == 200]
    refused = {a.json()["code"] for a in answers.values() if a.status_code != 200}
    assert (len(taken), refused) == (3, {"first_rolls_awaited"})
    for table_id in taken:
        vandal.stand_up(table_id)
    assert listed() == before


def test_no_way_to_a_seat_is_left_during_the_pause(live):
    """Joining, pairing, opening, challenging and accepting are refused until the pause is over."""
    people = openers()
    vandal = Vandal(User.objects.create_user("vandal"), live)
    for _ in range(3):
        table = tables_open().first()
        assert vandal.join(table.pk).status_code == 200
        vandal.stand_up(table.pk)
    other = Vandal(people[0], live)
    asked = other.post("challenges/make/", {"opponent": "vandal", "mode": "normal"})
    assert asked.status_code == 201, asked.text
    ways = [
        vandal.join(tables_open().first().pk),
        vandal.post("tables/pair/", {"mode": "normal"}),
        vandal.post("tables/open/", {"mode": "normal"}),
        vandal.post("challenges/make/", {"opponent": "opener3", "mode": "normal"}),
        vandal.post(f"challenges/{asked.json()['id']}/accept/"),
    ]
    assert {(way.status_code, way.json()["code"]) for way in ways} == {(429, "stood_up_too_often")}
    page = logged_in(Client(headers={"accept-language": "en"}), vandal.user).get("/play/")
    assert "You can sit down again at" in page.content.decode()
    assert Match.objects.filter(ended_at=None).count() == 0


def test_the_opener_is_led_to_the_table_that_is_open_again(live):
    """A client that stays connected receives the successor's id with the end of the old table."""
    people = openers()
    vandal = Vandal(User.objects.create_user("vandal"), live)
    table = Table.objects.get(opener=people[0])
    vandal.join(table.pk)
    with socket_of(people[0], live, table.pk) as socket:
        voice = Voice(socket)
        voice.resume()
        vandal.stand_up(table.pk)
        while (frame := voice.hear("update"))["view"]["phase"] != "closed":
            pass
    successor = Table.objects.get(opener=people[0], phase="open")
    assert frame["view"]["successor"] == str(successor.pk)
    assert frame["events"][-1]["successor"] == str(successor.pk)
    assert table_state(successor).terms == table_state(table).terms
    cookies = {site.SESSION_COOKIE_NAME: logged_in(Client(), people[0]).session.session_key}
    page = requests.get(f"{live}/table/{table.pk}/", cookies=cookies, timeout=WAIT_SECONDS)
    assert page.url == f"{live}/table/{successor.pk}/"
