"""The simulator's players at tables of the real services: stored, sent and replayed alike.

The same seeds run through the pure machine and through services, database and Valkey. The events
must be the same, and after every commit an update must equal a fresh fetch.
"""

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
import redis
from django.conf import settings as django_settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from backgammon.tests.amounts import LONG
from games.broadcast import channel_key, table_channel
from games.decisions import journal_record
from games.kinds import answers_forget
from games.models import CommandRecord, Deadline, Match, Table, TableEvent
from games.modes.terms import Terms
from games.selectors import resume_frame, table_state
from games.services import answers
from games.services.commit import TableChange, table_lock
from games.services.tables import table_command, table_create, table_sit, table_wake
from games.settlement import match_take_back
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError, TimeOver
from games.table.evolve import replay
from games.table.machine import dice_count, due_ms
from games.table.state import TableState
from games.wire import encode, event_from_payload, event_payload
from harness.dice import GivenDice
from harness.simulator.driver import Evening
from harness.simulator.house import (
    ASKED,
    GUEST,
    OPENER,
    STRANGER,
    WAIT_MS,
    PlayerMessage,
    SimulatedHouse,
)
from harness.waiting import WAIT_SECONDS
from kit.database import moment
from ledger.audit import run
from ledger.services.books import credits_issue
from tests.racing import racers

pytestmark = pytest.mark.django_db(transaction=True)

#: short tables of the simulator's seed 5, in which every event happens, and longer ones.
TABLES = (65, 97, 110, 111, 150, 349, 386)
if LONG:
    TABLES += (16, 178, 260, 550, 1301)
MORE = int(os.environ.get("REPLAYED_SERVICE_TABLES", "0"))
EVENT_TYPES = {event.__struct_config__.tag for event in ev.AnyEvent.__args__}


class ChanceDice(GivenDice):
    """The dice of the current run, in the order of the requests."""

    random: ClassVar[Random]

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        return now_ms + WAIT_MS if self.random.random() < ASKED else None

    def draw(self, state: TableState) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 6) for _ in range(dice_count(state)))


class RealHouse(SimulatedHouse):
    """The house of the simulator, in which the services do the work at the given time."""

    def __init__(self, people: dict[int, User], random: Random, terms: Terms) -> None:
        self.people = people
        ChanceDice.random = random
        self.client = redis.Redis.from_url(django_settings.REDIS_URL)
        self.heard = self.client.pubsub()
        self.table: Table | None = None
        super().__init__(random, terms)

    def give(self, command: cmd.Command, seat: int | None = None) -> str:
        try:
            with transaction.atomic():
                self._change(command, seat)
        except TableError as error:
            return error.code
        self._take_in()
        return "accepted"

    def _change(self, command: cmd.Command, seat: int | None) -> None:
        if isinstance(command, cmd.OpenTable):
            change = table_create(self.people[command.player].pk, command.terms)
            self.heard.subscribe(channel_key(table_channel(change.table.pk)))
            assert self.heard.get_message(timeout=WAIT_SECONDS)["type"] == "subscribe"
            self.table = change.table
            change.store()
        elif isinstance(command, cmd.Sit):
            self._sit(self.people[command.player].pk, command)
        else:
            table = table_lock(self.table.pk)
            change = TableChange(table, table_state(table), self.now_ms)
            ended = Match.objects.filter(pk=self._match_id(), ended_at__isnull=False).first()
            if isinstance(command, cmd.Void) and ended is not None and not self._is_void():
                change.transfer = match_take_back(ended, self.people[STRANGER], "a test")
            if isinstance(command, cmd.GiveDice):
                change.dice_fall()
            else:
                change.give(command, seat)
            change.store()
            if isinstance(command, cmd.Void | cmd.Adjudicate):
                journal_record(
                    actor=self.people[STRANGER],
                    verb=f"match.{type(command).__name__.lower()}",
                    subject=Match.objects.get(pk=self._match_id()).reference,
                    before={},
                    after={},
                    reason="a test",
                )

    def _sit(self, user_id: int, command: cmd.Sit) -> None:
        """Sit down as people do, or as the house bot does where a position is set up."""
        if command.setup is None:
            table_sit(user_id, self.table.pk)
            return
        change = TableChange.on(table_lock(self.table.pk))
        change.give(msgspec.structs.replace(command, player=user_id))
        change.store()

    def _dice_fall(self) -> tuple[cmd.Command, int | None]:
        """The services draw, not the driver of the evening."""
        return cmd.GiveDice(dice=(), auto=False), None

    def _match_id(self) -> str | None:
        return self.state.match.id if self.state.match else None

    def _is_void(self) -> bool:
        result = self.state.match.result if self.state.match else None
        return result is not None and not result.counts

    def receive(self, message: PlayerMessage) -> str:
        if (message.seat, message.id) in self.answers:
            code = self._command(message)
            assert code == "accepted"
            return "known"
        due = due_ms(self.state)
        late = due is not None and self.now_ms >= due and self.state.phase != "rolling"
        code = self._command(message)
        if late:
            self._take_in()
            return TimeOver.code
        if code == "accepted":
            self._take_in()
            self.answers[message.seat, message.id] = self.state.seq
        return code

    def _command(self, message: PlayerMessage) -> str:
        player = STRANGER if message.seat is None else (OPENER, GUEST)[message.seat]
        try:
            table_command(
                table_id=self.table.pk,
                user_id=self.people[player].pk,
                command_id=f"{message.seat}-{message.id}",
                seen_seq=message.seen_seq,
                command=message.command,
                now_ms=self.now_ms,
            )
        except TableError as error:
            return error.code
        return "accepted"

    def wake(self) -> bool:
        if not table_wake(self.table.pk, now_ms=self.now_ms):
            return False
        self._take_in()
        return True

    def _take_in(self) -> None:
        """Read the committed table and compare the update that all clients got with it."""
        self.table.refresh_from_db()
        known = len(self.events)
        if self.table.seq > known:
            self.state = table_state(self.table)
        rows = TableEvent.objects.filter(table=self.table, seq__gt=known).order_by("seq")
        payloads = [row.payload for row in rows]
        self.events += [event_from_payload(payload) for payload in payloads]
        self.seen.update(payload["type"] for payload in payloads)
        assert [row.seq for row in rows] == list(range(known + 1, self.state.seq + 1))
        if payloads:
            self._check_update(known, payloads)
            self._check_deadline()
        if isinstance(self.events[-1], ev.GameStarted) and self.matches == 2:
            # joining reads the database's clock; from there on time is the simulator's
            self.now_ms = max(self.now_ms, self.events[-1].at_ms)
        self._tell()

    def _check_update(self, known: int, payloads: list[dict[str, Any]]) -> None:
        update = json.loads(self.heard.get_message(timeout=WAIT_SECONDS)["data"])
        expected = [{"seq": known + n, **p} for n, p in enumerate(payloads, start=1)]
        assert update["events"] == expected
        fresh = json.loads(encode(resume_frame(self.table, 0, self.now_ms)))
        assert fresh["type"] == "snapshot"
        assert (update["seq"], update["view"]) == (fresh["seq"], fresh["view"])
        gap = json.loads(encode(resume_frame(self.table, known, self.now_ms)))
        if known:
            assert (gap["events"], gap["view"]) == (update["events"], update["view"])

    def _check_deadline(self) -> None:
        due = due_ms(self.state)
        rows = Deadline.objects.filter(table=self.table).values_list("due_at", flat=True)
        assert list(rows) == ([] if due is None else [moment(due)])

    def check_replay(self) -> None:
        """The stored rows of this table give its state, its results and its payouts."""
        rows = TableEvent.objects.filter(table=self.table).order_by("seq")
        events = [event_from_payload(row.payload) for row in rows]
        assert replay(events) == table_state(Table.objects.get(pk=self.table.pk))
        results: dict[int, Any] = {}
        matches = list(Match.objects.filter(table=self.table).order_by("number"))
        number = 0
        for event in events:
            if isinstance(event, ev.MatchStarted):
                number = event.number
            elif isinstance(event, ev.MatchEnded | ev.MatchVoided | ev.MatchSettled):
                results.setdefault(number, []).append(event)
        for match in matches:
            self._check_match(match, results[match.number])

    def _check_match(self, match: Match, told: list[Any]) -> None:
        last = told[-1]
        if isinstance(last, ev.MatchVoided):
            assert (match.winner_seat, match.ending) == (None, last.reason)
            assert match.paid_cents == [match.stake_cents] * 2
            return
        ended, settled = told[-2:]
        assert (match.winner_seat, match.ending) == (ended.winner, ended.ending)
        assert (match.points, tuple(match.score)) == (ended.points, ended.score)
        assert tuple(match.paid_cents) == settled.paid_cents
        assert match.rake_cents == settled.rake_cents


@pytest.fixture
def people(settings, magriel, hilde, tilo) -> dict[int, User]:
    """Three people who can pay any stake of the house."""
    settings.DICE_SOURCE = "tests.services.test_replay.ChanceDice"
    everybody = {OPENER: magriel, GUEST: hilde, STRANGER: tilo}
    for user in everybody.values():
        credits_issue(user=user, amount_cents=50_000_000, key=f"rich:{user.pk}", memo="to lose")
    return everybody


def plain(house: SimulatedHouse) -> Iterator[dict[str, object]]:
    """The events of a table without the fields that differ: ids, people, ratings, first times."""
    begun = next((e.at_ms for e in house.events if isinstance(e, ev.PlayerSat)), 2**53)
    for event in house.events:
        payload = event_payload(event)
        payload["at_ms"] = max(0, event.at_ms - begun)
        for name in ("match", "player", "elo_before", "elo_after"):
            payload.pop(name, None)
        for name in ("began_ms", "ended_ms", "due_ms"):
            if name in payload:
                payload[name] -= begun
        yield payload


@pytest.mark.slow
def test_services_do_what_the_machine_says(people):
    seen: set[str] = set()
    for number in (*TABLES, *range(1000, 1000 + MORE)):
        pure = Evening(f"5:{number}")
        pure.play()
        real = Evening(f"5:{number}", partial(RealHouse, people))
        seen |= set(real.play())
        assert list(plain(real.house)) == list(plain(pure.house)), f"table 5:{number}"
    assert EVENT_TYPES - seen == set()
    assert [result for result in run().results if result.findings] == []


# --- forgotten answers ----------------------------------------------------------------------------
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
