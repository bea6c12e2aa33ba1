"""The frames the players received: kept by the soak, and compared with the rows afterwards."""

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The house said `accepted` to this command, as event `seq` of the table."""

    table: str
    user: int
    command: str
    seq: int
    type: str


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was broken: its number (I1 to I18), and what was seen."""

    code: str
    text: str


@dataclass(slots=True)
class Journal:
    """Everything that was acknowledged and seen. Contradictions are violations at once."""

    acknowledged: dict[tuple[str, int, str], Acknowledged] = field(default_factory=dict)
    events: dict[str, dict[int, bytes]] = field(default_factory=dict)
    rolls: dict[tuple[str, int], tuple[Any, ...]] = field(default_factory=dict)
    results: dict[tuple[str, int], dict[int, Json]] = field(default_factory=dict)
    decisions: list[Json] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    games: set[tuple[str, int]] = field(default_factory=set)
    waits_ms: list[float] = field(default_factory=list)
    answered_s: list[float] = field(default_factory=list)
    """When each of these answers came, in seconds since 1970."""

    def violated(self, code: str, text: str) -> None:
        """Note a broken promise."""
        self.violations.append(Violation(code, f"{time.strftime('%H:%M:%S')} {text}"))

    def accept(self, told: Acknowledged) -> None:
        """A command was acknowledged; the same one again must be answered the same."""
        self.counts["acknowledged"] += 1
        key = (told.table, told.user, told.command)
        known = self.acknowledged.setdefault(key, told)
        if known.seq != told.seq:
            self.violated(
                "I5",
                f"table {told.table}: {told.type} {told.command} was accepted as {known.seq}"
                f" and, repeated, as {told.seq}",
            )

    def waited(self, seconds: float) -> None:
        """A command was answered after so long, reconnecting included."""
        self.waits_ms.append(seconds * 1000)
        self.answered_s.append(time.time())

    def see(self, table: str, frames: list[Json]) -> None:
        """Record received events; all players must receive the same event for a number."""
        known = self.events.setdefault(table, {})
        for frame in frames:
            seq, seen = frame["seq"], digest(frame)
            if frame["type"] == "game_ended":
                self.games.add((table, seq))
            if known.setdefault(seq, seen) != seen:
                self.violated("I5", f"table {table}: event {seq} was told in two ways: {frame}")

    def see_dice(self, fair: Json) -> None:
        """Rolls were shown; each number of a game has one roll for everybody."""
        for roll in fair["rolls"]:
            shown = shown_roll(roll)
            if self.rolls.setdefault((fair["game"], roll["n"]), shown) != shown:
                self.violated(
                    "I7", f"game {fair['game']}: roll {roll['n']} was shown in two ways: {shown}"
                )

    def end(self, table: str, number: int, user: int, result: Json) -> None:
        """A player received the end of match `number` of a table."""
        told = self.results.setdefault((table, number), {})
        told[user] = result


def digest(event: Json) -> bytes:
    """Eight bytes that distinguish events; the event with its number, as clients get it."""
    text = json.dumps(event, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).digest()


def shown_roll(roll: Json) -> tuple[Any, ...]:
    """The fields of a roll that must be the same for everybody."""
    return (tuple(roll["dice"]), roll["flags"], roll["s"], roll["eW"], roll["eB"])
