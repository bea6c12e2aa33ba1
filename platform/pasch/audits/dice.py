"""Audit of the dice: every record is valid, every roll was on the board, the log is one chain.

A record is checked as a stranger would check it; beyond that, the dice on the board (the events)
must be those of the record, which only the house can compare for matches that run.
"""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from chouette.models import Game
from games.fairness.opening import LOG_START, log_hash
from games.fairness.verify import verify
from games.models import DiceLogEntry, DiceRoll, GameDice, RollPack, StoredEvent
from games.services.dice.keys import public_key
from games.services.dice.records import game_record
from ledger.audit import Finding, Mark, Turn
from pasch.audits.matches import OVERLAP
from pasch.audits.parts import or_in_turn


def check_records() -> Iterator[Finding]:
    """Every game's record is to be believed, and its dice lay on the board."""
    yield from _record_faults(GameDice.objects.all())


def check_recent_records(mark: Mark) -> Iterator[Finding]:
    """The same, of the games that were opened or rolled in since."""
    yield from _record_faults(GameDice.objects.filter(_rolled_since(mark)))


def check_records_in_turns(mark: Mark, turn: Turn) -> Iterator[Finding]:
    """The same, of those and of some parts of the others."""
    yield from _record_faults(or_in_turn(GameDice.objects.all(), _rolled_since(mark), "id", turn))


def _rolled_since(mark: Mark) -> Q:
    since = mark.moment - OVERLAP
    rolled = DiceRoll.objects.filter(rolled_at__gte=since)
    packed = RollPack.objects.filter(last_at__gte=since)
    return Q(pk__in=rolled.values("game").union(packed.values("game"), all=True))


def _record_faults(games: QuerySet[GameDice]) -> Iterator[Finding]:
    opened = games.filter(open_hash__isnull=False).select_related("log_entry")
    key = public_key()
    for game in opened.order_by("made_at").iterator(chunk_size=100):
        name = f"dice of game {game.pk}"
        for failure in verify(game_record(game, None), public_key=key):
            yield Finding(name, f"{failure.name}: {failure.sentence}")
        rolls = list(game.rolls.order_by("n"))
        if game.next_roll != len(rolls):
            yield Finding(name, f"{len(rolls)} rolls are kept of {game.next_roll}")
        shown = dict(
            StoredEvent.objects.filter(
                table=game.table_id, seq__in=[roll.seq for roll in rolls]
            ).values_list("seq", "payload__dice")
        )
        for roll in rolls:
            if shown.get(roll.seq) != roll.dice:
                told = shown.get(roll.seq)
                yield Finding(name, f"roll {roll.n} is {roll.dice}, event {roll.seq} shows {told}")


def check_log() -> Iterator[Finding]:
    """The public log counts without a gap, and each entry holds the hash of the one before."""
    expected, previous = 1, LOG_START
    entries = DiceLogEntry.objects.select_related("game", "chouette_game").order_by("number")
    for entry in entries.iterator(chunk_size=1000):
        name = f"dice log {entry.number}"
        if entry.number != expected:
            yield Finding(name, f"entry {expected} is missing")
        if bytes(entry.previous) != previous:
            yield Finding(name, "it does not hold the hash of the entry before it")
        if log_hash(entry.number, bytes(entry.previous), bytes(entry.open_hash)) != bytes(
            entry.hash
        ):
            yield Finding(name, "its hash is not its own")
        yield from _opening_faults(entry)
        expected, previous = entry.number + 1, bytes(entry.hash)
    for opened in (GameDice.objects, Game.objects):
        for game in opened.filter(open_hash__isnull=False, log_entry__hash=None):
            yield Finding(f"dice of game {game.pk}", "are open, and the log has no entry of it")


def _opening_faults(entry: DiceLogEntry) -> Iterator[Finding]:
    """An entry is the opening of one game, at a table for two or of a chouette."""
    name = f"dice log {entry.number}"
    games = [each for each in (entry.game, getattr(entry, "chouette_game", None)) if each]
    if len(games) != 1:
        yield Finding(name, f"it is the opening of {len(games)} games")
    for game in games:
        if bytes(entry.open_hash) != bytes(game.open_hash or b""):
            yield Finding(name, f"it is not the opening of game {game.pk}")
