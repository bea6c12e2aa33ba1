"""After a frame that Valkey lost, the answer to a ping shows that there is more to fetch."""

from typing import Any

import pytest
from django.db import connection, transaction

from games.live import feed
from games.models import Table
from games.table import commands as cmd

pytestmark = pytest.mark.django_db(transaction=True)


def pong(voice: Any) -> dict[str, Any]:
    voice.say({"type": "ping", "sent_ms": 1})
    return voice.hear("pong")


def roll_unheard(sitting) -> int:
    """Roll, publish it on a channel without listeners, and return the seq of the table."""
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setattr("django.conf.settings.BROADCAST_PREFIX", "nobody-listens-here:")
        sitting.give(0, cmd.Roll())
    return sitting.table.seq


def test_who_pings_is_told_how_far_the_table_is(voice, magriel, hilde, sitting, dice):
    dice((3, 1))
    one, other = voice(magriel), voice(hilde)
    for each in (one, other):
        each.resume()
    rolled = roll_unheard(sitting)
    assert pong(other)["seq"] == rolled > other.seq, "no update came, and the pong tells of it"
    assert other.resume(since=other.seq)["events"][-1]["type"] == "dice_rolled"
    assert pong(one)["seq"] == rolled


def test_what_happened_since_the_last_ping_is_told(voice, hilde, sitting, dice, monkeypatch):
    dice((3, 1))
    other = voice(hilde)
    other.resume()
    assert pong(other)["seq"] == sitting.table.seq
    monkeypatch.setattr(feed, "LOOK_EVERY_SECONDS", 0.0)
    rolled = roll_unheard(sitting)
    assert pong(other)["seq"] == rolled


def test_a_ping_does_not_wait_for_a_database_that_is_busy(voice, hilde, sitting, monkeypatch):
    other = voice(hilde)
    other.resume()
    assert pong(other)["seq"] == sitting.table.seq
    monkeypatch.setattr(feed, "LOOK_EVERY_SECONDS", 0.0)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {Table._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        assert pong(other)["seq"] is None
