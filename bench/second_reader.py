"""Match files read by Pasch and by others: gammonview, and GNU Backgammon where it is installed.

    python -m bench.second_reader FOLDER [--gnubg]

`pip install gammonview==3.1.0 ogxm==2.3.2` beforehand: nothing else needs them, and a reader that
is missing compares nothing; `ogxm` reads the OGXM files. The rolls of each file, the boards after
them, the winners and the points of its games are compared; each difference is a line. A game that
we cut off is compared as far as it goes, and has no winner to compare. The exit status is 1 if a
roll or a board differs.

Points differ without anybody being wrong: GNU Backgammon gives what the cube and the board are
worth, where a file says no more than the winner needed, and it plays a last roll that a file
leaves at `????`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.reading import FileRead
from backgammon.formats.record import GameRecord, MatchRecord, RecordedTurn
from backgammon.formats.registry import decoded, read_file, read_text

#: a roll that moved a checker: the seat, the dice, and the checkers of both by their own points
Roll = tuple[int, str, tuple[int, ...], tuple[int, ...]]
#: the rolls of a game, and who won how many points
Game = tuple[list[Roll], tuple[int | None, int] | None]

_POINTS: Final = "0123456789abcdefghijklmnop"
_BAR: Final = 25
_LIMIT_S: Final = 120
_NOT_INSTALLED: Final = "is not installed"


def main() -> int:
    """Compare all files of a folder."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("folder", type=Path)
    asked.add_argument("--gnubg", action="store_true", help="compare with GNU Backgammon, too")
    options = asked.parse_args()
    counted: Counter[str] = Counter()
    for file in sorted(each for each in options.folder.rglob("*") if each.is_file()):
        read = read_file(file)
        is_ogxm = read.key == "ogxm"
        readers = {"ogxm": _by_ogxm} if is_ogxm else {"gammonview": _by_gammonview}
        if options.gnubg and read.key == "mat":
            readers["gnubg"] = _by_gnubg
        for name, reader in readers.items():
            _compare_file(file, read, name, reader(file, read), counted)
    for what, many in sorted(counted.items()):
        print(f"{many:6} {what}")
    wrong = ("rolls that differ", "boards that differ")
    return int(any(what.endswith(wrong) for what in counted))


def _compare_file(
    file: Path, read: FileRead, name: str, other: list[Game] | str, counted: Counter[str]
) -> None:
    """Print the differences of a file and count everything."""
    counted[f"{name}: files"] += 1
    if isinstance(other, str) or len(read.matches) != 1:
        counted[f"{name}: files not compared"] += 1
        print(f"{file.name}: {name}: {other if isinstance(other, str) else 'several matches'}")
        return
    ours = _games(read.matches[0].record)
    counted[f"{name}: games"] += len(ours)
    if len(ours) != len(other):
        counted[f"{name}: files whose games differ in number"] += 1
        print(f"{file.name}: {name}: {len(other)} games, Pasch {len(ours)}")
    for number, (mine, theirs) in enumerate(zip(ours, other, strict=False), start=1):
        for what in _differences(mine, theirs, counted, name):
            print(f"{file.name}: {name}: game {number}: {what}")


def _differences(mine: Game, theirs: Game, counted: Counter[str], name: str) -> Iterator[str]:
    """The differences of a game, in words."""
    rolls, others = mine[0], theirs[0]
    for index, (roll, other) in enumerate(zip(rolls, others, strict=False), start=1):
        counted[f"{name}: rolls"] += 1
        if roll[:2] != other[:2]:
            counted[f"{name}: rolls that differ"] += 1
            yield f"roll {index} is {other[:2]}, Pasch {roll[:2]}"
            break
        if roll[2:] != other[2:]:
            counted[f"{name}: boards that differ"] += 1
            yield f"after roll {index} {other[2:]}, Pasch {roll[2:]}"
            break
    if mine[1] is None:
        counted[f"{name}: games without a result at Pasch"] += 1
        return
    if len(rolls) != len(others):
        counted[f"{name}: games whose rolls differ in number"] += 1
        yield f"{len(others)} rolls, Pasch {len(rolls)}"
    if theirs[1] is not None and mine[1][0] != theirs[1][0]:
        counted[f"{name}: winners that differ"] += 1
        yield f"won by {theirs[1]}, Pasch {mine[1]}"
    elif mine[1] != theirs[1]:
        counted[f"{name}: points that differ"] += 1
        yield f"points {theirs[1]}, Pasch {mine[1]}"


def _games(record: MatchRecord) -> list[Game]:
    builder = RecordBuilder(record)
    return [_game(game, builder) for game in record.games]


def _game(game: GameRecord, builder: RecordBuilder) -> Game:
    rolls: list[Roll] = []
    going_on = builder.begin_game(game, crawford=game.crawford)
    for action in game.actions:
        builder.tell(action)
        if isinstance(action, RecordedTurn) and action.moves:
            dice = "".join(map(str, sorted(action.dice)))
            sides = [_checkers(going_on.position(seat).own()) for seat in (0, 1)]
            rolls.append((action.seat, dice, sides[0], sides[1]))
    builder.close_game(game.result)
    return rolls, game.result and (game.result.winner, game.result.points)


def _checkers(by_point: dict[int, int]) -> tuple[int, ...]:
    return tuple(sorted(point for point, many in by_point.items() for _ in range(many)))


def _by_gammonview(file: Path, read: FileRead) -> list[Game] | str:
    """The games that gammonview reads in a file, or why it reads none."""
    try:
        import gvformat  # nothing else of Pasch needs it
    except ModuleNotFoundError:
        return _NOT_INSTALLED

    convert = {"xg": gvformat.convert_xg, "bgf": gvformat.convert_bgf}.get(read.key)
    try:
        if convert is not None:
            found = convert(file)
        else:
            with tempfile.NamedTemporaryFile("w", suffix=".mat", encoding="utf-8") as text:
                text.write(decoded(file.read_bytes()))
                text.flush()
                found = gvformat.convert_mat(Path(text.name))
    except Exception as error:  # whatever a file leads to in a foreign reader
        return f"cannot read it: {type(error).__name__}: {error}"[:120]
    players = read.matches[0].record.players if read.matches else ("", "")
    white = 0 if found["player_white"] == players[0] else 1
    return [_game_of_gammonview(game, white) for game in found["games"]]


def _by_ogxm(file: Path, _read: FileRead) -> list[Game] | str:
    """The games that the library of OGXM reads in a file, or why it reads none."""
    try:
        import ogxm  # nothing else of Pasch needs it
    except ModuleNotFoundError:
        return _NOT_INSTALLED

    try:
        found = ogxm.binary_to_json(file.read_bytes())
    except RuntimeError as error:
        return f"cannot read it: {error}"[:120]
    return [_game_of_gammonview(game, 0) for game in found["games"]]


def _game_of_gammonview(game: dict[str, Any], white: int) -> Game:
    """A game with the boards of its OGIDs; `white` is the seat that it calls so."""
    rolls = []
    for ply in game["plies"]:
        before, after = (_board(ply[name], white) for name in ("ogid_before", "ogid_after"))
        if ply.get("d1") and before != after:
            seat = white if ply["color"] == 1 else 1 - white
            dice = "".join(map(str, sorted((ply["d1"], ply["d2"]))))
            rolls.append((seat, dice, after[0], after[1]))
    winner = white if game["winner"] == 0 else 1 - white
    return rolls, (winner, game["points_won"])


def _board(ogid: str, white: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The checkers of both seats; the white ones of an OGID count from the other side."""
    first, second = ogid.split(":")[:2]
    whites = tuple(sorted(_BAR - _POINTS.index(sign) for sign in first))
    blacks = tuple(sorted(_POINTS.index(sign) for sign in second))
    return (whites, blacks) if white == 0 else (blacks, whites)


def _by_gnubg(file: Path, _read: FileRead) -> list[Game] | str:
    """The games that GNU Backgammon reads in a text, or why it reads none."""
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        return _NOT_INSTALLED
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "read.mat").write_text(decoded(file.read_bytes()), encoding="utf-8")
        asked = ["set confirm new off", "set confirm save off", "set automatic roll off"]
        asked += ["import mat read.mat", "save match written.sgf", "quit", ""]
        subprocess.run(
            [program, "--tty", "--quiet", "--no-rc"],
            input="\n".join(asked),
            env={"HOME": home, "LC_ALL": "C.UTF-8"},
            cwd=home,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
        written = Path(home) / "written.sgf"
        if not written.exists():
            return "cannot read it"
        again = read_text(written.read_text("utf-8", errors="replace"))
    if len(again.matches) != 1:
        return f"its file cannot be read: {again.faults[0].error if again.faults else 'no match'}"
    return _games(again.matches[0].record)


if __name__ == "__main__":
    sys.exit(main())
