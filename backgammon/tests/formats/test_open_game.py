"""The game with which a record is built, turn by turn."""

from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import GameRecord, MatchRecord, RecordedTurn
from backgammon.rules.match import FormatKind


def test_the_same_roll_twice_is_searched_from_where_the_first_ended() -> None:
    """In acey-deucey a double rolls again: the same player, the same dice, another board."""
    match = MatchRecord(
        players=("magriel", "hilde"), kind=FormatKind.UNLIMITED, length=0, has_cube=False
    )
    game = OpenGame(match, GameRecord("acey_deucey", (0, 0)))
    for again in range(3):
        plays = game.plays(0, (6, 6))
        assert set(plays.results) == set(
            game.variant.legal_plays(game.position(0), (6, 6), first_turn=not again).results
        )
        before, moves = game.position(0), next(iter(plays))
        game.turn(RecordedTurn(0, (6, 6), moves))
        assert game.position(0) != before
