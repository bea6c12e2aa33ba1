"""Files of unknown origin: their decisions, what is wrong with them, and what they cannot do."""

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from bgsage import xg_file
from bgsage.board import flip_board

from analysis.files import UNREADABLE, positions_in
from analysis.reading import FAULTS_MOST
from backgammon.formats.registry import by_key, parse_match
from backgammon.formats.xg import IS_XG
from backgammon.rules.variants import by_key as variant_by_key

Board = tuple[int, ...]

GOLDEN = Path(__file__).parents[2] / "backgammon/tests/golden"
START = (0, *variant_by_key("backgammon").start.points, 0)


def test_the_decisions_of_a_match_file_are_listed() -> None:
    found = positions_in((GOLDEN / "stakes_and_cube.mat").read_bytes())
    assert found["players"] == ["alice", "bob"]
    first = found["decisions"][0]
    assert (first["game"], first["number"], first["dice"]) == (1, 1, [3, 1])
    assert first["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"
    assert first["played"] == "8/5 6/5"
    assert any(decision["dice"] is None for decision in found["decisions"])


@pytest.mark.parametrize("key", ["mat", "sgf", "json"])
def test_every_format_gives_the_same_list(key: str) -> None:
    text = (GOLDEN / "stakes_and_cube.mat").read_text()
    found = positions_in(by_key(key).format(parse_match(text)).encode())
    lines = [decision["xgid"] for decision in found["decisions"]]
    first = positions_in(text.encode())
    assert lines == [decision["xgid"] for decision in first["decisions"]]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\xff\xfe nothing", "broken_file"),
        (b"(;FF[4]GM[6]", "broken_file"),
        (b'{"format":', "broken_file"),
        (b"[" * 100_000, "broken_file"),
        (b"{" + b'"a":{' * 50_000, "broken_file"),
        (b"RGMH" + bytes(20), "broken_file"),
        (b"RGMH" + bytes(9_000), "broken_file"),
    ],
)
def test_a_broken_file_is_named_and_does_nothing(data: bytes, code: str) -> None:
    found = positions_in(data)
    assert found["error"]["code"] == code
    assert found["error"]["message"]
    assert "/tmp" not in found["error"]["message"]


def test_a_file_without_a_sound_game_is_refused_with_all_its_faults() -> None:
    text = (GOLDEN / "stakes_and_cube.mat").read_text().replace("8/5 6/5", "8/5 6/4")
    found = positions_in(text.encode())
    assert [fault["line"] for fault in found["faults"]] == [14, 23]
    assert found["error"] == found["faults"][0]
    assert "decisions" not in found


def test_what_is_sound_is_listed_beside_the_faults() -> None:
    """Game 1 is cut off at its fourth roll, after five decisions; game 2 keeps its number."""
    text = (GOLDEN / "stakes_and_cube.mat").read_text()
    whole = positions_in(text.encode())["decisions"]
    found = positions_in(text.replace("43: 14/10 13/10", "43: 14/10 13/9", 1).encode())
    kept = [row for row in whole if row["game"] == 2 or row["number"] < 6]
    assert [row["xgid"] for row in found["decisions"]] == [row["xgid"] for row in kept]
    assert {(row["match"], row["game"]) for row in found["decisions"]} == {(1, 1), (1, 2)}
    (fault,) = found["faults"]
    assert (fault["line"], fault["column"], fault["game"]) == (16, 6, 1)
    assert (fault["state"], fault["actions"]) == ("cut_off", 3)


def test_a_game_that_cannot_be_read_does_not_shift_the_numbers_of_the_others() -> None:
    text = (GOLDEN / "stakes_and_cube.mat").read_text()
    found = positions_in(text.replace("alice : 0   ", "alice 0   ", 1).encode())
    assert {row["game"] for row in found["decisions"]} == {2}
    assert found["faults"][0]["state"] == "unreadable"


def test_several_matches_of_a_file_are_told_apart() -> None:
    text = (GOLDEN / "stakes_and_cube.mat").read_text()
    found = positions_in((text + "\n" + text.replace("alice", "carla")).encode())
    assert found["matches"] == [["alice", "bob"], ["carla", "bob"]]
    assert [row["match"] for row in found["decisions"]] == [1] * 20 + [2] * 20
    long = positions_in((text + "\n" + text.replace("5 point", "99 point")).encode())
    assert len(long["decisions"]) == 20
    assert [fault["code"] for fault in long["faults"]] == ["match_too_long"]


def test_a_long_list_of_faults_is_cut_and_counted() -> None:
    text = " 5 point match\n\n" + " Game 1\n nobody\n\n" * 500
    found = positions_in(text.encode())
    assert (len(found["faults"]), found["faults_count"]) == (FAULTS_MOST, 500)


def test_a_reader_that_takes_too_long_is_ended() -> None:
    found = positions_in((GOLDEN / "stakes_and_cube.mat").read_bytes(), time_most_s=0.001)
    assert found == {"error": UNREADABLE}


def archive(blob: bytes) -> bytes:
    """The bytes of an eXtreme Gammon file with these compressed records."""
    entry = bytearray(xg_file.REGISTRY_ENTRY_SIZE)
    entry[: len("temp.xg") + 1] = bytes([len("temp.xg")]) + b"temp.xg"
    struct.pack_into("<iiii", entry, 512, 0, len(blob), 0, 0)
    registry = zlib.compress(bytes(entry))
    stream = blob + registry
    trailer = struct.pack("<iiiii", xg_file._crc32_signed(stream), 1, 1, len(registry), len(blob))
    trailer += b"\x01" + bytes(xg_file.ARCHIVE_TRAILER_SIZE - len(trailer) - 1)
    prefix = IS_XG + bytes(xg_file.RICH_HEADER_SIZE - len(IS_XG))
    return prefix + stream + trailer


def record(kind: int) -> bytearray:
    empty = bytearray(xg_file.TSAVEREC_SIZE)
    empty[8] = kind
    return empty


def match_header(length: int) -> bytes:
    made = record(xg_file.TS_HEADER_MATCH)
    struct.pack_into("<i", made, xg_file._HDR_MATCH_LENGTH, length)
    struct.pack_into("<ii", made, xg_file._HDR_VERSION, 30, xg_file.MAGIC_DMLI)
    return bytes(made)


def xg_match(*records: Any, length: int = 5) -> bytes:
    game = xg_file.build_game_header(bytes(record(xg_file.TS_HEADER_GAME)), START, 1, 1, 2)
    return archive(zlib.compress(match_header(length) + game + b"".join(records)))


def move(actif: int, dice: tuple[int, int], before: Board = START, after: Board = START) -> bytes:
    """A roll; `before` and `after` are the mover's boards."""
    template = bytes(record(xg_file.TS_MOVE))
    return xg_file.build_move_record(template, before, after, *dice, [], actif)


def cube(actif: int, double: int, take: int = -1) -> bytes:
    template = bytes(record(xg_file.TS_CUBE))
    return xg_file.build_cube_record(template, START, actif, double, take)


def moved(board: Board, *steps: tuple[int, int]) -> Board:
    """The mover's board after these steps, none of which hits."""
    points = list(board)
    for source, target in steps:
        points[source] -= 1
        points[target] += 1
    return tuple(points)


def test_an_xg_file_is_read_with_its_plays_cube_and_score() -> None:
    after = moved(START, (8, 5), (6, 5))
    found = positions_in(
        xg_match(
            cube(1, -2),
            move(1, (3, 1), after=after),
            cube(-1, 1, 1),
            move(-1, (6, 4), flip_board(after), moved(flip_board(after), (24, 18), (13, 9))),
            cube(1, 0),
        )
    )
    lines = [
        (each["seat"], each["dice"], each["played"], each["xgid"]) for each in found["decisions"]
    ]
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1"
    assert lines[0] == (0, [3, 1], "8/5 6/5", f"{start}:31:1:2:0:5:10")
    assert [line[:3] for line in lines[1:]] == [
        (1, None, ""),
        (1, [6, 4], "24/18 13/9"),
        (0, None, ""),
    ]
    assert [row["number"] for row in found["decisions"]] == [1, 2, 4, 5]
    assert all(line[3].endswith(":2:1:0:5:10") for line in lines[1:3])
    assert found["decisions"][1]["doubled"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_position_of_an_xg_file_is_the_question_that_it_asks(seat: int) -> None:
    actif = 1 - 2 * seat
    board = (0, *[0] * 5, 5, 0, 3, 0, 0, 0, -4, 5, *[0] * 3, -3, 0, -5, 0, 0, -2, 0, 2, 0)
    cube_record = xg_file.build_cube_record(bytes(record(xg_file.TS_CUBE)), board, actif, -2, -1)
    (asked,) = positions_in(xg_match(cube_record))["decisions"]
    assert (asked["seat"], asked["dice"], asked["doubled"]) == (seat, None, False)
    mine, theirs = (1, 2) if seat == 0 else (2, 1)
    assert asked["xgid"] == f"XGID=------E-C---dE---c-e--b-B-:0:0:1:00:{mine}:{theirs}:0:5:10"
    (rolled,) = positions_in(xg_match(move(actif, (3, 1), board, (0,) * 26)))["decisions"]
    assert (rolled["dice"], rolled["played"]) == ([3, 1], "")


def test_unlimited_play_of_an_xg_file_has_no_score() -> None:
    after = moved(START, (13, 11), (6, 5))
    found = positions_in(xg_match(move(1, (2, 1), after=after), length=99_999))
    assert found["decisions"][0]["xgid"].endswith(":21:0:0:0:0:10")


def test_an_impossible_board_of_an_xg_file_names_its_record() -> None:
    found = positions_in(xg_match(move(1, (3, 1), (0, 15, 15, *[0] * 22, 0))))
    assert found["error"]["path"] == "record 3"


@pytest.mark.slow
def test_a_bomb_of_zeros_is_stopped_by_its_memory() -> None:
    pack, piece = zlib.compressobj(9), bytes(1024 * 1024)
    blob = b"".join(pack.compress(piece) for _ in range(1_000)) + pack.flush()
    bomb = archive(blob)
    assert len(bomb) < 2 * 1024 * 1024
    found = positions_in(bomb)
    assert found["error"]["code"] in ("broken_file", "too_much")
