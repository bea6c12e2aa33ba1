"""A primary of a cluster fails while people play: play goes on, and every answer was true."""

import itertools
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.models import User
from games.broadcast import channel_key, table_channel
from tests.e2e.processes import House
from tests.e2e.test_sentinel import ROLLS, Player, match_played, they_play
from tests.sentinels import until
from tests.services.conftest import hilde, magriel
from tests.valkey_cluster import ClusterOfTests

__all__ = ["hilde", "magriel"]

FAILURES = ("kill", "freeze")

logger = logging.getLogger(__name__)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.cluster]


@pytest.fixture
def cluster() -> Iterator[ClusterOfTests]:
    cluster = ClusterOfTests()
    yield cluster
    cluster.stop()


@pytest.fixture
def house(transactional_db: None, cluster: ClusterOfTests, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, ROLLS)
    house.log = tmp_path / "log"
    broker = house.environment["REDIS_URL"]
    house.environment |= {"REDIS_URL": cluster.address, "QUEUE_URL": broker, "WEB_WORKERS": "2"}
    try:
        house.start("web", "worker", "beat")
        yield house
    finally:
        house.kill(*house.running)


def longest_pause_seconds(players: list[Player], since: float) -> float:
    """The longest time between two accepted commands of one player."""
    pauses = []
    for player in players:
        times = [since, *(at for at in player.accepted_at if at >= since)]
        pauses += [after - before for before, after in itertools.pairwise(times)]
    return max(pauses)


def test_a_table_is_played_on_through_every_failure(
    house: House,
    cluster: ClusterOfTests,
    magriel: User,
    hilde: User,
) -> None:
    """How long nobody could move is shown with `--log-cli-level=INFO`."""
    with match_played(house, magriel, hilde) as (table, players):
        for failure in FAILURES:
            until(they_play(players), "they play")
            began = time.monotonic()
            getattr(cluster, failure)(cluster.primary_of(channel_key(table_channel(table.pk))))
            until(they_play(players), f"they play on after {failure}")
            logger.info("%s: %.1f s at most", failure, longest_pause_seconds(players, began))
            cluster.mend()
