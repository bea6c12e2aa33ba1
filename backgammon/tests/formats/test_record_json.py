"""JSON: nothing is lost, and a wrong value is named by its path."""

import copy
import json
from typing import Any

import pytest

from backgammon.formats.errors import FormatError
from backgammon.formats.record_json import (
    format_json,
    parse_json,
    read_json,
    record_from_json,
    record_to_json,
)
from backgammon.rules.match import FormatKind
from backgammon.tests.formats.matches import random_match

RECORD = random_match(7, kind=FormatKind.POINTS, length=5, games_max=1)
DOCUMENT = record_to_json(RECORD)


def test_the_shape_of_a_document() -> None:
    turn = DOCUMENT["games"][0]["actions"][0]
    assert turn["type"] == "turn"
    assert len(turn["moves"][0]) == 3
    assert turn["play"]
    assert DOCUMENT["heading"]["date"] == "2026-11-21"
    assert record_from_json(json.loads(json.dumps(DOCUMENT))) == RECORD


def test_a_play_may_come_as_text_alone() -> None:
    document = {
        "format": "pasch-match",
        "version": 1,
        "players": ["ann", "ben"],
        "games": [
            {
                "variant": "backgammon",
                "actions": [{"seat": 0, "type": "turn", "dice": [3, 1], "play": "8/5 6/5"}],
            }
        ],
    }
    (turn,) = record_from_json(document).games[0].actions
    assert parse_json(format_json(record_from_json(document))).games[0].actions == (turn,)


def changed(path: str, value: Any) -> Any:
    """The document with one value replaced; the path is like that of an error."""
    document = copy.deepcopy(DOCUMENT)
    *way, last = path.replace("[", ".[").split(".")
    at: Any = document
    for step in way:
        at = at[int(step[1:-1])] if step.startswith("[") else at[step]
    at[int(last[1:-1]) if last.startswith("[") else last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other", "the document: this is not"),
        ("version", 2, "the document: this is not"),
        ("players", ["one"], "players: two values"),
        ("players", "two", "players: 'two' is no list"),
        ("kind", "blitz", "kind: 'blitz' is not known"),
        ("length", -1, "length: -1 is no length"),
        ("length", 10**12, "length: too large"),
        ("rules", 3, "rules: an object"),
        ("rules.cap", True, "rules.cap: True is no int"),
        ("rules.cap", 3, "the document: a cube shows"),
        ("rules.turbo", True, "rules.turbo: there is no such field"),
        ("options.max_stack", "5", "options.max_stack: '5' is no int"),
        ("heading.date", "yesterday", "heading.date: 'yesterday' is no date"),
        ("heading.elo", [1, 2], "heading.elo: two values of type str"),
        ("heading.other", [["a"]], "heading.other: pairs"),
        ("stakes", {"currency": "x"}, "stakes: .*stake_cents"),
        ("games", {}, "games: {} is no list"),
        ("games", None, "games: None is no list"),
        ("games[0]", None, r"games\[0\]: an object"),
        ("games[0].variant", "chess", r"games\[0\]: no variant 'chess'"),
        ("games[0].start", "x", r"games\[0\]: a board has 24 points"),
        ("games[0].score", [5, 0], r"games\[0\]: the match to 5 is over"),
        ("games[0].actions[0].seat", 2, r"games\[0\].actions\[0\].seat: 2 is no seat"),
        ("games[0].actions[0].dice", ["x"], r"games\[0\].actions\[0\].dice: whole numbers"),
        ("games[0].actions[0].dice", [7, 1], r"games\[0\].actions\[0\]: a die shows 1 to 6"),
        ("games[0].actions[0].moves", [[1, 2]], r"games\[0\].actions\[0\].moves: a move is"),
        ("games[0].actions[0].moves", [[6, 5, 2]], r"games\[0\].actions\[0\]: move 1"),
        ("games[0].actions[0].type", "pass", r"games\[0\].actions\[0\].type: 'pass'"),
        ("games[0].result", {"winner": 3}, r"games\[0\].result.winner: 3 is no seat"),
    ],
)
def test_a_wrong_value_is_named_by_its_path(path: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match="^" + message):
        record_from_json(changed(path, value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1"),
        ('{"format":\n  oops}', "line 2, column 3"),
        ("[]", "the document: an object"),
        ("[" * 100_000, "no JSON we can read"),
        ("1" * 5000, "no JSON we can read"),
    ],
)
def test_what_is_no_document(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_json(text)


TWO_GAMES = random_match(8, length=5, games_max=2)


def test_a_game_at_fault_is_cut_off_and_the_others_are_kept() -> None:
    document = record_to_json(TWO_GAMES)
    document["games"][0]["actions"][4]["dice"] = [7, 1]
    read = read_json(json.dumps(document))
    assert [game.state.value for game in read.matches[0].games] == ["cut_off", "whole"]
    kept, other = read.matches[0].record.games
    assert kept.actions == TWO_GAMES.games[0].actions[:4]
    assert other == TWO_GAMES.games[1]
    (fault,) = read.faults
    assert (fault.error.path, fault.game) == ("games[0].actions[4]", 1)


def test_a_game_that_cannot_be_read_is_told_and_the_others_are_kept() -> None:
    document = record_to_json(TWO_GAMES)
    document["games"][0] = 3
    read = read_json(json.dumps(document))
    assert [game.state.value for game in read.matches[0].games] == ["unreadable", "whole"]
    assert read.matches[0].record.games == TWO_GAMES.games[1:]


def test_of_a_torn_file_its_beginning_is_kept() -> None:
    text = format_json(TWO_GAMES)
    last = text.rindex('"type"')
    read = read_json(text[:last])
    first, second = read.matches[0].record.games
    assert first == TWO_GAMES.games[0]
    assert second.actions == TWO_GAMES.games[1].actions[:-1]
    assert [game.state.value for game in read.matches[0].games] == ["whole", "cut_off"]
    assert read.faults[0].error.line == text.count("\n", 0, last) + 1
    assert read_json(text[:100]).matches == ()
