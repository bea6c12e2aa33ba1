"""The record of one game's dice: everything that a stranger needs to check them.

Its JSON has every value of 16, 32 or 64 bytes in lower-case hexadecimal, see docs/dice.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from backgammon.dice.errors import BadRecord
from backgammon.dice.opening import Json, Mode, context_hash


@dataclass(frozen=True, slots=True)
class RecordedRoll:
    """One roll: its three elements (32 bytes each) and the dice they gave."""

    n: int
    kind: int
    flags: int
    house: bytes
    white: bytes
    black: bytes
    dice: tuple[int, ...]

    def to_json(self) -> dict[str, Json]:
        """The roll under the names of the record's JSON."""
        elements = {"s": self.house.hex(), "eW": self.white.hex(), "eB": self.black.hex()}
        numbers: dict[str, Json] = {"n": self.n, "kind": self.kind, "flags": self.flags}
        return {**numbers, **elements, "dice": list(self.dice)}


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """A seat's play of roll `n`: moves are (from, to, die), points in its own numbering.

    A variant may give a turn more plays of the same roll without chance; those show doubles.
    """

    n: int
    seat: int
    dice: tuple[int, ...]
    moves: tuple[tuple[int, int, int], ...]

    def to_json(self) -> dict[str, Json]:
        """The play under the names of the record's JSON."""
        moves: list[Json] = [list(move) for move in self.moves]
        return {"n": self.n, "seat": self.seat, "dice": list(self.dice), "moves": moves}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Where the opening stands in the public log: its number, the hash before, its own hash."""

    number: int
    previous: bytes
    hash: bytes

    def to_json(self) -> dict[str, Json]:
        """The entry under the names of the record's JSON."""
        return {
            "number": self.number,
            "previous": self.previous.hex(),
            "hash": self.hash.hex(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The dice of one game.

    `terms` is canonical JSON. `white` and `black` are tips in mode L and commitments in mode K,
    where the record has the seeds, too. Parts that a record does not have (None) are not checked.
    """

    game_id: bytes
    terms: str
    mode: Mode
    house_tip: bytes
    white: bytes
    black: bytes
    open_hash: bytes
    rolls: tuple[RecordedRoll, ...] = field(default=())
    ctx: bytes | None = None
    white_seed: bytes | None = None
    black_seed: bytes | None = None
    signature: bytes | None = None
    public_key: bytes | None = None
    log: LogEntry | None = None
    plays: tuple[RecordedPlay, ...] | None = None

    @property
    def context(self) -> bytes:
        """The hash calculated from the terms, not the one the record claims."""
        return context_hash(self.terms.encode())

    def to_json(self) -> dict[str, Json]:
        """The record as JSON; what it does not have is left out."""
        known: dict[str, Json] = {
            "protocol": "BGD1",
            "game_id": self.game_id.hex(),
            "terms": self.terms,
            "mode": self.mode,
            "s0": self.house_tip.hex(),
            "w": self.white.hex(),
            "b": self.black.hex(),
            "open_hash": self.open_hash.hex(),
        }
        optional = {
            "ctx": self.ctx,
            "seed_W": self.white_seed,
            "seed_B": self.black_seed,
            "signature": self.signature,
            "public_key": self.public_key,
        }
        known |= {name: value.hex() for name, value in optional.items() if value is not None}
        known["rolls"] = [roll.to_json() for roll in self.rolls]
        if self.log is not None:
            known["log"] = self.log.to_json()
        if self.plays is not None:
            known["moves"] = [play.to_json() for play in self.plays]
        return known


_REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one JSON object; `where` names it in errors. All methods raise `BadRecord`."""

    source: object
    where: str

    def value(self, name: str, default: object = _REQUIRED) -> object:
        """A field of any type."""
        if not isinstance(self.source, Mapping):
            raise BadRecord(f"{self.where} is not a JSON object")
        found: object = self.source.get(name, default)
        if found is _REQUIRED:
            raise BadRecord(f"{self.where} has no field {name}")
        return found

    def text(self, name: str) -> str:
        """A field of text."""
        found = self.value(name)
        if not isinstance(found, str):
            raise BadRecord(f"{name} of {self.where} is not text")
        return found

    def octets(self, name: str, size: int) -> bytes:
        """A field of `size` bytes in lower-case hexadecimal."""
        found = self.text(name)
        if len(found) != 2 * size or set(found) - set("0123456789abcdef"):
            raise BadRecord(f"{name} of {self.where} is not {2 * size} hexadecimal digits")
        return bytes.fromhex(found)

    def optional_octets(self, name: str, size: int) -> bytes | None:
        """Such a field, or None if it is not there."""
        return None if self.value(name, None) is None else self.octets(name, size)

    def number(self, name: str) -> int:
        """A field with an integer that is not negative."""
        return self._number(self.value(name), name)

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field with a list of such integers."""
        return self._numbers(self.value(name), name)

    def number_lists(self, name: str) -> tuple[tuple[int, ...], ...]:
        """A field with a list of lists of such integers."""
        return tuple(self._numbers(item, name) for item in self._list(name))

    def entries(self, name: str, entry: str) -> "Iterator[Fields]":
        """The objects in a field with a list; `entry` is what one of them is called."""
        for number, item in enumerate(self._list(name)):
            yield Fields(item, f"{entry} {number} (counted from 0)")

    def _list(self, name: str) -> "Iterator[object]":
        found = self.value(name)
        if not isinstance(found, list | tuple):
            raise BadRecord(f"{name} of {self.where} is not a list")
        yield from found

    def _numbers(self, found: object, name: str) -> tuple[int, ...]:
        if not isinstance(found, list | tuple):
            raise BadRecord(f"{name} of {self.where} is not a list of numbers")
        return tuple(self._number(item, name) for item in found)

    def _number(self, found: object, name: str) -> int:
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise BadRecord(f"{name} of {self.where} is not a whole number from 0 on")
        return found


def record_of_json(value: object) -> Record:
    """The record in a JSON object; unknown names are ignored. Raises `BadRecord`."""
    fields = Fields(value, "the record")
    mode = fields.text("mode")
    if mode not in ("K", "L"):
        raise BadRecord(f"mode of the record is K or L, not {mode!r}")
    log = fields.value("log", None)
    plays = fields.value("moves", None)
    return Record(
        game_id=fields.octets("game_id", 16),
        terms=fields.text("terms"),
        mode="K" if mode == "K" else "L",
        house_tip=fields.octets("s0", 32),
        white=fields.octets("w", 32),
        black=fields.octets("b", 32),
        open_hash=fields.octets("open_hash", 32),
        rolls=tuple(_roll(entry) for entry in fields.entries("rolls", "roll")),
        ctx=fields.optional_octets("ctx", 32),
        white_seed=fields.optional_octets("seed_W", 32),
        black_seed=fields.optional_octets("seed_B", 32),
        signature=fields.optional_octets("signature", 64),
        public_key=fields.optional_octets("public_key", 32),
        log=None if log is None else _log_entry(Fields(log, "the log entry")),
        plays=None if plays is None else tuple(map(_play, fields.entries("moves", "play"))),
    )


def records_of_json(value: object) -> tuple[Record, ...]:
    """The records of a match, `{"games": [...]}`, or of one game. Raises `BadRecord`."""
    if isinstance(value, Mapping) and "games" in value:
        games = value["games"]
        if not isinstance(games, list) or not games:
            raise BadRecord("games of a match is a list with at least one record")
        return tuple(record_of_json(game) for game in games)
    return (record_of_json(value),)


def _roll(fields: Fields) -> RecordedRoll:
    return RecordedRoll(
        n=fields.number("n"),
        kind=fields.number("kind"),
        flags=fields.number("flags"),
        house=fields.octets("s", 32),
        white=fields.octets("eW", 32),
        black=fields.octets("eB", 32),
        dice=fields.numbers("dice"),
    )


def _play(fields: Fields) -> RecordedPlay:
    moves = fields.number_lists("moves")
    if any(len(move) != 3 for move in moves):
        raise BadRecord(f"a move of {fields.where} is [from, to, die]")
    return RecordedPlay(
        n=fields.number("n"),
        seat=fields.number("seat"),
        dice=fields.numbers("dice"),
        moves=tuple((source, target, die) for source, target, die in moves),
    )


def _log_entry(fields: Fields) -> LogEntry:
    return LogEntry(
        number=fields.number("number"),
        previous=fields.octets("previous", 32),
        hash=fields.octets("hash", 32),
    )
