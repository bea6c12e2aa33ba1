"""The fast lane stores, sends and refuses the same as the sure lane."""

import asyncio
import threading
from contextlib import ExitStack
from functools import partial
from random import Random
from uuid import uuid4

import pytest
from django.db import connection, transaction
from msgspec import to_builtins

from backgammon.rules.position import Position
from examples.fair_dice import Part
from games.live import table as table_socket
from games.live.hub import Hub
from games.live.lane import Lane, LaneMove
from games.models import (
    CommandRecord,
    Deadline,
    DiceRoll,
    GameDice,
    Match,
    Table,
    TableEvent,
)
from games.selectors import table_state
from games.services.attendance import attendance_note
from games.services.commit import table_lock
from games.services.dice.fair import FAIR_DICE
from games.services.fast_lane import command_plan
from games.services.tables import CommandAnswer, table_command, table_join, table_open
from games.table import commands as cmd
from games.table.evolve import replay
from games.table.machine import due_ms
from games.wire import CommandFrame, event_from_payload
from harness.hands import walk
from harness.rig import opener_begins
from harness.voice import Voice, socket_of
from kit.database import moment
from tests.services.test_fair_dice import failures

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 24


@pytest.fixture
def sure(monkeypatch) -> list[str]:
    """The types of the commands that took the sure lane."""
    taken: list[str] = []

    def noted(**told: object) -> object:
        taken.append(type(told["command"]).__name__)
        return table_command(**told)

    monkeypatch.setattr(table_socket, "table_command", noted)
    return taken


class Pair:
    """Both players at one table, with their parts of the dice and the frames that each received."""

    def __init__(self, table: Table, voices: list[Voice], parts: list[Part] | None = None) -> None:
        self.table, self.voices = table, voices
        self.parts = parts or [Part(0), Part(1)]  # those of an earlier connection go on
        self.silent_from: dict[int, int] = {}
        self.views: list[dict] = [{}, {}]
        self.events: list[list[dict]] = [[], []]
        self.random = Random(7)
        for seat, voice in enumerate(voices):
            voice.hear("welcome")
            self.views[seat] = voice.resume()["view"]
            self.part(seat)
        while not all(self.views[0]["fair"]["given"]):
            self.listen(0, "fair")

    def listen(self, seat: int, *types: str) -> dict:
        """The next frame of one of these types; meanwhile the seat's parts of the dice are sent."""
        while True:
            frame = self.voices[seat].hear(*types, "snapshot", "update", "fair", "error")
            if frame["type"] == "error":  # a part that crossed with the roll it is for
                assert frame["code"] == "dice_refused", frame
            if frame["type"] in ("snapshot", "update"):
                self.views[seat] = frame["view"]
                self.events[seat] += frame.get("events", [])
            elif frame["type"] == "fair":
                self.views[seat]["fair"] = frame["fair"]
            self.part(seat)
            if frame["type"] in types:
                return frame

    def part(self, seat: int) -> None:
        """Send the part that the dice need from this seat, unless it is silent by now."""
        fair = self.views[seat]["fair"]
        if fair and fair["next"] >= self.silent_from.get(seat, fair["next"] + 1):
            return
        for frame in self.parts[seat].frames(self.views[seat]):
            self.voices[seat].say(frame)

    def give(self, seat: int, command: dict, **fields: object) -> dict:
        """A command and its answer."""
        frame = {"type": "command", "id": str(uuid4()), "seq": self.voices[seat].seq}
        self.voices[seat].say({**frame, "command": command, **fields})
        return self.listen(seat, "accepted", "rejected")

    def level(self) -> None:
        """Wait until both have received everything and a player must decide."""
        while True:
            table = Table.objects.get(pk=self.table.pk)
            for seat in (0, 1):
                while self.voices[seat].seq < table.seq:
                    self.listen(seat, "update")
            if table.phase != "rolling":
                return
            self.listen(0, "update")  # both have given their parts

    def wish(self) -> tuple[int, dict]:
        """The decider and their command: roll or play."""
        self.level()
        seat = self.views[0]["decider"]
        graph = self.views[seat]["graph"]
        if "play" in self.views[seat]["actions"][seat]:
            return seat, {"type": "play", "moves": walk(graph, self.random)}
        return seat, {"type": "roll"}

    def turn(self) -> None:
        """The decider rolls or plays."""
        seat, command = self.wish()
        answer = self.give(seat, command)
        assert answer["type"] == "accepted", answer


@pytest.fixture
def pair(voice, magriel, hilde, settings, request):
    """`magriel` and `hilde` play a prize match or, by parameter, a game for nothing."""
    settings.DICE_SOURCE = FAIR_DICE
    terms = getattr(request, "param", {"mode": "prize5", "stake_cents": 250})
    table = table_open(user=magriel, **opener_begins(terms))
    table_join(user=hilde, table_id=table.pk)
    return Pair(table, [voice(user, table_id=table.pk) for user in (magriel, hilde)])


@pytest.fixture
def voice(live):
    """Clients as in the other tests, for the tables of these tests alone."""
    opened = ExitStack()

    def call(user, *, table_id) -> Voice:
        return Voice(opened.enter_context(socket_of(user, live, table_id, max_size=None)))

    with opened:
        yield call


BOTH = pytest.mark.parametrize(
    "pair", [{"mode": "prize5", "stake_cents": 250}, {"mode": "normal"}], indirect=True
)


@BOTH
def test_a_game_leaves_the_same_rows_as_the_sure_lane(pair, sure):
    for _ in range(TURNS):
        pair.turn()
    pair.level()
    table = Table.objects.get(pk=pair.table.pk)
    state = table_state(table)
    rows = list(TableEvent.objects.filter(table=table).order_by("seq"))
    assert [row.seq for row in rows] == list(range(1, table.seq + 1))
    assert all(row.type == row.payload["type"] for row in rows)
    assert replay(event_from_payload(row.payload) for row in rows) == state
    assert Deadline.objects.get(table=table).due_at == moment(due_ms(state))
    assert (table.phase, table.seq) == (state.phase, state.seq)
    records = CommandRecord.objects.filter(table_id=table.pk)
    assert records.count() == TURNS
    assert {row.seq for row in records} <= {row.seq for row in rows}
    dice = GameDice.objects.get(table=table)
    rolls = list(DiceRoll.objects.filter(game=dice).order_by("n"))
    assert [roll.n for roll in rolls] == list(range(dice.next_roll))
    rolled = [row.seq for row in rows if row.type in ("dice_rolled", "rolled_off")]
    assert [roll.seq for roll in rolls] == rolled
    assert not any(roll.flags & 0b11 for roll in rolls), "both took part in each roll"
    for heard in pair.events:
        first = heard[0]["seq"]
        assert heard == [{"seq": row.seq, **row.payload} for row in rows if row.seq >= first]
    assert len(sure) <= 2, "the dice are opened with care, everything after that is fast"


def test_the_same_command_again_gets_the_same_answer(pair, sure):
    for _ in range(4):
        pair.turn()
    seat, command = pair.wish()
    again = {"id": "once", "seq": pair.voices[seat].seq}
    first, second = pair.give(seat, command, **again), pair.give(seat, command, **again)
    assert (first["type"], first["seq"]) == (second["type"], second["seq"])
    assert CommandRecord.objects.filter(table_id=pair.table.pk, command_id="once").count() == 1


def test_what_was_changed_elsewhere_is_read_again(pair, sure):
    for _ in range(6):
        pair.turn()
    pair.level()
    Table.objects.filter(pk=pair.table.pk).update(changed_at=moment(0))  # it is not published
    del sure[:]
    pair.turn()
    assert sure == []
    before = Table.objects.get(pk=pair.table.pk).seq
    assert attendance_note(table_id=pair.table.pk, seat=0, present=False)
    pair.level()
    assert pair.voices[0].seq > before
    pair.turn()


def test_a_table_that_is_locked_takes_the_sure_lane_and_waits(pair, sure):
    for _ in range(6):
        pair.turn()
    pair.level()
    del sure[:]
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            table_lock(pair.table.pk)
            held.set()
            free.wait(20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(20)
    threading.Timer(0.3, free.set).start()
    pair.turn()
    holder.join()
    assert len(sure) == 1


#: the player on roll has a checker on the bar and faces a closed board; the opponent has spares.
CLOSED_OUT = "0 0 0 4 5 5 0 0 0 0 0 -3 0 0 0 0 0 0 -2 -2 -2 -2 -2 -2 | bar 1 0 | off 0 0"


@pytest.mark.slow
def test_a_roll_that_a_part_in_the_dice_led_to_waits_for_nobody_for_long(pair, sure):
    """No sweep runs here: the last part of a roll without a play starts the next roll."""
    while pair.wish()[1]["type"] != "roll" or Table.objects.get(pk=pair.table.pk).seq < 8:
        pair.turn()
    dancer = pair.views[0]["decider"]
    table = Table.objects.get(pk=pair.table.pk)
    game = table.state["match"]["game"]
    game["position"] = to_builtins(Position.parse(CLOSED_OUT))
    game["cube"] = {"value": 2, "owner": dancer}  # so that the opponent has no decision
    table.save(update_fields=["state"])
    dice = GameDice.objects.get(table=table)
    pair.silent_from[dancer] = dice.next_roll + 1
    pair.give(dancer, {"type": "roll"})
    types: list[str] = []
    while types.count("dice_rolled") < 2:
        update = pair.listen(1 - dancer, "update")
        types += [event["type"] for event in update["events"]]
    assert types[-4:] == ["dice_rolled", "play_made", "dice_asked_for", "dice_rolled"]
    missing = DiceRoll.objects.get(game=dice, n=dice.next_roll + 1).flags
    assert missing & 0b11 == 1 << dancer, "it fell without him"


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1])
def test_a_move_and_leaving_at_once_are_two_events_in_one_order(pair, sure, first):
    for _ in range(6):
        pair.turn()
    seat, command = pair.wish()
    leaver = 1 - seat
    frames = {seat: command, leaver: {"type": "leave"}}
    for speaker in (seat, leaver) if first == 0 else (leaver, seat):
        voice = pair.voices[speaker]
        frame = {"type": "command", "id": str(uuid4()), "seq": voice.seq}
        voice.say({**frame, "command": frames[speaker]})
    for voice in pair.voices:
        while voice.hear("update")["view"]["phase"] != "over":
            pass
    match = Match.objects.get(table=pair.table)
    assert (match.ending, match.winner_seat) == ("left", seat)
    assert failures(match) == []
    rows = TableEvent.objects.filter(table=pair.table).order_by("seq")
    events = [event_from_payload(row.payload) for row in rows]
    assert replay(events) == table_state(Table.objects.get(pk=pair.table.pk))
    assert [row.seq for row in rows] == list(range(1, len(events) + 1))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "roll"}, "wrong_phase"),
        ({"type": "play", "moves": [[24, 1, 6]]}, "illegal_play"),
        ({"type": "take"}, "wrong_phase"),
    ],
)
def test_refusals_are_those_of_the_sure_lane(pair, sure, command, code):
    for _ in range(4):
        pair.turn()
    pair.level()
    while "play" not in pair.views[0]["actions"][0]:
        pair.turn()
        pair.level()
    pair.level()
    events = TableEvent.objects.filter(table=pair.table).count()
    told = pair.give(0, command)
    assert (told["type"], told["code"]) == ("rejected", code)
    assert TableEvent.objects.filter(table=pair.table).count() == events


@pytest.mark.slow
def test_after_the_time_is_over_nothing_is_fast(pair, sure):
    for _ in range(6):
        pair.turn()
    pair.level()
    while "roll" not in pair.views[0]["actions"][0] and "play" not in pair.views[0]["actions"][0]:
        pair.turn()
        pair.level()
    table = Table.objects.get(pk=pair.table.pk)
    clock = table.state["clock"]
    clock["since_ms"] -= 10**9
    table.save(update_fields=["state"])
    told = pair.give(0, {"type": "roll"})
    assert told["code"] == "time_over"
    assert Table.objects.get(pk=table.pk).phase == "over"


def test_the_newest_state_is_there_while_a_move_is_under_way(pair, sure):
    """Else the timer of a roll that has fallen would wake the table in a transaction of its own."""
    for _ in range(4):
        pair.turn()
    pair.level()
    table = Table.objects.get(pk=pair.table.pk)
    state, found = table_state(table), Hub()
    players = [state.seats[state.decider], state.seats[1 - state.decider]]
    commands = [cmd.OfferResignation(level=1), cmd.RefuseResignation()]
    told: list[tuple[object, object]] = []

    async def story() -> None:
        own = Lane(found)
        for number, (player, command) in enumerate(zip(players, commands, strict=True)):
            before = own.newest(table.pk)
            frame = CommandFrame(id=str(uuid4()), seq=table.seq + number, command=command)
            decide = partial(command_plan, user_id=player, frame=frame)
            own.put(LaneMove(table.pk, decide, lambda *outcome: told.append(outcome)))
            assert own.newest(table.pk) is before, "it is the state that the move is decided on"
            while len(told) <= number:
                await asyncio.sleep(0)
            after = own.newest(table.pk)
            assert after is not None
            assert after.seq == table.seq + number + 1
        await own.close()

    asyncio.run(asyncio.wait_for(story(), 20))
    assert [error for _, error in told] == [None, None]
    assert all(isinstance(answer, CommandAnswer) for answer, _ in told), "both were fast"
