"""A table closes when its opener has verifiably gone, never because a presence entry is lost."""

from datetime import timedelta

import pytest
import redis
from django.conf import settings as django_settings
from django.utils import timezone

from games.broadcast import channel_key
from games.live import presence
from games.models import Outage, Table
from games.services.tables import table_open
from games.tasks import sweep_lobby
from harness.servers import NO_VALKEY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def valkey() -> redis.Redis:
    return redis.Redis.from_url(django_settings.REDIS_URL)


@pytest.fixture(autouse=True)
def nobody_known(valkey, transactional_db) -> None:
    valkey.delete(channel_key("people"))


@pytest.fixture
def waiting(magriel) -> Table:
    return table_open(user=magriel, mode="prize5", stake_cents=250)


def seen_ago(valkey: redis.Redis, user, seconds: float) -> None:
    """Set the time at which this person was last seen so far back."""
    presence.person_seen(user.pk)
    valkey.zincrby(channel_key("people"), -seconds, str(user.pk))


def phase(table: Table) -> str:
    return Table.objects.get(pk=table.pk).phase


def test_who_has_been_gone_for_a_minute_loses_his_table(valkey, waiting, magriel):
    seen_ago(valkey, magriel, 61)
    assert sweep_lobby() == 1
    assert phase(waiting) == "closed"


def test_half_a_minute_is_nothing(valkey, waiting, magriel):
    seen_ago(valkey, magriel, 45)
    assert sweep_lobby() == 0
    assert phase(waiting) == "open"


def test_an_emptied_valkey_closes_nothing_and_the_minute_begins_anew(valkey, waiting, magriel):
    seen_ago(valkey, magriel, 61)
    valkey.delete(channel_key("people"))
    assert sweep_lobby() == 0
    assert phase(waiting) == "open"
    valkey.zincrby(channel_key("people"), -61, str(magriel.pk))
    assert sweep_lobby() == 1


def test_after_an_outage_of_the_house_everybody_has_time_to_come_back(valkey, waiting, magriel):
    seen_ago(valkey, magriel, 300)
    now = timezone.now()
    outage = Outage.objects.create(
        role="web", began_at=now - timedelta(minutes=5), ended_at=now, credited_at=now
    )
    assert sweep_lobby() == 0
    assert phase(waiting) == "open"
    Outage.objects.filter(pk=outage.pk).update(ended_at=now - timedelta(seconds=61))
    assert sweep_lobby() == 1


def test_a_valkey_that_is_down_closes_nothing(waiting, magriel, settings):
    settings.REDIS_URL = NO_VALKEY
    assert sweep_lobby() == 0
    assert phase(waiting) == "open"
    assert presence.people_online(10) == []
    assert presence.people_online_count() == 0
    assert not presence.person_is_online(magriel.pk)
    presence.person_seen(magriel.pk)


def test_online_is_who_was_seen_in_the_last_half_minute(valkey, magriel, hilde, tilo):
    seen_ago(valkey, magriel, 31)
    seen_ago(valkey, hilde, 20)
    presence.person_seen(tilo.pk)
    assert presence.people_online(10) == [tilo.pk, hilde.pk]
    assert presence.people_online(1) == [tilo.pk]
    assert presence.people_online_count() == 2
    here = {person for person in (magriel, hilde, tilo) if presence.person_is_online(person.pk)}
    assert here == {hilde, tilo}
