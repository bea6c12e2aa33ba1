"""The records of a match's games, with which anybody can check their dice. Only reads."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from backgammon.dice.chain import NO_TIP
from backgammon.dice.record import LogEntry, Record, RecordedPlay, RecordedRoll
from games.models import DiceLogEntry, GameDice, Match, StoredDiceRoll, StoredEvent, Table
from games.modes.registry import PRACTICE_KEYS
from games.selectors import table_state
from games.services.dice.fair import StoredRoll
from games.services.dice.keys import envelope_password, envelope_seal, public_key, secret_show
from games.services.dice.parts import DiceGame, DiceSide
from games.table.state import RUNNING_PHASES
from games.table.takeback import lasting
from games.wire import event_frame


def match_record(match: Match) -> dict[str, Any]:
    """The records of the games of a match that have been opened, as JSON.

    After the end of a game it includes the password of its sealed envelope.
    """
    played = match.dice.filter(open_hash__isnull=False).select_related("log_entry")
    plays = _plays(match)
    games = []
    for game in played.order_by("number"):
        record = game_record(game, plays).to_json()
        if is_over(match, game):
            record["envelope_password"] = envelope_password(game.id)
        games.append(record)
    return {"protocol": "BGD1", "match": str(match.pk), "games": games}


def is_over(match: Match, game: GameDice) -> bool:
    """Whether all dice of this game have been rolled."""
    later = match.dice.filter(number__gt=game.number)
    return match.ended_at is not None or later.exists()


def game_record(game: GameDice, plays: list[dict[str, Any]] | None) -> Record:
    """The record of one opened game; `plays` are the plays of its match, None if none are kept."""
    rolls = list(game.rolls.order_by("n"))
    log = log_line(game.log_entry)
    played = None if plays is None else tuple(_played(rolls, plays))
    return record_of(game, rolls, played, log)


def log_line(entry: DiceLogEntry) -> LogEntry:
    """An entry of the public log as a record names it."""
    return LogEntry(entry.number, bytes(entry.previous), bytes(entry.hash))


def record_of(
    game: DiceGame,
    rolls: Sequence[StoredRoll],
    plays: tuple[RecordedPlay, ...] | None,
    log: LogEntry | None = None,
) -> Record:
    """The record of an opened game of any kind of table, from its rolls and plays."""
    sides = msgspec.convert(game.sides, list[DiceSide])
    assert game.open_hash is not None, "an opened game has its hash"
    assert game.signature is not None, "it was signed as it was opened"
    return Record(
        game_id=game.id.bytes,
        terms=game.terms,
        mode="K" if game.mode == "K" else "L",
        house_tip=bytes(game.house_tip),
        white=_octets(sides[0].value) or NO_TIP,
        black=_octets(sides[1].value) or NO_TIP,
        open_hash=bytes(game.open_hash),
        rolls=tuple(_roll(roll) for roll in rolls),
        white_seed=_octets(sides[0].seed),
        black_seed=_octets(sides[1].seed),
        signature=bytes(game.signature),
        public_key=public_key(),
        log=log,
        plays=plays,
    )


def envelope(table: Table, user_id: int) -> dict[str, Any] | None:
    """The sealed envelope of the game whose dice are next, for a player of this table.

    None for anybody else, and once dice of that game have fallen.
    """
    state = table_state(table)
    if state.seat_of(user_id) is None or state.match is None or table.fair is None:
        return None
    game = GameDice.objects.filter(pk=table.fair["game"], next_roll=0).first()
    if game is None or state.phase not in RUNNING_PHASES:
        return None
    secret = secret_show(game.id, bytes(game.house_secret))
    return {
        "protocol": "BGD1",
        "game": str(game.id),
        "s0": bytes(game.house_tip).hex(),
        **envelope_seal(game.id, secret),
    }


def _octets(value: str | None) -> bytes | None:
    return None if value is None else bytes.fromhex(value)


def _roll(roll: StoredRoll) -> RecordedRoll:
    return RecordedRoll(
        n=roll.n,
        kind=roll.kind,
        flags=roll.flags,
        house=bytes(roll.house),
        white=bytes(roll.white),
        black=bytes(roll.black),
        dice=tuple(roll.dice),
    )


def _plays(match: Match) -> list[dict[str, Any]] | None:
    """The plays of a match that are final; None in practice, where plays are taken back."""
    if match.mode in PRACTICE_KEYS:
        return None
    types = ("play_made", "game_started", "taken_back")
    rows = StoredEvent.objects.filter(table=match.table_id, type__in=types).order_by("seq")
    return lasting(event_frame(row.seq, row.payload) for row in rows)


def _played(rolls: list[StoredDiceRoll], plays: list[dict[str, Any]]) -> Iterator[RecordedPlay]:
    """The plays of these rolls: each belongs to the last roll before it, up to the next game."""
    if not rolls:
        return
    place = 0
    for play in plays:
        if play["seq"] < rolls[0].seq:
            continue
        if play["type"] == "game_started":
            return
        while place + 1 < len(rolls) and rolls[place + 1].seq < play["seq"]:
            place += 1
        yield RecordedPlay(
            n=rolls[place].n,
            seat=play["seat"],
            dice=tuple(play["dice"]),
            moves=tuple(tuple(move) for move in play["moves"]),
        )
