"""Files of ours with random changes: nothing crashes, nothing is made up, nothing silently lost.

PASCH_TEST_LONG=1 tries 10,000 of them.
"""

import json
import random
import re
from functools import cache

import pytest

from backgammon.formats.builder import check_record
from backgammon.formats.errors import FormatError
from backgammon.formats.mat_words import game_number, written_usually
from backgammon.formats.reading import FileRead, GameExtent
from backgammon.formats.record import RecordedTurn
from backgammon.formats.registry import by_key, format_of, read_text
from backgammon.tests.amounts import amount
from backgammon.tests.formats.matches import random_match

CHUNK = 40
FILES = 4
CHANGES_MOST = 3
#: what a roll looks like in a file of ours
ROLL = {"mat": r"(?<!\d)[1-6]{2}: ?(?=\D|$)", "sgf": r";[WB]\[[1-6]{2}|DI\["}
PIECES = ("", " ", "\n", "/", "5", "x", "(", ")", "[", "]", ";", "{", "}", ",", '"', "é", "Takes")


@cache
def written(key: str, seed: int) -> str:
    """A file of one match, or where the format allows it of two."""
    seeds = [seed] if key == "json" or seed % 2 else [seed, seed + 1]
    matches = [random_match(each, length=3, games_max=2) for each in seeds]
    return "\n".join(by_key(key).format(match) for match in matches)


def changed(text: str, chance: random.Random) -> str:
    """The text with one to three places replaced, doubled or left out."""
    for _ in range(chance.randint(1, CHANGES_MOST)):
        begins = chance.randrange(len(text))
        ends = min(len(text), begins + chance.choice((0, 1, 2, 20, 200)))
        copied = chance.randrange(len(text))
        piece = chance.choice((*PIECES, text[copied : copied + chance.randint(1, 60)]))
        text = text[:begins] + piece + text[ends:]
    return text


def begins_of_games(key: str, text: str) -> list[int]:
    """The lines in which a game begins, by the outward form of the format alone."""
    if key == "sgf":
        roots = re.finditer(r"\(;FF\[4\]GM\[6\]", text)
        return [1 + text.count("\n", 0, root.start()) for root in roots]
    rows = [line.strip() for line in written_usually(text).splitlines()]
    said = [number for number, row in enumerate(rows, 1) if game_number(row) is not None]
    spans = zip(said, [*said[1:], len(rows) + 1], strict=False)
    return [
        first
        for first, last in spans
        if any(row and row[0] != ";" for row in rows[first : last - 1])
    ]


def check_nothing_is_lost(key: str, text: str, found: FileRead) -> None:
    """Every game that begins in the text is kept, or a fault stands in its lines."""
    if key == "json":
        games = sum(len(match.games) for match in found.matches)
        assert found.faults or games == len(json.loads(text)["games"])
        return
    begins = begins_of_games(key, text)
    ends = [*begins[1:], text.count("\n") + 2][: len(begins)]
    kept = [game.line or 0 for match in found.matches for game in match.games]
    named = [fault.error.line or 0 for fault in found.faults]
    for first, last in zip(begins, ends, strict=True):
        is_line = key == "sgf" and first == last
        lines = range(first, last + 1 if is_line else last)
        assert any(line in lines for line in kept + named), f"the game of line {first} is lost"
    if begins and not found.faults:
        rows = text.splitlines()[begins[0] - 1 :]
        played = "\n".join(row for row in rows if key == "sgf" or row.lstrip()[:1] != ";")
        assert rolls_kept(found) >= len(re.findall(ROLL[key], played))


def rolls_kept(found: FileRead) -> int:
    """How many rolls all games have."""
    games = [game for match in found.matches for game in match.record.games]
    return sum(isinstance(action, RecordedTurn) for game in games for action in game.actions)


def check_nothing_is_made_up(found: FileRead) -> None:
    """All that was kept can have been played; without a whole game there is no result."""
    for number, match in enumerate(found.matches, start=1):
        check_record(match.record)
        for game in match.games:
            if game.index is not None:
                record = match.record.games[game.index]
                assert (record.result is not None) == (game.state is GameExtent.WHOLE)
                assert len(record.actions) == game.actions
            if game.state in (GameExtent.CUT_OFF, GameExtent.UNREADABLE):
                assert any((f.match, f.game) == (number, game.number) for f in found.faults)


@pytest.mark.parametrize("chunk", range(amount(3, long=10_000 // CHUNK)))
def test_random_changes_lose_and_invent_nothing(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        chance = random.Random(seed)
        key = ("mat", "sgf", "json")[seed % 3]
        text = changed(written(key, seed % FILES), chance)
        found = read_text(text)
        check_nothing_is_made_up(found)
        if format_of(text).key == key:
            check_nothing_is_lost(key, text, found)
        if not found.is_whole:
            with pytest.raises(FormatError):
                found.sole()
