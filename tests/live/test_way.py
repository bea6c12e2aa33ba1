"""The way of a roll: how much of the house a reader must open to follow one.

Counted at run time, with a real database: the files and functions that are entered from the frame
of a roll to its answer and its update. The library of the game, the web server and the database's
backend are left out: they are the same for everything. A test that fails names all of them.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from games import broadcast
from games.live import delivery, lane
from games.models import Match, Table
from games.selectors import table_state
from games.services.tables import table_command
from games.table import commands as cmd
from harness.waiting import WAIT_SECONDS
from kit import database
from tests.architecture.sources import ROOT
from tests.live.test_fast_lane import Pair, pair, sure, voice

__all__ = ["pair", "sure", "voice"]

OURS = tuple(f"{ROOT}/{room}/" for room in ("accounts", "games", "kit", "ledger", "ratings"))

#: files and functions that a roll enters at most; each change may only bring them down.
FAST_MOST = (21, 104)
SURE_MOST = (27, 121)

#: a timer of the event loop may fall into a roll, but not into each of so many.
ROLLS = 3

#: how often the sure lane asks for the mode of the table; the fast one never does.
SURE_LOOKS_MOST = 2

FOR_NOTHING = pytest.mark.parametrize("pair", [{"mode": "normal"}], indirect=True)

pytestmark = pytest.mark.django_db(transaction=True)


class Way:
    """The functions of the project that were entered, by file."""

    def __init__(self) -> None:
        self.entered: set[tuple[str, str]] = set()
        self.decided = 0
        self.looked_up = 0

    def note(self, frame: Any, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and "<" not in code.co_name:
            self.entered.add((code.co_filename[len(str(ROOT)) + 1 :], code.co_qualname))
            self.looked_up += code.co_qualname == "mode_of"
            if code.co_qualname == "TableDecision.give":
                self.decided += not isinstance(frame.f_locals["command"], cmd.Settle)

    @property
    def size(self) -> tuple[int, int]:
        """How many files and functions it has."""
        return len({file for file, _ in self.entered}), len(self.entered)

    def __repr__(self) -> str:
        files = sorted({file for file, _ in self.entered})
        lines = [
            f"  {file}: {', '.join(sorted(name for at, name in self.entered if at == file))}"
            for file in files
        ]
        return "\n".join(["{} files, {} functions".format(*self.size), *lines])


@contextmanager
def watched() -> Iterator[Way]:
    """Note what this thread, the event loop of the web process and its threads enter."""
    way = Way()
    _note_by(way.note)
    try:
        yield way
    finally:
        _note_by(None)


def _note_by(note: Callable[..., None] | None) -> None:
    threads = threading.Barrier(database.THREADS)

    def note_here() -> None:
        threads.wait(timeout=10)  # so that each thread has one of these calls
        sys.setprofile(note)

    for noted in [database._threads.submit(note_here) for _ in range(database.THREADS)]:
        noted.result(timeout=10)
    for loop in list(lane._lanes):
        if loop.is_running():
            done = threading.Event()
            loop.call_soon_threadsafe(sys.setprofile, note)
            loop.call_soon_threadsafe(done.set)
            assert done.wait(timeout=WAIT_SECONDS)
    sys.setprofile(note)


def before_a_roll(pair: Pair) -> int:
    """Play until a roll is asked for in a game that runs; the seat that rolls."""
    for _ in range(4):
        pair.turn()
    while True:
        seat, command = pair.wish()
        if command["type"] == "roll":
            return seat
        assert pair.give(seat, command)["type"] == "accepted"


def way_of_rolls(pair: Pair, ready: Callable[[int], Callable[[], object]]) -> Way:
    """What each of some rolls enters, and the most that one of them decides and looks up."""
    ways = [way_of_a_roll(pair, ready) for _ in range(ROLLS)]
    common = Way()
    common.entered = set.intersection(*[way.entered for way in ways])
    common.decided = max(way.decided for way in ways)
    common.looked_up = max(way.looked_up for way in ways)
    return common


def way_of_a_roll(pair: Pair, ready: Callable[[int], Callable[[], object]]) -> Way:
    """The way of a roll that leaves a play to choose; without one the next turn begins at once."""
    while True:
        seat = before_a_roll(pair)
        roll = ready(seat)
        with watched() as way:
            roll()
            pair.level()
        if pair.views[seat]["decider"] == seat:
            return way


@pytest.fixture(autouse=True)
def every_process_hears_valkey(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that loses Valkey, even for a moment, lengthens everybody's way for ten seconds."""
    monkeypatch.setattr(broadcast, "some_are_deaf", lambda: False)


@FOR_NOTHING
def test_a_roll_in_the_fast_lane(pair: Pair, sure: list[str]) -> None:
    def ready(seat: int) -> Callable[[], object]:
        sure.clear()
        return lambda: accepted(pair.give(seat, {"type": "roll"}))

    way = way_of_rolls(pair, ready)
    assert sure == []
    assert way.decided == 1
    assert way.looked_up == 0
    assert within(way, *FAST_MOST), way


@FOR_NOTHING
def test_a_roll_in_the_sure_lane(pair: Pair) -> None:
    def ready(seat: int) -> Callable[[], object]:
        table = Table.objects.get(pk=pair.table.pk)
        return partial(
            table_command,
            table_id=table.pk,
            user_id=table_state(table).seats[seat],
            command_id=str(uuid4()),
            seen_seq=table.seq,
            command=cmd.Roll(),
        )

    way = way_of_rolls(pair, ready)
    assert way.decided == 1
    assert way.looked_up <= SURE_LOOKS_MOST
    assert within(way, *SURE_MOST), way


@FOR_NOTHING
def test_a_command_that_is_refused_is_decided_once(pair: Pair, sure: list[str]) -> None:
    seat, taken = before_a_roll(pair), len(sure)
    with watched() as way:
        answer = pair.give(seat, {"type": "take"})
    assert answer["code"] == "wrong_phase"
    assert len(sure) == taken + 1
    assert way.decided == 1
    with watched() as way:
        assert pair.give(seat, {"type": "roll"})["type"] == "accepted"
        pair.level()
    assert way.decided == 1, "what was refused has left no trace"


@pytest.mark.slow
@FOR_NOTHING
def test_each_command_of_a_match_is_decided_once(
    pair: Pair, sure: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "FRAMES_PER_SECOND", 1_000_000.0)  # nobody thinks here
    given = 0
    with watched() as way:
        while Table.objects.get().phase != "over":
            pair.turn()
            pair.level()
            given += 1
    assert way.decided == given
    assert sure[-1] == "Play", "the last one ends the match, which takes a transaction"
    assert Match.objects.get().ended_at is not None


def accepted(answer: dict[str, Any]) -> None:
    assert answer["type"] == "accepted"


def within(way: Way, files: int, functions: int) -> bool:
    return way.size[0] <= files and way.size[1] <= functions
