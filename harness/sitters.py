"""Two people at a table of any mode, brought near its end by real commands, and their clients.

Every play on the way to the moment under test goes through the machine and is stored with its
events, many in one transaction; so tables can be replayed and audits find nothing.
"""

import json
from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.broadcast import channel_key, table_channel
from games.models import Match, Table
from games.selectors import resume_frame, table_state
from games.services.commit import TableChange, table_lock
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table import events as ev
from games.table.machine import decide
from games.table.turn import legal_plays
from games.wire import encode
from harness.dice import ScriptedDice
from harness.rig import Rig, opener_begins, terms_for
from harness.sitting import Sitting
from harness.voice import Voice, mistakes, socket_of
from harness.waiting import WAIT_SECONDS
from kit.database import database_now_ms

Roll = tuple[int, int]

#: rolls, over and over, and which of the legal plays each takes (0: the first, -1: the last), that
#: let the player who starts win at a level; found by trying.
STARTER_WINS: dict[int, tuple[tuple[Roll, ...], int]] = {
    1: (((6, 6), (6, 6), (6, 6), (4, 4)), -1),
    2: (((6, 6), (5, 5), (6, 6), (2, 1)), -1),
    3: (((6, 6), (6, 6), (5, 5), (4, 3)), 0),
}
_numbers = count(1)


class Ear:
    """Receives, without a socket, a table's published messages and a new client's first frames."""

    def __init__(self, table_id: UUID, subscription: Any) -> None:
        self.table_id = table_id
        self.subscription = subscription
        self.seq = 0
        self.heard: list[dict[str, Any]] = []
        subscription.subscribe(channel_key(table_channel(table_id)))
        assert subscription.get_message(timeout=WAIT_SECONDS)["type"] == "subscribe"

    def hear(self, *types: str) -> dict[str, Any]:
        """The next frame of one of these types; others are stored in `heard`."""
        while True:
            message = self.subscription.get_message(timeout=WAIT_SECONDS)
            assert message is not None, f"nobody said {types}"
            frame = self._keep(message["data"])
            if frame["type"] in types:
                return frame

    def resume(self) -> dict[str, Any]:
        """The snapshot of a fresh fetch."""
        table = Table.objects.get(pk=self.table_id)
        return self._keep(encode(resume_frame(table, 0, database_now_ms())))

    def _keep(self, text: str | bytes) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(text)
        assert mistakes(frame) == []
        self.heard.append(frame)
        self.seq = frame.get("seq", self.seq)
        return frame


class Sitters(Sitting):
    """Two new people at a new table; `heard` has the frames since the clients were opened."""

    def __init__(self, **wishes: Any) -> None:
        number, wishes = next(_numbers), opener_begins(wishes)
        opener = User.objects.create_user(f"opener{number}")
        if wishes["mode"] == "practice":
            table = practice_open(user=opener, **{k: v for k, v in wishes.items() if k != "mode"})
            guest = User.objects.get(pk=table.guest_id)
        else:
            guest = User.objects.create_user(f"guest{number}")
            table = table_open(user=opener, **wishes)
            table_join(user=guest, table_id=table.pk)
        super().__init__(Table.objects.get(pk=table.pk), (opener, guest))
        self.before = self.balances()
        self.voices: list[Voice | Ear] = []
        self.seen_seq = 0
        self.last_play = cmd.Play(moves=())

    @property
    def match(self) -> Match:
        """The current match, or the last one."""
        return Match.objects.filter(table_id=self.pk).latest("number")

    # --- many commands at once --------------------------------------------------------------------
    def _at_once(self, act: Callable[[TableChange], Any]) -> Any:
        with transaction.atomic(durable=True):
            table = table_lock(self.pk)
            change = TableChange(table, table_state(table), database_now_ms())
            done = act(change)
            change.store()
        return done

    def begin(self) -> None:
        """The first turn of the match: from now on it counts."""
        self._at_once(_turn)

    def double_taken(self) -> None:
        """The next player who may double does, and the other takes."""
        self._at_once(_double_taken)

    def game_won(self, winner: int, points: int, *, next_level: int = 0) -> None:
        """The other resigns the running game at this level, and the next one begins.

        With `next_level` the dice let its starter win it at that level.
        """

        def act(change: TableChange) -> None:
            _until_on_roll(change, 1 - winner)
            _resign(change, 1 - winner, points)
            if next_level:
                _lay(change, next_level)
            for seat in (0, 1):
                change.give(cmd.Ready(), seat)

        self._at_once(act)

    def until_double(self, seat: int) -> None:
        """Play until this seat may double."""
        self._at_once(lambda change: _until(change, seat, "roll"))

    def until_resignation(self, seat: int) -> None:
        """Play until this seat may resign."""
        self._at_once(lambda change: _until_on_roll(change, seat))

    def until_last_play(self, level: int, *, doubled: bool = False) -> None:
        """Play until one play, `last_play`, wins the game at this level for its starter.

        With `doubled` the cube is at two by then. Later games need their dice from `game_won`.
        """

        def act(change: TableChange) -> cmd.Play:
            if change.state.before_first_roll:
                _lay(change, level)
            which = STARTER_WINS[level][1]
            if doubled:
                _double_taken(change, which)
            return _until_last_play(change, which)

        self.last_play = self._at_once(act)

    def until_drawn(self, variant: str, seed: int) -> None:
        """Play until one play, `last_play`, draws the game, with the random game of this seed."""
        rolls, commands = drawn_game(variant, seed)
        ScriptedDice.script = list(rolls)

        def act(change: TableChange) -> None:
            for command in commands[:-1]:
                change.give(command, change.state.decider)

        self._at_once(act)
        self.last_play = commands[-1]

    # --- the clients ------------------------------------------------------------------------------
    def listen(self, address: str, stack: Any) -> None:
        """Open a client of the table for each player."""
        for user in self.players:
            socket = socket_of(user, address, self.pk, max_size=None)
            self.voices.append(Voice(stack.enter_context(socket)))
        self._begin_to_hear()

    def overhear(self, stack: Any) -> None:
        """Listen to the messages that the house publishes to this table, without a client."""
        valkey = stack.enter_context(redis.Redis.from_url(settings.REDIS_URL))
        self.voices.append(Ear(self.pk, stack.enter_context(valkey.pubsub())))
        self._begin_to_hear()

    def _begin_to_hear(self) -> None:
        for voice in self.voices:
            voice.resume()
        self.seen_seq = self.table.seq

    def heard(self) -> Sequence[dict[str, Any]]:
        """The events that all clients have received, and their view, which equals a fresh fetch."""
        told = [_told(voice, self.table.seq) for voice in self.voices]
        events = [[e for e in one if e["seq"] > self.seen_seq] for one, _view in told]
        assert [one for one in events if one != events[0]] == [], "all hear the same"
        assert [view for _, view in told if view != told[0][1]] == [], "all see the same"
        for voice, (_events, view) in zip(self.voices, told, strict=True):
            assert voice.resume()["view"] == view, "an update says what a fresh fetch says"
        return events[0]


def _told(voice: Voice | Ear, seq: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every event that a client has received, and its current view."""
    while voice.seq < seq:
        voice.hear("update")
    frames = [frame for frame in voice.heard if frame["type"] in ("update", "snapshot")]
    events = [event for frame in frames for event in frame.get("events", ())]
    return events, frames[-1]["view"]


def _play(change: TableChange, which: int = 0) -> cmd.Play:
    game = change.state.game
    assert game is not None
    moves = list(legal_plays(change.state, game, game.dice))[which]
    return cmd.Play(moves=tuple((move.source, move.target, move.die) for move in moves))


def _turn(change: TableChange, which: int = 0) -> None:
    """The next roll or play of the player on roll."""
    game = change.state.game
    assert game is not None
    command = cmd.Roll() if change.state.phase == "roll" else _play(change, which)
    change.give(command, game.on_roll)


def _until(change: TableChange, seat: int, *phases: str) -> None:
    while change.state.before_first_roll or not (
        change.state.decider == seat and change.state.phase in phases
    ):
        _turn(change)


def _until_on_roll(change: TableChange, seat: int) -> None:
    _until(change, seat, "roll", "play")


def _resign(change: TableChange, seat: int, level: int) -> None:
    change.give(cmd.OfferResignation(level=level), seat)
    if change.state.phase == "resignation_offered":
        change.give(cmd.AcceptResignation(), 1 - seat)


def _until_last_play(change: TableChange, which: int) -> cmd.Play:
    while True:
        if change.state.phase == "play":
            command = _play(change, which)
            seat = change.state.decider
            events = decide(change.state, command, change.now_ms, seat)
            if any(isinstance(event, ev.GameEnded) for event in events):
                return command
        _turn(change, which)


def _double_taken(change: TableChange, which: int = 0) -> None:
    while change.state.before_first_roll or change.state.phase != "roll":
        _turn(change, which)
    seat = change.state.decider
    assert seat is not None
    change.give(cmd.Double(), seat)
    change.give(cmd.Take(), 1 - seat)


def _lay(change: TableChange, level: int) -> None:
    """Set the dice of `STARTER_WINS` so that the next roll is their first."""
    rolls = STARTER_WINS[level][0]
    assert change.state.match is not None
    done = change.state.match.rolls
    ScriptedDice.script = [rolls[(place - done) % len(rolls)] for place in range(len(rolls))]


def drawn_game(variant: str, seed: int) -> tuple[list[tuple[int, ...]], list[cmd.PlayerCommand]]:
    """The rolls and commands of a random game that ended in a draw."""
    random = Random(f"{variant}:{seed}")
    chance = iter(lambda: (random.randint(1, 6), random.randint(1, 6)), None)
    rig = Rig(chance, terms_for(mode="normal", variant=variant)).sit()
    commands: list[cmd.PlayerCommand] = []
    while rig.state.phase != "over":
        if rig.state.phase == "play":
            made = next(e for e in rig.play_random(random) if isinstance(e, ev.PlayMade))
            commands.append(cmd.Play(moves=made.moves))
        else:
            rig.give(cmd.Roll(), rig.on_roll)
            commands.append(cmd.Roll())
    assert rig.state.match is not None
    assert rig.state.match.last_game is not None
    assert rig.state.match.last_game.winner is None, f"{variant}:{seed} is no draw"
    rolls = [event.dice for event in rig.events if isinstance(event, ev.DiceRolled)]
    return rolls, commands
