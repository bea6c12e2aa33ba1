"""The fingerprint of a match, by which two files of the same match are told."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.record import GameRecord, MatchRecord, RecordedTurn


def match_digest(record: MatchRecord) -> str:
    """64 hexadecimal digits, the same for every file of a match and for no other match.

    It is over the length, and of each game over the variant and the plays: dice and position after
    each. Names, seats, comments, the cube and results do not count, nor do rolls that moved
    nothing, because programs write them differently. Matches without a play all have the same one.

    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    digest = sha256(f"{record.kind.value} {record.length}\n".encode())
    builder = RecordBuilder(record)
    first: int | None = None
    for game in record.games:
        plays = list(_plays(game, builder))
        if plays:
            first = plays[0][0] if first is None else first
            digest.update(f"{game.variant}\n".encode())
        for seat, told in plays:
            digest.update(f"{int(seat != first)} {told}\n".encode())
    return digest.hexdigest()


def _plays(game: GameRecord, builder: RecordBuilder) -> Iterator[tuple[int, str]]:
    """Each play that moved a checker: its seat, its dice, and the position after it."""
    going_on = builder.begin_game(game, crawford=game.crawford)
    for action in game.actions:
        builder.tell(action)
        if isinstance(action, RecordedTurn) and action.moves:
            dice = "".join(map(str, sorted(action.dice)))
            yield action.seat, f"{dice} {going_on.position(action.seat)}"
    builder.close_game(game.result)
