"""Smart Game Format for backgammon, GM[6], as GNU Backgammon keeps its matches: writing.

One tree a game. White is seat 0, Black seat 1; the points are the letters a (White's ace point)
to x for both of them, y is the bar (or the hand), z the tray. Besides the usual properties some
of ours keep what has none: in the root XP, "name:value" as in a .mat file's tags, and XC, a
comment on the match; beside an action XR, an offer to resign. Other programs pass over them.

Source: https://www.red-bean.com/sgf/backgammon.html, and what GNU Backgammon 1.07 writes.
"""

from __future__ import annotations

from collections.abc import Iterator

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import UnsupportedRecord
from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
)
from backgammon.formats.sgf_tree import format_value
from backgammon.formats.tags import game_tags, match_tags
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import BAR, OFF
from backgammon.rules.position import Position, Way

COLOURS = "WB"
BAR_LETTER, OFF_LETTER = "y", "z"
VARIATIONS = {"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}
_WORDS = {CubeVerb.TAKE: "take", CubeVerb.DROP: "drop"}


def point_letter(point: int, seat: int, way: Way) -> str:
    """The letter of a point in ``seat``'s numbering."""
    if point == BAR:
        return BAR_LETTER
    if point == OFF:
        return OFF_LETTER
    return chr(ord("a") - 1 + (way.across(point) if seat else point))


def format_sgf(record: MatchRecord) -> str:
    """The file's text.

    :raises UnsupportedRecord: for tags that cannot be written.
    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    builder = RecordBuilder(record)
    trees = []
    for index, game in enumerate(record.games):
        open_game = builder.begin_game(game, crawford=game.crawford)
        nodes = [_root(record, index, game)]
        if game.start is not None:
            nodes.append(";" + _setup(game.start))
        if game.cube_value != 1:
            owner = "c" if game.cube_owner is None else COLOURS[game.cube_owner].lower()
            nodes.append(f";CV[{game.cube_value}]CO[{owner}]")
        for action in game.actions:
            text = _action(action, open_game.variant.way)
            if isinstance(action, Resignation):
                nodes[-1] += text
            else:
                nodes.append(";" + text)
            builder.tell(action)
        builder.close_game(game.result)
        trees.append("(" + "\n".join(nodes) + ")\n")
    return "\n".join(trees)


def _root(record: MatchRecord, index: int, game: GameRecord) -> str:
    heading = record.heading
    length = record.length if record.kind is FormatKind.POINTS else 0
    match_info = {"length": length, "game": index, "ws": game.score[0], "bs": game.score[1]}
    values: list[tuple[str, list[str]]] = [
        ("FF", ["4"]),
        ("GM", ["6"]),
        ("CA", ["UTF-8"]),
        ("AP", ["Pasch:1"]),
        ("MI", [f"{name}:{value}" for name, value in match_info.items()]),
        ("PW", [record.players[0]]),
        ("PB", [record.players[1]]),
    ]
    if index == 0:
        date = heading.date.isoformat() if heading.date else ""
        names = (("DT", date), ("PC", heading.site), ("EV", heading.event), ("RO", heading.round))
        values += [(name, [value]) for name, value in names if value]
    rules = ":".join(_rules(record, game))
    if rules:
        values.append(("RU", [rules]))
    tags = game_tags(index + 1, game, record.games[0].variant)
    if index == 0:
        tags = match_tags(record) + tags
    if tags:
        if any(":" in name for name, _ in tags):
            raise UnsupportedRecord("a tag whose name holds ':' has no place in SGF")
        values.append(("XP", [f"{name}:{value}" for name, value in tags]))
    if index == 0 and heading.comment:
        values.append(("XC", [heading.comment]))
    if game.comment:
        values.append(("GC", [game.comment]))
    if game.result is not None:
        values.append(("RE", [_result(game)]))
    return ";" + "".join(name + "".join(map(format_value, texts)) for name, texts in values)


def _rules(record: MatchRecord, game: GameRecord) -> Iterator[str]:
    if record.kind is FormatKind.POINTS:
        if record.rules.crawford:
            yield "Crawford"
        if game.crawford:
            yield "CrawfordGame"
    if record.rules.jacoby:
        yield "Jacoby"
    if game.variant in VARIATIONS:
        yield VARIATIONS[game.variant]


def _result(game: GameRecord) -> str:
    result = game.result
    assert result is not None
    if result.winner is None:
        return "0"
    resigned = "" if result.ending in (Ending.BOARD, Ending.DROP) else "R"
    return f"{COLOURS[result.winner]}+{result.points}{resigned}"


def _setup(start: Position) -> str:
    """A position in White's view as set-up properties; hands and pins only stand in XP."""
    sides: tuple[list[str], list[str]] = ([], [])
    for point, count in enumerate(start.points, start=1):
        letter = chr(ord("a") - 1 + point)
        sides[count < 0].extend([letter] * abs(count))
    for seat in (0, 1):
        sides[seat].extend([BAR_LETTER] * start.bar[seat])
    stones = "".join(
        "".join([f"A{COLOURS[seat]}", *(f"[{letter}]" for letter in side)])
        for seat, side in enumerate(sides)
        if side
    )
    return "AE[a:y]" + stones


def _action(action: Action, way: Way) -> str:
    """The properties of an action; a resignation joins the node before it."""
    colour = COLOURS[action.seat]
    comment = "C" + format_value(action.comment) if action.comment else ""
    if isinstance(action, Resignation):
        answer = "accepted" if action.accepted else "refused"
        return "XR" + format_value(f"{colour}:{action.level}:{answer}:{action.comment}")
    if isinstance(action, CubeAction):
        return f"{colour}[{_WORDS.get(action.verb, 'double')}]{comment}"
    return _turn(action, colour, way) + comment


def _turn(turn: RecordedTurn, colour: str, way: Way) -> str:
    dice = "".join(map(str, turn.dice))
    if turn.moves is None:
        return f"PL[{colour}]DI[{dice}]"
    letters = "".join(
        point_letter(move.source, turn.seat, way) + point_letter(move.target, turn.seat, way)
        for move in turn.moves
    )
    return f"{colour}[{dice}{letters}]"
