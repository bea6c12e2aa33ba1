"""The fingerprint of a match, by which two files of the same match are told, and parts of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeVar

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.record import GameRecord, MatchRecord, RecordedTurn

Play = TypeVar("Play")

#: two matches that begin with so many equal plays are the same one.
PLAYS_LEAST: Final = 6


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


def is_part_of(part: MatchRecord, whole: MatchRecord) -> bool:
    """Return True if all plays of a match stand in another one, each game as far as it goes.

    Games may be missing, and who sits where does not matter. Matches of a few plays are no part.

    :raises RecordError: if one of them is not a possible match.
    :raises RulesError: if one of them holds an illegal play.
    """
    if (part.kind, part.length, part.variants[:1]) != (
        whole.kind,
        whole.length,
        whole.variants[:1],
    ):
        return False
    if not _stand_in([_dice(game) for game in part.games], [_dice(game) for game in whole.games]):
        return False
    some, every = _games(part), _games(whole)
    if sum(map(len, some)) < PLAYS_LEAST:
        return False
    turned = [[(1 - seat, told) for seat, told in game] for game in some]
    return _stand_in(some, every) or _stand_in(turned, every)


def _games(record: MatchRecord) -> list[list[tuple[int, str]]]:
    builder = RecordBuilder(record)
    return [list(_plays(game, builder)) for game in record.games]


def _dice(game: GameRecord) -> list[list[int]]:
    turns = (action for action in game.actions if isinstance(action, RecordedTurn))
    return [sorted(turn.dice) for turn in turns if turn.moves]


def _stand_in(some: Sequence[list[Play]], every: Sequence[list[Play]]) -> bool:
    """Whether each game with a play is how one of the others begins, in their order."""
    rest = iter(every)
    return all(any(game == other[: len(game)] for other in rest) for game in some if game)


def _plays(game: GameRecord, builder: RecordBuilder) -> Iterator[tuple[int, str]]:
    """Each play that moved a checker: its seat, its dice, and the position after it."""
    going_on = builder.begin_game(game, crawford=game.crawford)
    for action in game.actions:
        builder.tell(action)
        if isinstance(action, RecordedTurn) and action.moves:
            dice = "".join(map(str, sorted(action.dice)))
            yield action.seat, f"{dice} {going_on.position(action.seat)}"
    builder.close_game(game.result)
