"""Locks besides the table's own: they are taken, and a wait that is too long ends in an error."""

from functools import partial

import pytest
from django.db import connections

from games.models import ChatMessage, TableEvent
from games.services import commit
from games.services.chat import MESSAGES_MAX, TalksTooFast, message_say
from games.services.tables import table_join, table_open
from games.table.errors import Busy
from harness.sitting import Sitting
from tests.racing import RACERS, racers

pytestmark = pytest.mark.django_db(transaction=True)

#: the lock of the dice log (games/migrations/sql/dice.sql)
HOLD = "SELECT pg_advisory_{}(hashtextextended('dice log', 0))"


def test_who_speaks_at_two_tables_at_once_is_counted_once(sitting, tilo):
    """The limit counts per author, over all their connections."""
    other = table_open(user=tilo, mode="prize5", stake_cents=250).pk
    tables = (sitting.pk, other)

    def say(number: int) -> object:
        return message_say(
            table_id=tables[number % 2], user_id=tilo.pk, client_id=str(number), text="hello"
        )

    with racers() as race:
        said = race([partial(say, number) for number in range(RACERS)])
    refused = [each for each in said if isinstance(each, TalksTooFast)]
    assert len(refused) == RACERS - MESSAGES_MAX
    assert ChatMessage.objects.count() == MESSAGES_MAX


def test_a_log_of_dice_that_is_held_makes_the_table_busy_and_changes_nothing(
    magriel, hilde, monkeypatch
):
    monkeypatch.setattr(commit, "LOCK_TIMEOUT", "50ms")
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    sitting, before = Sitting(table, (magriel, hilde)), TableEvent.objects.count()
    holder = connections.create_connection("default")
    try:
        with holder.cursor() as cursor:
            cursor.execute(HOLD.format("lock"))
            with pytest.raises(Busy):
                sitting.turn()
            cursor.execute(HOLD.format("unlock"))
    finally:
        holder.close()
    assert TableEvent.objects.count() == before
    sitting.turn()
    assert TableEvent.objects.count() > before
