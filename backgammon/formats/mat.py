"""Jellyfish's .mat text, the format every backgammon program reads: writing.

A row holds what each player did: the left one (seat 0) from column 6, the right one (seat 1)
from column 34. eXtreme Gammon's tags stand before the games as comments. Comments on actions are
written if wanted, as lines that readers pass over; of a record those on games and refused
resignations have no place here. A game won because the loser left or ran out of time ends like a
resignation, and a tag names the ending.

Source: Jellyfish's manual for the rows, eXtreme Gammon's help for the tags, both checked against
what GNU Backgammon 1.07 writes and reads.
"""

from __future__ import annotations

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import UnsupportedRecord
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import (
    Action,
    CubeVerb,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Result,
)
from backgammon.formats.tags import game_tags, match_tags
from backgammon.rules.match import FormatKind
from backgammon.rules.notation import format_play

LEFT_WIDTH = 27
"""A left cell is filled up to this width; one space parts it from the right cell."""

LEFT_INDENT = 6
RIGHT_INDENT = 34
NAME_WIDTH = 31
SIDES = ("left", "right")
NEVER_PLAYED = "????"
"""A roll whose play was never made; with nothing here other programs would read a pass."""
CUBE_WORDS = {
    CubeVerb.DOUBLE: "Doubles => {value}",
    CubeVerb.BEAVER: "Beavers => {value}",
    CubeVerb.RACCOON: "Raccoons => {value}",
    CubeVerb.TAKE: "Takes",
    CubeVerb.DROP: "Drops",
}


def format_mat(record: MatchRecord, *, comments: bool = False) -> str:
    """The file's text; with `comments` those on actions stand below their row.

    :raises UnsupportedRecord: for names or tags that would be read as something else.
    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    for name in record.players:
        if not name.strip() or ":" in name or name != name.strip() or not name.isprintable():
            raise UnsupportedRecord(f"player {name!r}: a name is one line without ':'")
    tags = match_tags(record)
    for number, game in enumerate(record.games, start=1):
        tags += game_tags(number, game, record.games[0].variant)
    lines = [f'; [{name} "{value}"]' for name, value in tags]
    for line in record.heading.comment.splitlines():
        if line.lstrip().startswith("["):
            raise UnsupportedRecord("a comment line that begins with '[' would be read as a tag")
        lines.append(f"; {line}".rstrip())
    points = record.length if record.kind is FormatKind.POINTS else 0
    lines += ["", f" {points} point match", ""]
    builder = RecordBuilder(record)
    for number, game in enumerate(record.games, start=1):
        left, right = (f"{n} : {s}" for n, s in zip(record.players, game.score, strict=True))
        lines += [f" Game {number}", f" {left:<{NAME_WIDTH - 1}} {right}"]
        is_last = number == len(record.games) and record.kind is FormatKind.POINTS
        ends_match = is_last and max(record.score) >= record.length
        rows = _game_lines(game, builder, comments=comments, ends_match=ends_match)
        lines += [*rows, ""]
    return "\n".join(lines)


def _game_lines(
    game: GameRecord, builder: RecordBuilder, *, comments: bool, ends_match: bool
) -> list[str]:
    """The rows of a game, which is passed to the builder on the way, and its result."""
    open_game = builder.begin_game(game, crawford=game.crawford)
    rows: list[tuple[str, str]] = []
    below: dict[int, list[str]] = {}
    left_is_last = False
    for action in game.actions:
        cell = cell_text(action, open_game)
        builder.tell(action)
        if cell is None:
            continue
        if action.seat == 0:
            rows.append((cell, ""))
        elif left_is_last:
            rows[-1] = (rows[-1][0], cell)
        else:
            rows.append(("", cell))
        left_is_last = action.seat == 0
        if comments:
            below.setdefault(len(rows), []).extend(_comment_lines(action))
    builder.close_game(game.result)
    result = ""
    if game.result is not None:
        result = _result_text(game.result, ends_match)
        if game.result.winner == 1 and left_is_last:
            # Beside the last row, not below: GNU Backgammon would read on otherwise.
            rows[-1] = (rows[-1][0], " " + result)
            result = ""
        elif game.result.winner == 1:
            result = " " * RIGHT_INDENT + result
        else:
            result = " " * LEFT_INDENT + result
    lines = []
    for number, (left, right) in enumerate(rows, start=1):
        lines.append(f"{number:3}) {left:<{LEFT_WIDTH}} {right}".rstrip())
        lines += below.get(number, ())
    return [*lines, result] if result else lines


def _comment_lines(action: Action) -> list[str]:
    """The comment on an action as lines that are no tags, because each names the side.

    GNU Backgammon passes over them unless they contain the word "game" or a roll with its colon.
    """
    side = SIDES[action.seat]
    return [f"; {side}: {line}".rstrip() for line in action.comment.splitlines()]


def cell_text(action: Action, game: OpenGame) -> str | None:
    """Return a player's action as text; None if it has no place in a row."""
    if isinstance(action, RecordedTurn):
        dice = "".join(map(str, action.dice))
        if action.moves is None and game.plays(action.seat, action.dice).dice_played:
            return f"{dice}: {NEVER_PLAYED}"
        board = game.position(action.seat)
        play = format_play(game.variant, board, action.moves or ())
        return f"{dice}: {play}".rstrip()
    if isinstance(action, Resignation):
        return None
    return " " + CUBE_WORDS[action.verb].format(value=action.value)


def _result_text(result: Result, ends_match: bool) -> str:
    if result.winner is None:
        return "Drawn"
    plural = "" if result.points == 1 else "s"
    match = " and the match" if ends_match else ""
    return f"Wins {result.points} point{plural}{match}"
