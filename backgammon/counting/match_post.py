"""A whole match as text for a post in a forum: its moves, and the decisions that cost most."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from backgammon.counting.decisions import Answer, DecidedPlay, Decision, decisions
from backgammon.counting.positions import xgid_of_situation
from backgammon.formats.builder import RecordBuilder
from backgammon.formats.mat import cell_text
from backgammon.formats.record import GameRecord, MatchRecord
from backgammon.rules.errors import NotationError
from backgammon.rules.match import FormatKind
from backgammon.rules.xgid import Offer

Notes = Mapping[tuple[int, int], str]
"""A note on a decision, by the number of the game and of the decision in it."""

_WIDTH: Final = 78
_NO_NOTES: Final[Notes] = {}


def match_post(record: MatchRecord, notes: Notes = _NO_NOTES) -> str:
    """Return the text: each game with its score, moves and result, and its decisions with a note.

    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    builder = RecordBuilder(record)
    noted = _noted(record, notes)
    lines = [_heading(record)]
    for number, game in enumerate(record.games, start=1):
        lines += ["", *_game(number, game, builder)]
        lines += [line for place, line in noted if place == number]
    return "\n".join(lines) + "\n"


def _heading(record: MatchRecord) -> str:
    """The players, and what they play for."""
    what = "unlimited play"
    if record.kind is not FormatKind.UNLIMITED:
        unit = "points" if record.kind is FormatKind.POINTS else "games"
        what = f"match to {record.length} {unit}"
    rules = [name for name in ("jacoby", "beavers") if getattr(record.rules, name)]
    told = record.heading
    more = [*rules, told.event, str(told.date or "")]
    return ", ".join([" – ".join(record.players), what, *(each for each in more if each)])


def _game(number: int, game: GameRecord, builder: RecordBuilder) -> Iterator[str]:
    """The game's heading, its moves as running text, and its result."""
    names = builder.match.players
    open_game = builder.begin_game(game, crawford=game.crawford)
    about = [f"Game {number}", f"{game.score[0]} – {game.score[1]}"]
    about += [game.variant] if game.variant != "backgammon" else []
    about += ["Crawford"] if game.crawford else []
    about += [f"cube at {game.cube_value}"] if game.cube_value > 1 else []
    yield ", ".join(about)
    rows: list[list[str]] = []
    for action in game.actions:
        cell = cell_text(action, open_game)
        builder.tell(action)
        if cell is None:
            continue
        if action.seat == 0 or not rows or len(rows[-1]) > 1:
            rows.append([] if action.seat == 0 else ["…"])
        rows[-1].append(cell.strip())
    builder.close_game(game.result)
    told = " ".join(f"{at}) {' | '.join(row)}" for at, row in enumerate(rows, start=1))
    yield from textwrap.wrap(told, _WIDTH, break_long_words=False, break_on_hyphens=False)
    result = game.result
    if result is None:
        yield "not finished"
    elif result.winner is None:
        yield "drawn"
    else:
        plural = "" if result.points == 1 else "s"
        how = result.ending.value
        yield f"{names[result.winner]} wins {result.points} point{plural} ({how})"


def _noted(record: MatchRecord, notes: Notes) -> list[tuple[int, str]]:
    """The decisions with a note, each with the number of its game."""
    if not notes:
        return []
    told = []
    for decision in decisions(record):
        place = decision.place
        note = notes.get((place.game, place.number))
        if note:
            who = record.players[place.seat]
            lines = [f"* {who}, {_asked(decision)}: {note}", *_xgid(decision, record.length)]
            told.append((place.game, "\n".join(lines)))
    return told


def _asked(decision: Decision) -> str:
    if isinstance(decision, DecidedPlay):
        return "".join(map(str, decision.dice))
    return "answer to the cube" if isinstance(decision, Answer) else "before the roll"


def _xgid(decision: Decision, length: int) -> list[str]:
    dice = decision.dice if isinstance(decision, DecidedPlay) else None
    offer = Offer.DOUBLE if isinstance(decision, Answer) else None
    try:
        roll = None if dice is None else (dice[0], dice[1])
        return [f"  {xgid_of_situation(decision.situation, length, roll, offer).text()}"]
    except NotationError:
        return []
