"""A primary of a cluster fails while people play: play goes on, and every answer was true."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from accounts.models import User
from games.broadcast import channel_key, table_channel
from games.models import CommandRecord, Table
from games.services.tables import table_join, table_open
from tests.amounts import clusters_only
from tests.e2e.processes import House
from tests.e2e.test_broker import swept_at
from tests.e2e.test_sentinel import ROLLS, Player, they_play
from tests.sentinels import until
from tests.services.conftest import hilde, magriel
from tests.valkey_cluster import ClusterOfTests

__all__ = ["hilde", "magriel"]

FAILURES = ("kill", "freeze")

pytestmark = [pytest.mark.django_db(transaction=True), clusters_only]


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
    record_property: Callable[[str, object], None],
) -> None:
    """The longest pauses are in the report: `--junitxml=report.xml`."""
    table = table_open(user=magriel, mode="match", target_points=25)
    table_join(user=hilde, table_id=table.pk)
    players = [Player(house, table.pk, user, seat) for seat, user in enumerate((magriel, hilde))]
    for player in players:
        player.start()
    try:
        until(swept_at, "the first task runs")
        for failure in FAILURES:
            until(they_play(players), "they play")
            began = time.monotonic()
            getattr(cluster, failure)(cluster.primary_of(channel_key(table_channel(table.pk))))
            until(they_play(players), f"they play on after {failure}")
            record_property(failure, f"{longest_pause_seconds(players, began):.1f} s")
            cluster.mend()
    finally:
        for player in players:
            player.is_over.set()
        for player in players:
            player.join()
    assert all(process.poll() is None for process in house.running.values())
    kept = dict(CommandRecord.objects.filter(table=table.pk).values_list("command_id", "seq"))
    for player in players:
        assert player.accepted.items() <= kept.items(), "every answer was true"
    assert Table.objects.get(pk=table.pk).seq >= max(max(p.accepted.values()) for p in players)
