"""The list of chouettes: what changes it is published once, after the commit, and nothing else."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client

from games.chouette import commands as cmd
from games.chouette.errors import SitsElsewhere
from games.chouette.pace import PAUSE_MS
from games.chouette.services.opening import circle_open, locked
from games.chouette.services.playing import people_stand_up
from harness.chouettes import Hands, at_random, circle_sit
from tests.services.lanes import Ear

CHANGED = [{"type": "changed"}]


@pytest.fixture
def ear() -> Iterator[Ear]:
    """Receives what every page with the list receives."""
    ear = Ear("chouettes")
    yield ear
    ear.close()


def test_who_sits_and_what_begins_or_ends_is_published_once(people, ear, chance):
    one, two, three, four = players = people(4)
    hands = Hands([one])
    assert ear.frames() == CHANGED, "it was opened"
    for player in (two, three, four):
        circle_sit(user=player, circle_id=hands.circle.pk)
        hands.players[player.pk] = player
        assert ear.frames() == CHANGED
    hands.later(PAUSE_MS)
    assert ear.frames() == CHANGED, "the first game has begun"
    hands.dice_come()
    for _ in range(3):
        hands.step(at_random(chance, doubles=0))
    hands.do(four.pk, cmd.LeaveAfter(on=True))
    assert ear.frames() == [], "nothing of it is in the list"
    box = hands.view()["people"][0]["id"]
    hands.do(box, cmd.StandUpNow())
    assert ear.frames() == CHANGED
    people_stand_up([player.pk for player in players])
    assert hands.row().closed_at is not None
    assert ear.frames() == CHANGED, "the table is closed"


def test_what_is_refused_or_changes_nothing_is_not_published(people, ear):
    one, two, three = people(3)
    first, second = circle_open(user=one), circle_open(user=two)
    ear.frames()
    with pytest.raises(SitsElsewhere):
        circle_sit(user=one, circle_id=second.pk)
    circle_sit(user=one, circle_id=first.pk)  # they sit there already
    with transaction.atomic():
        work = locked(first.pk)
        work.engine.sit(three.pk)
        work.store(None)
        assert ear.frames() == [], "before the commit"
        transaction.set_rollback(True)
    assert ear.frames() == []


def test_the_part_that_is_fetched_again_is_the_list_alone(people):
    one, two = people(2)
    circle = circle_open(user=one)
    client = Client()
    client.force_login(two)
    part = client.get("/chouette/tables/").content.decode()
    assert f'data-table="{circle.pk}"' in part
    assert part in client.get("/chouette/").content.decode()
    assert [each for each in ("<html", "<form", "My table") if each in part] == []
