"""A small house for the tests of its pages: two players, a decided match, tables in every state."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from games.models import Table
from games.services.tables import table_join, table_open
from tests.matches import match_paid


@dataclass(frozen=True, slots=True)
class SmallHouse:
    """The people of the house and their tables."""

    magriel: Any
    hilde: Any
    waiting: Table
    playing: Table


@pytest.fixture
def house(db: None, django_user_model: Any) -> SmallHouse:
    """magriel has won a match against hilde and plays another; tilo waits at an open table."""
    magriel = django_user_model.objects.create_user("magriel", password="quite-a-long-secret")
    hilde = django_user_model.objects.create_user("hilde")
    tilo = django_user_model.objects.create_user("tilo")
    reference = f"match:{uuid4()}"
    match_paid(
        reference, winner=magriel, loser=hilde, stake_cents=250, paid_cents=450, rake_cents=50
    )
    waiting = table_open(user=tilo, mode="prize5", stake_cents=500)
    playing = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=playing.pk)
    return SmallHouse(magriel, hilde, waiting, playing)


@pytest.fixture
def visitor() -> Client:
    """A visitor without an account who reads English."""
    return Client(headers={"accept-language": "en"})
