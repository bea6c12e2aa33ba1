"""A client receives messages in an order in which the last one is the newest."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction

from games.broadcast import publish, table_channel
from games.wire import encode
from harness.voice import Voice
from tests.racing import wait_for_a_waiter

pytestmark = pytest.mark.django_db(transaction=True)

NEWS = {"type": "presence", "online": [True, True], "watchers": 77}
OPENED = 10


def test_what_is_told_while_the_table_is_looked_up_follows_after_it(
    voice: Callable[..., Voice], magriel: object, hilde: object, sitting: object
) -> None:
    one, other = voice(magriel), voice(hilde)
    for each in (one, other):
        each.resume()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        one.say({"type": "resume", "since": 0})
        wait_for_a_waiter()
        publish(table_channel(sitting.pk), encode(NEWS))
        while other.hear("presence")["watchers"] != NEWS["watchers"]:
            pass
    last_look = False
    while (frame := one.hear("snapshot", "update", "presence")) != NEWS:
        last_look = frame["type"] in ("snapshot", "update")
    assert last_look, "the news came before the look that had been asked for"


def test_nothing_comes_before_the_welcome(
    voice: Callable[..., Voice], magriel: object, sitting: object
) -> None:
    """Frames that are published while a socket opens follow the first frame, and none is lost."""
    busy = Event()

    def chatter() -> None:
        while not busy.is_set():
            publish(table_channel(sitting.pk), encode(NEWS))
            time.sleep(0.0002)  # a socket for which 64 frames wait would be closed

    with ThreadPoolExecutor() as pool:
        chattering = pool.submit(chatter)
        try:
            for _ in range(OPENED):
                one = voice(magriel)
                one.hear("presence")
                assert one.heard[0]["type"] == "welcome"
                one.socket.close()
        finally:
            busy.set()
        chattering.result()
