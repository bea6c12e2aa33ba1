"""A match survives the death of every process of the house and goes on to its end."""

import pytest

from games.models import TableEvent
from games.selectors import table_state
from harness.processes import Processes
from tests.e2e.test_match import DICE, check_settled, play_on, seat_down, step

UNHARMED = {"player_absent", "player_back", "outage_credited"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db, tmp_path):
    """The running house, all of whose processes are killed at the end."""
    with Processes(tmp_path, DICE) as house:
        house.start("web", "worker", "beat")
        yield house


@pytest.mark.slow
def test_web_server_and_worker_die_and_the_match_goes_on(house, player):
    one, two, table = seat_down(player, base_url=house.address)
    hands = (one, two)
    for _ in range(5):
        table.refresh_from_db()
        step(hands, table_state(table))
        for each in hands:
            each.sees(table.seq + 1)
    events = list(TableEvent.objects.order_by("seq").values_list("seq", "payload"))

    house.kill("web", "worker")
    for each in hands:
        each.sees_that_the_connection_is_lost()
    house.start("web", "worker")
    table.refresh_from_db()
    for each in hands:
        each.sees(table.seq)
        each.sees_that_the_connection_is_back()
    now = list(TableEvent.objects.order_by("seq").values_list("seq", "payload"))
    assert now[: len(events)] == events
    # since then people only came back and got their time back
    assert {payload["type"] for _, payload in now[len(events) :]} <= UNHARMED

    play_on(hands, table, "double_offered")
    house.kill("worker", "beat")
    two.drop()
    for each in hands:
        each.sees_phase("between_games")
    house.start("worker", "beat")
    # no player does anything: the new worker's sweep finds the deadline and starts the game
    for each in hands:
        each.sees_that_play_goes_on()
    play_on(hands, table, "play", seat=1)
    two.leave()
    for each in hands:
        each.sees_phase("over")
    check_settled(one, two, winner=0)
