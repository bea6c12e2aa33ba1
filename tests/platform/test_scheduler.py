"""The clock of the house sends what is due, hardly more, and is right when it runs twice."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
import redis
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import mail
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
from games.table import commands as cmd
from harness.processes import Processes
from harness.sitting import Sitting
from harness.waiting import wait_until
from kit.periodic import PERIODIC
from pasch import celery_app
from pasch.scheduler import ANYWAY_SECONDS, AskingScheduler
from tests.accounts.deleting import ask, person_with, wait_over
from tests.racing import racers
from tests.services.lanes import undone

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


# --- two clocks -----------------------------------------------------------------------------------
#: why each task is safe twice at once. A lock or a condition is one of the row's that it changes.
SAFE = {
    "games.tasks.sweep_deadlines": "the table's lock, and nothing that is due",
    "games.tasks.sweep_attendance": "the table's lock, and a seat that is empty already",
    "games.tasks.sweep_lobby": "locks of challenges and tables, and what has ended already",
    "games.tasks.sweep_bots": "the table's lock, and a decision that is the bot's no more",
    "games.tasks.count_matches": "one advisory lock; the other one counts nothing",
    "games.tasks.count_missed_matches": "the same",
    "games.tasks.count_dice": "one advisory lock, and a count that is younger than an hour",
    "games.tasks.pack_tables": "the table's lock, and events that are packed already",
    "games.tasks.forget_chat": "deleting again deletes nothing",
    "games.tasks.forget_commands": "deleting again deletes nothing",
    "analysis.tasks.enqueue_matches": "a unique job for each match and depth",
    "analysis.tasks.enqueue_missed_matches": "the same",
    "analysis.tasks.forget_brought": "deleting again deletes nothing",
    "fairplay.tasks.screen_results": "the players' locks, and a screening that exists",
    "fairplay.tasks.note_conduct": "the players' locks, and a row that exists",
    "fairplay.tasks.check_play": "the person's lock, and a case that is open",
    "fairplay.tasks.find_evasions": "the person's lock, and a case that is open",
    "fairplay.tasks.move_cases_on": "the case's lock, and a deadline that is over no more",
    "fairplay.tasks.forget_measurements": "deleting again deletes nothing",
    "ratings.tasks.mark_ranks": "one advisory lock; the other one makes none",
    "pasch.tasks.tell_staff": "a lock of the reader, and the time of the last mail",
    "pasch.tasks.decisions_take_effect": "one lock for all roles, and a grant that waits no more",
    "pasch.tasks.delete_accounts": "the person's lock, and a deletion that waits no more",
    "accounts.tasks.end_guests": "the guest's lock, and a guest that has ended",
    "accounts.tasks.forget_sessions": "deleting again deletes nothing",
    "accounts.tasks.send_mails": "the mail's lock until it is sent and marked",
    "ledger.tasks.seal": "one advisory lock for each stream, one for the places of the digests",
    "ledger.tasks.snapshot": "one snapshot of an account at a transfer",
    "ledger.tasks.lapse_proposals": "one update on the condition that it waits",
    "ledger.tasks.audit": "it only reads, and each run keeps a report of its own",
    "ledger.tasks.audit_in_turns": "the same",
    "ledger.tasks.audit_recent": "the same",
}
#: each run keeps one row of its own; nothing is done with the second
REPORTS = {"ledger_auditrun"}
TASKS = sorted(SAFE)


@pytest.mark.django_db(transaction=True)
def test_every_task_of_the_schedule_has_its_reason() -> None:
    celery_app.loader.import_default_modules()
    assert SAFE.keys() == PERIODIC.keys()


@pytest.fixture
def due(sitting: Sitting, magriel: User, hilde: User, settings: Any, tmp_path: Path) -> None:
    """A house in which much is due: a settled match, an outage, a bot's turn, a challenge, mails,
    a guest, a session, a deletion, entries to be sealed and no sit-and-go."""
    settings.LEDGER_SEAL_FILE = str(tmp_path / "seals.log")
    sitting.turn()
    sitting.give(0, cmd.Leave())
    table = table_open(user=magriel, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    Sitting(table, (magriel, hilde)).turn()
    practice_open(user=User.objects.create_user("alone"))
    challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    past = timezone.now() - timedelta(days=2)
    Challenge.objects.update(expires_at=past)
    mail_enqueue(to="somebody@example.org", subject="Once", body="and only once")
    User.objects.create_user("guest1", is_guest=True, last_login=past)
    Session.objects.create(session_key="old", session_data="", expire_date=past)
    ask(person_with("goes", 0, settings))
    wait_over()
    Heartbeat.objects.create(role=SWEEP, beat_at=timezone.now() - timedelta(seconds=60))


def counts() -> Counter[str]:
    """How many rows each table has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = [name for (name,) in cursor.fetchall() if name not in REPORTS]
        cursor.execute(" UNION ALL ".join(f"SELECT '{n}', count(*) FROM {n}" for n in names))
        return Counter(dict(cursor.fetchall()))


def task(name: str) -> Callable[[], object]:
    module, _, function = name.rpartition(".")
    found: Callable[[], object] = getattr(import_module(module), function)
    return found


def lines(settings: Any) -> list[str]:
    """The digests that were written out of the database."""
    path = Path(settings.LEDGER_SEAL_FILE)
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_a_task_beside_itself_does_its_work_once(due: None, name: str, settings: Any) -> None:
    if name == "ledger.tasks.snapshot":
        task("ledger.tasks.seal")()  # it ends at the last seal
    run, sent, known = task(name), len(mail.outbox), lines(settings)
    with undone():
        run()
        once, mails_once = counts(), len(mail.outbox) - sent
    del mail.outbox[sent:]
    Path(settings.LEDGER_SEAL_FILE).write_text("".join(f"{line}\n" for line in known))
    with racers(2) as race:
        outcomes = race([run, run])
    assert [each for each in outcomes if isinstance(each, Exception)] == []
    assert counts() == once
    assert len(mail.outbox) - sent == mails_once
    assert len(set(lines(settings))) == len(lines(settings)), "each digest is written once"
