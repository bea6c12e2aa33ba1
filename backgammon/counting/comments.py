"""A match record with comments on its decisions, for programs that show them."""

from collections.abc import Mapping
from dataclasses import replace

from backgammon.counting.decisions import decided
from backgammon.formats.record import MatchRecord


def commented(record: MatchRecord, comments: Mapping[tuple[int, int], str]) -> MatchRecord:
    """The record with these comments, by the game and the number of a decision.

    An action with two decisions (not doubling, then the play) gets both, one below the other.
    """
    by_action: dict[tuple[int, int], list[str]] = {}
    for game, action, decision in decided(record):
        text = comments.get((decision.place.game, decision.place.number))
        if text:
            by_action.setdefault((game, action), []).append(text)
    games = []
    for index, game_record in enumerate(record.games):
        actions = []
        for place, told in enumerate(game_record.actions):
            said = by_action.get((index, place), [])
            actions.append(replace(told, comment="\n".join([*filter(None, [told.comment]), *said])))
        games.append(replace(game_record, actions=tuple(actions)))
    return replace(record, games=tuple(games))
