"""Binary files of other programs: the same match as its text, and nothing of what is broken.

The three files gammonview.* are one match as eXtreme Gammon, BGBlitz and a server wrote it, from
the samples of gammonview 3.1.0 (MIT, gammonview.LICENSE).
"""

import gzip
import random
import struct
import zlib
from pathlib import Path

import pytest

from backgammon.formats.bgf import IS_BGF
from backgammon.formats.builder import check_record
from backgammon.formats.digest import match_digest
from backgammon.formats.errors import FormatError
from backgammon.formats.reading import FileRead
from backgammon.formats.registry import read_file, read_match
from backgammon.formats.smile import smile_values
from backgammon.tests.amounts import amount

GOLDEN = Path(__file__).parents[1] / "golden"
XG, BGF, MAT = (GOLDEN / f"gammonview.{ending}" for ending in ("xg", "bgf", "mat"))
PICTURE_AT, RECORD = 8_232, 2_560


@pytest.mark.parametrize("file", [XG, BGF])
def test_a_binary_file_has_the_match_of_its_text(file: Path) -> None:
    binary, text = read_match(file), read_match(MAT)
    assert match_digest(binary) == match_digest(text)
    assert [game.result for game in binary.games] == [game.result for game in text.games]
    assert (binary.players, binary.score) == (("Fox", "Bluepoint02"), (7, 1))
    assert (binary.heading.site, binary.heading.date) == ("SampleServer", text.heading.date)
    assert (binary.rules.cap, binary.rules.jacoby, binary.length) == (64, False, 0)


def test_the_source_of_a_file_is_told() -> None:
    sources = [read_file(file).matches[0].source for file in (XG, BGF, MAT)]
    assert sources == ["xg", "bgblitz", ""]


def records() -> bytearray:
    """The records of the match."""
    data = XG.read_bytes()
    picture = struct.unpack_from("<I", data, 20)[0]
    return bytearray(zlib.decompressobj().decompress(data[PICTURE_AT + picture :]))


def xg_of(content: bytes, *, packed: bool = True) -> bytes:
    """An .xg file of these records, as programs write it that keep nothing else."""
    head = XG.read_bytes()[:20] + bytes(PICTURE_AT - 20)
    return head + (zlib.compress(bytes(content)) if packed else bytes(content))


def bgf_of(content: bytes) -> bytes:
    line = BGF.read_bytes().partition(b"\n")[0]
    return line + b"\n" + gzip.compress(bytes(content), mtime=0)


def smile() -> bytes:
    return gzip.decompress(BGF.read_bytes().partition(b"\n")[2])


def test_records_alone_are_a_match_too() -> None:
    assert match_digest(read_match(xg_of(records()))) == match_digest(read_match(MAT))
    assert match_digest(read_match(bgf_of(smile()))) == match_digest(read_match(MAT))


def test_a_roll_that_leads_to_no_board_cuts_its_game_off() -> None:
    content = records()
    rolls = [at for at in range(0, len(content), RECORD) if content[at + 8] == 3]
    content[rolls[3] + 35 + 24] ^= 1
    read = read_file(xg_of(content))
    assert [game.state.value for game in read.matches[0].games] == ["cut_off", "whole", "whole"]
    assert read.matches[0].games[0].actions == 3
    (fault,) = read.faults
    assert fault.error.path == f"record {rolls[3] // RECORD + 1}"


def test_a_file_that_was_cut_off_keeps_what_is_there() -> None:
    data = XG.read_bytes()
    read = read_file(data[: len(data) // 2])
    whole = read_match(XG)
    assert read.faults[-1].error.reason == "the archive is cut off"
    (game,) = read.matches[0].record.games
    assert len(game.actions) > 5
    assert game.actions == whole.games[0].actions[: len(game.actions)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"RGMH" + bytes(20), "cut off"),
        (b"RGMH" + bytes(9_000), "damaged"),
        (xg_of(b""), "no match"),
        (IS_BGF + b"}", "is no match"),
        (IS_BGF + b"}\n\x1f\x8b" + bytes(20), "cannot be unpacked"),
        (bgf_of(b":)\n\x01" + b"\xf8" * 100_000), "nested too deeply"),
        (bgf_of(b":)\n\x01\xfa"), "damaged"),
        (bgf_of(b":)\n\x01\xf8\xf9"), "is no match"),
    ],
)
def test_what_is_no_match_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_match(data)


def test_a_bomb_is_not_unpacked() -> None:
    zeros = zlib.compressobj(9)
    piece = bytes(1024 * 1024)
    blob = b"".join(zeros.compress(piece) for _ in range(70)) + zeros.flush()
    bomb = XG.read_bytes()[:20] + bytes(PICTURE_AT - 20) + blob
    with pytest.raises(FormatError, match="more than any match has"):
        read_match(bomb)
    with pytest.raises(FormatError, match="more than any match has"):
        read_match(bgf_of(piece * 70))


@pytest.mark.parametrize("seed", range(amount(2, long=60)))
def test_random_changes_neither_crash_nor_make_anything_up(seed: int) -> None:
    chance = random.Random(seed)
    whole = read_match(MAT)
    for content, packed in ((records(), xg_of), (bytearray(smile()), bgf_of)):
        for _ in range(chance.choice((1, 3, 30))):
            content[chance.randrange(len(content))] = chance.randrange(256)
        check_kept(read_file(packed(content)), len(whole.games))


def check_kept(read: FileRead, games: int) -> None:
    assert read.matches or read.faults
    for match in read.matches:
        check_record(match.record)
        assert len(match.games) <= games
        for game in match.games:
            if game.index is not None and game.state.value == "whole":
                assert match.record.games[game.index].result is not None


def test_smile_says_what_json_says() -> None:
    said = b":)\n\x03\xfa\x80a\xc8\x81bc\xf8\x24\x01\xa4\x41hi\x01\x21\x23\xf9\x40\x22\xfb"
    assert smile_values(said) == {"a": False, "bc": [50, "hi", "hi", None, True]}
