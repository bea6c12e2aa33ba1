"""The clock of the house: a task is sent as soon as something is due, and hardly ever otherwise."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from accounts.mails import mail_enqueue
from accounts.models import User
from games.kinds import kinds
from games.models import BotTurn, Challenge, Deadline, Heartbeat
from games.services.challenges import challenge_make
from games.services.outages import SILENCE, SWEEP, SWEEP_BEATS_EVERY
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from harness.processes import Processes
from harness.waiting import wait_until
from kit.periodic import PERIODIC
from pasch import celery_app
from pasch.scheduler import ANYWAY_SECONDS, AskingScheduler

DAY_SECONDS: Final = 86_400
IDLE_MESSAGES_MAX: Final = 50_000
WARM_SECONDS: Final = 6
WATCHED_SECONDS: Final = 20


def sent_a_day_at_most(task: str) -> float:
    """How often a task is sent in a house where nothing is ever due."""
    if task == "games.tasks.sweep_deadlines":
        return DAY_SECONDS / SWEEP_BEATS_EVERY.total_seconds()
    work = PERIODIC[task]
    if not isinstance(work.when, float):
        return 24.0
    return DAY_SECONDS / (max(work.when, ANYWAY_SECONDS) if work.due else work.when)


def test_an_idle_house_sends_few_messages() -> None:
    celery_app.loader.import_default_modules()
    assert 0 < sum(map(sent_a_day_at_most, PERIODIC)) < IDLE_MESSAGES_MAX


def test_whatever_comes_often_asks_first() -> None:
    celery_app.loader.import_default_modules()
    often = {
        task
        for task, work in PERIODIC.items()
        if isinstance(work.when, float) and work.when < ANYWAY_SECONDS
    }
    assert often == {task for task, work in PERIODIC.items() if work.due is not None}


class Sent(AskingScheduler):
    """The clock, with the names of what it sends in place of a broker."""

    def __init__(self) -> None:
        self.names: list[str] = []
        super().__init__(celery_app, lazy=True)

    def apply_async(self, entry: Any, *_: Any, **__: Any) -> None:
        self.names.append(entry.task)

    def ask(self, task: str) -> bool:
        """Let the time of this task come; whether it is sent."""
        before = len(self.names)
        self.apply_entry(self.Entry(name=task, task=task, schedule=1.0, app=celery_app))
        return len(self.names) > before


@pytest.fixture
def clock(transactional_db: None) -> Sent:
    """A clock that has just sent every task."""
    celery_app.loader.import_default_modules()
    for kind in kinds():
        kind.keep()
    made = Sent()
    for task in PERIODIC:
        made.ask(task)
    Heartbeat.objects.update_or_create(role=SWEEP, defaults={"beat_at": Now()})
    return made


def overdue(model: Any, column: str) -> None:
    model.objects.update(**{column: Now() - timedelta(seconds=1)})


@pytest.fixture
def people(transactional_db: None) -> tuple[User, User]:
    return User.objects.create_user("ida"), User.objects.create_user("otto")


def a_deadline(one: User, two: User) -> None:
    table_join(user=two, table_id=table_open(user=one, mode="normal").pk)
    overdue(Deadline, "due_at")


def a_heartbeat(*_: User) -> None:
    Heartbeat.objects.update(beat_at=Now() - SWEEP_BEATS_EVERY - timedelta(seconds=1))


def a_bot(one: User, _: User) -> None:
    table = practice_open(user=one)
    BotTurn.objects.update_or_create(table=table, defaults={"due_at": Now()})
    overdue(BotTurn, "due_at")


def a_challenge(one: User, two: User) -> None:
    challenge_make(user=one, opponent_id=two.pk, mode="normal")
    overdue(Challenge, "expires_at")


def an_open_table(one: User, _: User) -> None:
    table_open(user=one, mode="normal")


def a_mail(*_: User) -> None:
    mail_enqueue(to="somebody@example.org", subject="Once", body="and only once")


DUE: Final[list[tuple[str, Callable[..., None]]]] = [
    ("games.tasks.sweep_deadlines", a_deadline),
    ("games.tasks.sweep_deadlines", a_heartbeat),
    ("games.tasks.sweep_bots", a_bot),
    ("games.tasks.sweep_lobby", a_challenge),
    ("games.tasks.sweep_lobby", an_open_table),
    ("games.tasks.sweep_attendance", a_deadline),
    ("accounts.tasks.send_mails", a_mail),
]


@pytest.mark.parametrize(("task", "happen"), DUE)
def test_a_task_is_sent_once_something_is_due(
    clock: Sent, people: tuple[User, User], task: str, happen: Callable[..., None]
) -> None:
    assert not clock.ask(task)
    happen(*people)
    assert clock.ask(task)


@pytest.mark.django_db(transaction=True)
def test_where_the_rows_cannot_be_asked_the_task_is_sent(clock: Sent) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_botturn RENAME TO away")
    try:
        assert clock.ask("games.tasks.sweep_bots")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE away RENAME TO games_botturn")


def messages(valkey: redis.Redis) -> int:
    """How many messages have ever been put into a queue of this server."""
    return int(valkey.info("commandstats").get("cmdstat_lpush", {"calls": 0})["calls"])


@pytest.mark.slow
def test_a_real_house_that_is_idle_is_as_quiet_as_that(
    transactional_db: None, tmp_path: Path
) -> None:
    house = Processes(tmp_path, [])
    house.start("worker", "beat")
    try:
        with redis.Redis.from_url(settings.REDIS_URL) as valkey:
            wait_until(lambda: Heartbeat.objects.filter(role=SWEEP).exists())
            time.sleep(WARM_SECONDS)
            before = messages(valkey)
            time.sleep(WATCHED_SECONDS)
            sent = messages(valkey) - before
            beat_at = Heartbeat.objects.get(role=SWEEP).beat_at
    finally:
        house.kill("worker", "beat")
    assert 0 < sent < IDLE_MESSAGES_MAX * WATCHED_SECONDS / DAY_SECONDS
    assert timezone.now() - beat_at < SILENCE, "its sweep is there all the same"
