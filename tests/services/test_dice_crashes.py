"""Dice under races and crashes: one roll for each number, and none is drawn a second time."""

import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import pytest
from django.conf import settings
from django.db import connection

from backgammon.tests.amounts import amount
from games.models import DiceRoll, GameDice, Match
from games.services.dice.parts import DiceRefused
from games.services.dice_parts import dice_part_give
from games.services.tables import table_command, table_wake
from games.table import commands as cmd
from games.table.errors import TableError
from games.wire import CommandFrame, DiceElement
from harness.chains import Client
from harness.processes import database_url
from harness.sitting import Sitting, play_on, seated
from harness.waiting import PROGRAM_SECONDS
from tests.racing import racers
from tests.services.test_fair_dice import failures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
TRIES = int(os.environ.get("DICE_RACES", amount(5, long=60)))


@pytest.fixture
def clients(magriel, hilde) -> tuple[Client, Client]:
    """The programs of the two players."""
    return Client(magriel, 0), Client(hilde, 1)


@pytest.fixture
def table(magriel, hilde, clients) -> Sitting:
    """A prize match at which both have given their tips."""
    sitting = seated(magriel, hilde)
    for client in clients:
        client.begin(sitting.table)
    return sitting


def numbers() -> list[int]:
    """The numbers of all rolls, in the order in which they were stored."""
    return list(DiceRoll.objects.order_by("pk").values_list("n", flat=True))


def asked(sitting: Sitting, clients: tuple[Client, Client]) -> int:
    """Play up to a roll that waits, and return the seat whose part is missing."""
    while sitting.state.phase != "rolling":
        on_roll = sitting.state.game.on_roll
        if sitting.state.phase == "roll":
            sitting.give(on_roll, clients[on_roll].roll(sitting.table))
        else:
            sitting.turn()
    return sitting.table.fair["wanted"].index(True)


def test_a_part_twice_and_the_end_of_the_wait_at_once(table, clients):
    """Whichever comes first, one roll is made, and all clients receive the same one."""
    chance = random.Random(7)
    with racers() as race:
        for _ in range(TRIES):
            if table.state.phase in ("between_games", "over"):
                break
            seat = asked(table, clients)
            client, fair = clients[seat], table.table.fair
            n = fair["next"]
            element = client.element(fair, n)
            frame = DiceElement(game=UUID(fair["game"]), n=n, element=element)
            give = partial(dice_part_give, table_id=table.pk, user_id=client.user.pk, frame=frame)
            due = table.state.game.dice_asked.due_ms
            wake = partial(table_wake, table_id=table.pk, now_ms=due)
            work = [give, give, wake, wake]
            chance.shuffle(work)
            outcomes = race(work)
            wrong = [o for o in outcomes if isinstance(o, Exception)]
            assert all(isinstance(o, DiceRefused) for o in wrong), outcomes
            if len(numbers()) == n:  # the other part is still missing, and both wakes met a lock
                assert outcomes.count(False) == 2, outcomes
                assert table_wake(table.pk, now_ms=due), "the next sweep does it"
            assert numbers()[n] == n
            table.turn()
            client.begin(table.table)  # if the wait ended first: the player is back
    assert numbers() == list(range(len(numbers())))
    assert failures(Match.objects.get()) == []


def test_leaving_and_the_last_part_at_once(magriel, hilde, clients):
    with racers() as race:
        for _ in range(max(2, TRIES // 10)):
            sitting = seated(magriel, hilde)
            for client in clients:
                client.begin(sitting.table)
            seat = asked(sitting, clients)
            leave = partial(
                table_command,
                table_id=sitting.pk,
                user_id=clients[1 - seat].user.pk,
                command_id=str(uuid4()),
                seen_seq=0,
                command=cmd.Leave(),
            )
            outcomes = race([leave, partial(clients[seat].answer, sitting.table)])
            assert not isinstance(outcomes[0], TableError)
            assert sitting.state.phase == "over"
            match = Match.objects.get(table=sitting.table)
            assert match.winner_seat == seat
            assert failures(match) == []


# --- crashes -------------------------------------------------------------------------------------


def dies(moment: str, sitting: Sitting, client: Client, frame: object) -> list[tuple[int, ...]]:
    """Run it in another process that dies at this moment; return the dice that it drew."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "harness.settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
    }
    text = msgspec.json.encode(frame).decode()
    arguments = [moment, str(sitting.pk), str(client.user.pk), text]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.services.dying", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return [tuple(map(int, line.split())) for line in ended.stdout.splitlines()]


def test_dying_after_the_question_the_roll_is_completed(table, clients):
    command = CommandFrame(
        id=str(uuid4()), seq=table.table.seq, command=clients[0].roll(table.table)
    )
    assert dies("asked", table, clients[0], command) == []
    assert table.state.phase == "rolling"
    kept = GameDice.objects.get().sides[0]["element"]
    clients[1].answer(table.table)
    roll = DiceRoll.objects.get()
    assert (roll.n, roll.flags, bytes(roll.white).hex()) == (0, 0, kept)
    assert failures(Match.objects.get()) == []


@pytest.mark.parametrize("moment", ["drawn", "stored"])
def test_dying_before_the_commit_the_same_parts_give_the_same_dice(table, clients, moment):
    play_on(table, clients, 2)
    seat = asked(table, clients)
    fair = table.table.fair
    n = fair["next"]
    element = clients[seat].element(fair, n)
    frame = DiceElement(game=UUID(fair["game"]), n=n, element=element)
    (drawn,) = dies(moment, table, clients[seat], frame)
    assert not DiceRoll.objects.filter(n=n).exists()
    assert table.state.phase == "rolling"
    clients[seat].answer(table.table)
    assert tuple(DiceRoll.objects.get(n=n).dice) == drawn
    assert numbers() == list(range(n + 1))
    assert failures(Match.objects.get()) == []


def test_dying_after_the_commit_nothing_is_drawn_again(table, clients):
    seat = asked(table, clients)
    fair = table.table.fair
    frame = DiceElement(game=UUID(fair["game"]), n=0, element=clients[seat].element(fair, 0))
    (drawn,) = dies("committed", table, clients[seat], frame)
    assert tuple(DiceRoll.objects.get().dice) == drawn == table.state.game.dice
    with pytest.raises(DiceRefused):
        clients[seat].give(table.table, frame)
    assert not table_wake(table.pk)
    assert numbers() == [0]
    assert failures(Match.objects.get()) == []
    assert connection.vendor == "postgresql"
