"""People who look for a person, with or without the house bot meanwhile."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.models import Match, StandIn, Table
from games.services.lobby import quick_pair
from games.services.stand_ins import asked_for, stand_in_open

FREE = {"mode": "normal"}


def at_the_bot(user: User, **wishes: Any) -> Table:
    """The open table of a player who plays the house bot meanwhile."""
    pairing = quick_pair(user=user, **{**FREE, **wishes})
    assert not pairing.found
    stand_in_open(user=user, table_id=pairing.table.pk, strength="beginner")
    return pairing.table


def comes(user: User, **wishes: Any) -> Table:
    """The table of a person who does nothing but wait, about whom one at the house bot is asked."""
    pairing = quick_pair(user=user, **{**FREE, **wishes})
    assert not pairing.found
    assert asked_for(pairing.table.pk)
    return pairing.table


def two_at_the_bot(first: User, second: User) -> tuple[Table, Table]:
    """The open tables of two who play the house bot and are asked about each other."""
    tables = at_the_bot(first), at_the_bot(second)
    assert [asked_for(table.pk).table for table in tables] == [*reversed(tables)]
    return tables


def time_over() -> None:
    StandIn.objects.exclude(offered=None).update(answer_by=timezone.now() - timedelta(seconds=1))


def with_people() -> int:
    return Match.objects.exclude(mode="practice").count()
