"""Bots play without stakes only, over sockets that they open with a token."""

import json

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from accounts.models import User
from accounts.tokens import token_make
from games.services.people import BotsPlayNormal
from games.services.tables import table_join, table_open
from harness.waiting import WAIT_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def robo(transactional_db: None) -> User:
    return User.objects.create_user("robo", is_bot=True)


@pytest.fixture
def hilde(transactional_db: None) -> User:
    return User.objects.create_user("hilde")


def test_a_bot_opens_no_table_with_a_stake(robo) -> None:
    with pytest.raises(BotsPlayNormal):
        table_open(user=robo, mode="prize5", stake_cents=250)
    assert table_open(user=robo, mode="normal").phase == "open"


def test_a_bot_sits_down_at_no_table_with_a_stake(robo, hilde) -> None:
    table = table_open(user=hilde, mode="stake", stake_cents=50)
    with pytest.raises(BotsPlayNormal):
        table_join(user=robo, table_id=table.pk)
    table.refresh_from_db()
    assert table.phase == "open"


def test_a_bot_takes_its_seat_with_its_token(live, robo, hilde) -> None:
    table = table_open(user=robo, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    url = f"{live.replace('http', 'ws')}/ws/table/{table.pk}/"
    token = {"Authorization": f"Bearer {token_make(robo)}"}
    with connect(url, additional_headers=token) as socket:
        assert json.loads(socket.recv(timeout=WAIT_SECONDS))["seat"] == 0
    for header in ({"Authorization": "Bearer pasch_unknown"}, {}):
        with pytest.raises(InvalidStatus), connect(url, additional_headers=header):
            pass
