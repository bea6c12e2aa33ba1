"""Answers to commands are forgotten after some days, and no command is carried out twice."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from games.kinds import answers_forget
from games.models import CommandRecord
from games.services import answers
from games.table import commands as cmd
from games.table.errors import TableError
from tests.racing import racers

pytestmark = pytest.mark.django_db(transaction=True)


def aged(by: timedelta) -> None:
    """Every answer was stored so long ago."""
    CommandRecord.objects.update(stored_at=timezone.now() - by)


def closed(sitting) -> None:
    """The match ends and a player goes."""
    sitting.give(0, cmd.Roll(), command_id="a")
    while sitting.state.phase == "roll_off" or sitting.state.before_first_roll:
        sitting.turn()
    sitting.give(1, cmd.Leave(), command_id="leave")
    sitting.give(0, cmd.StandUp())
    assert sitting.table.phase == "closed"


def test_old_answers_go_and_younger_ones_stay(sitting):
    closed(sitting)
    aged(answers.KEPT - timedelta(minutes=1))
    assert answers_forget() == 0
    count = CommandRecord.objects.count()
    aged(answers.KEPT + timedelta(minutes=1))
    assert answers_forget() == count > 0
    assert answers_forget() == 0
    assert not CommandRecord.objects.exists()


def test_answers_at_a_table_that_is_not_closed_stay(sitting):
    sitting.give(0, cmd.Roll(), command_id="a")
    aged(2 * answers.KEPT)
    assert answers_forget() == 0
    assert CommandRecord.objects.filter(command_id="a").exists()


def test_a_command_that_is_repeated_after_that_changes_nothing(sitting):
    closed(sitting)
    aged(2 * answers.KEPT)
    answers_forget()
    seq = sitting.table.seq
    for command, name in ((cmd.Roll(), "a"), (cmd.Leave(), "leave")):
        with pytest.raises(TableError):
            sitting.give(1, command, command_id=name)
    assert sitting.table.seq == seq


def many(sitting, count: int) -> None:
    """So many old answers to one player at a closed table."""
    closed(sitting)
    old = {"table_id": sitting.table.pk, "user": sitting.players[0], "seq": 1}
    CommandRecord.objects.bulk_create(
        CommandRecord(**old, command_id=f"{number}") for number in range(count)
    )
    aged(2 * answers.KEPT)


def test_two_runs_at_the_same_time_delete_every_old_answer_once(sitting):
    many(sitting, 3 * answers.FORGOTTEN_AT_ONCE)
    count = CommandRecord.objects.count()
    with racers() as race:
        forgotten = race([answers_forget] * 2)
    assert sum(forgotten) == count
    assert not CommandRecord.objects.exists()


def test_a_row_that_is_held_is_passed_over(sitting):
    many(sitting, 3)
    count = CommandRecord.objects.count()
    with racers() as race, transaction.atomic():
        CommandRecord.objects.select_for_update().get(command_id="1")
        assert race([answers_forget]) == [count - 1]
    assert answers_forget() == 1
