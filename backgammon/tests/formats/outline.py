"""The content of a record without the moves of a play, to compare records across formats."""

from dataclasses import replace
from typing import Any

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.record import CubeAction, MatchRecord, RecordedTurn, Resignation


def outline(record: MatchRecord, *, resignations: bool = True, comments: bool = True) -> Any:
    """The heading, and for each game the start, the actions with the boards after, the result."""
    games = []
    builder = RecordBuilder(record)
    for game in record.games:
        open_game = builder.begin_game(game, crawford=game.crawford)
        told: list[Any] = []
        for action in game.actions:
            builder.tell(action)
            comment = action.comment if comments else ""
            if isinstance(action, RecordedTurn):
                board = None if action.moves is None else open_game.position(action.seat)
                told.append((action.seat, sorted(action.dice), board, comment))
            elif isinstance(action, CubeAction) or resignations:
                told.append(replace(action, comment=comment))
            assert isinstance(action, RecordedTurn | CubeAction | Resignation)
        if game.result is not None:
            builder.end_game(game.result.winner, game.result.points, game.result.ending)
        else:
            builder.abandon_game()
        games.append((replace(game, actions=(), comment=game.comment if comments else ""), told))
    return replace(record, games=()), games
