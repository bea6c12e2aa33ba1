"""One match that cannot be read stops no screening, whatever the error is, and however many are."""

import pytest
from django.db import connection
from django.utils import timezone

from fairplay import screening
from fairplay.screening import results_screen
from games.models import Match
from harness.handovers import handed_over
from kit.sweeps import FIRST, Stuck, go_round, stuck_items
from ledger.models import Clearance

pytestmark = pytest.mark.django_db(transaction=True)


def broken_by_the_database(match: Match) -> None:
    """What reading this match makes of its figures does not fit into the database."""
    Match.objects.filter(pk=match.pk).update(paid_cents=[0, 10**30])


def broken_by_its_form(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(paid_cents=[1])


@pytest.mark.parametrize("broken", [broken_by_the_database, broken_by_its_form])
def test_a_match_that_cannot_be_screened_keeps_no_other_waiting(person, dice, broken):
    dice((3, 1), (4, 2))
    broken(handed_over(person("giver", 500), person("taker", 500)))
    second = handed_over(person("third", 500), person("fourth", 500))
    assert results_screen() == 1
    assert Clearance.objects.get().reference == second.reference
    assert Stuck.objects.get().sweep == "screening match known"


def test_many_that_cannot_be_screened_take_no_place(person, dice, monkeypatch):
    monkeypatch.setattr(screening, "AT_ONCE", 2)
    dice((3, 1), (4, 2))
    for number in range(3):
        broken_by_its_form(handed_over(person(f"giver{number}"), person(f"taker{number}")))
    handed_over(person("third"), person("fourth"))
    assert [results_screen() for _ in range(3)] == [0, 1, 0]


def test_what_failed_is_tried_again_later_each_time_and_forgotten_once_done(db):
    def fail(_item):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    waits = []
    for _ in range(12):
        assert go_round("test", ["a", "b"], lambda item: fail(item) if item == "a" else 1) == 1
        row = Stuck.objects.get()
        waits.append(round((row.retry_at - timezone.now()) / FIRST))
        assert stuck_items("test") == ["a"]
        assert "division by zero" in row.error
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert waits[-1] == 360
    assert row.failures == 12
    assert go_round("test", ["a"], lambda _item: 1) == 1
    assert not Stuck.objects.exists()
