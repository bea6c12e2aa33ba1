"""Audit of the dice: every record is valid, every roll was on the board, the log is one chain.

A record is checked as a stranger would check it; beyond that, the dice on the board (the events)
must be those of the record, which only the house can compare for matches that run.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from backgammon.dice.opening import LOG_START, log_hash
from backgammon.dice.verify import verify
from games.chouette.models import Game
from games.models import DiceLogEntry, DiceRoll, GameDice, RollPack, StoredEvent
from games.services.dice.keys import public_key
from games.services.dice.records import game_record
from ledger.audit import AuditFinding, AuditMark
from ledger.audit_rows import OVERLAP, RowCheck


def _rolled_since(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    rolled = DiceRoll.objects.filter(rolled_at__gte=since)
    packed = RollPack.objects.filter(last_at__gte=since)
    return Q(pk__in=rolled.values("game").union(packed.values("game"), all=True))


def _record_faults(games: QuerySet[GameDice]) -> Iterator[AuditFinding]:
    opened = games.filter(open_hash__isnull=False).select_related("log_entry")
    key = public_key()
    for game in opened.order_by("made_at").iterator(chunk_size=100):
        name = f"dice of game {game.pk}"
        for failure in verify(game_record(game, None), public_key=key):
            yield AuditFinding(name, f"{failure.name}: {failure.sentence}")
        rolls = list(game.rolls.order_by("n"))
        if game.next_roll != len(rolls):
            yield AuditFinding(name, f"{len(rolls)} rolls are kept of {game.next_roll}")
        shown = dict(
            StoredEvent.objects.filter(
                table=game.table_id, seq__in=[roll.seq for roll in rolls]
            ).values_list("seq", "payload__dice")
        )
        for roll in rolls:
            if shown.get(roll.seq) != roll.dice:
                told = shown.get(roll.seq)
                yield AuditFinding(
                    name, f"roll {roll.n} is {roll.dice}, event {roll.seq} shows {told}"
                )


#: games of another mode than what they are played for needs, and chouettes of another than L; those
#: that say themselves that they are for no value, and are not, are among them.
_MODES = """
    SELECT 'dice of game ' || d.id,
           CASE WHEN d.mode IS DISTINCT FROM d.terms::jsonb ->> 'mode'
                THEN 'are of another mode than their terms say'
                ELSE 'are of mode K, and something of value is won or lost' END
    FROM games_gamedice d JOIN games_match m ON m.id = d.match_id
    LEFT JOIN tournaments_meeting g ON g.match_id = m.id
    LEFT JOIN tournaments_tournament t ON t.id = g.tournament_id
    WHERE d.made_at >= %(since)s AND (d.mode IS DISTINCT FROM d.terms::jsonb ->> 'mode'
        OR (d.mode <> 'L' AND (m.stake_cents > 0 OR m.terms ->> 'for_prize' = 'true'
            OR t.fee_cents > 0 OR t.added_cents > 0 OR t.satellite_of_id IS NOT NULL)))
    UNION ALL
    SELECT 'dice of game ' || d.id, 'are of another mode than L'
    FROM chouette_game d
    WHERE d.started_at >= %(since)s AND d.terms::jsonb ->> 'mode' IS DISTINCT FROM 'L'
"""


def check_modes() -> Iterator[AuditFinding]:
    """Whatever has a stake, a fee, a prize or a seat has dice of mode L, derived from the rows."""
    return _mode_faults(datetime(1, 1, 1, tzinfo=UTC))


def check_recent_modes(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the games that were made since."""
    return _mode_faults(mark.moment - OVERLAP)


def _mode_faults(since: datetime) -> Iterator[AuditFinding]:
    with connection.cursor() as cursor:
        cursor.execute(_MODES, {"since": since})
        for row, message in cursor.fetchall():
            yield AuditFinding(row, message)


def check_log() -> Iterator[AuditFinding]:
    """The public log counts without a gap, and each entry holds the hash of the one before."""
    expected, previous = 1, LOG_START
    entries = DiceLogEntry.objects.select_related("game", "chouette_game").order_by("number")
    for entry in entries.iterator(chunk_size=1000):
        name = f"dice log {entry.number}"
        if entry.number != expected:
            yield AuditFinding(name, f"entry {expected} is missing")
        if bytes(entry.previous) != previous:
            yield AuditFinding(name, "it does not hold the hash of the entry before it")
        if log_hash(entry.number, bytes(entry.previous), bytes(entry.open_hash)) != bytes(
            entry.hash
        ):
            yield AuditFinding(name, "its hash is not its own")
        yield from _opening_faults(entry)
        expected, previous = entry.number + 1, bytes(entry.hash)
    for opened in (GameDice.objects, Game.objects):
        for game in opened.filter(open_hash__isnull=False, log_entry__hash=None):
            yield AuditFinding(
                f"dice of game {game.pk}", "are open, and the log has no entry of it"
            )


def _opening_faults(entry: DiceLogEntry) -> Iterator[AuditFinding]:
    """An entry is the opening of one game, at a table for two or of a chouette."""
    name = f"dice log {entry.number}"
    games = [each for each in (entry.game, getattr(entry, "chouette_game", None)) if each]
    if len(games) != 1:
        yield AuditFinding(name, f"it is the opening of {len(games)} games")
    for game in games:
        if bytes(entry.open_hash) != bytes(game.open_hash or b""):
            yield AuditFinding(name, f"it is not the opening of game {game.pk}")


CHECKS: Final = (
    RowCheck(
        code="D1",
        title=gettext_noop("Every record of dice is believed, and lay on the board"),
        rows=GameDice.objects.all,
        recent=_rolled_since,
        faults=_record_faults,
    ),
)
