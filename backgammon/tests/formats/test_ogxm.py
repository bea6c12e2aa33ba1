"""OGXM: what we write is what we read, with and without our own section, and as others see it.

golden/libogxm.ogxm is golden/gammonview.mat as `ogxm` 2.3.2 (MIT), the library of the format,
writes it.
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from backgammon.command.main import main
from backgammon.formats.builder import check_record
from backgammon.formats.digest import match_digest
from backgammon.formats.errors import FormatError, UnsupportedRecord
from backgammon.formats.ogxm import format_ogxm
from backgammon.formats.ogxm_bytes import GAME, MATCH, OURS, digest_of, file_bytes, sections_of
from backgammon.formats.reading import GameExtent
from backgammon.formats.record import CubeVerb, MatchRecord
from backgammon.formats.registry import OGXM, formats_for, read_file, read_match, write_match
from backgammon.rules.match import FormatKind
from backgammon.tests.amounts import amount
from backgammon.tests.formats.matches import random_match

GOLDEN = Path(__file__).parents[1] / "golden"
LIBRARY = GOLDEN / "libogxm.ogxm"
SEEDS = range(amount(4, long=60))


def without_ours(data: bytes) -> bytes:
    """The file as another program would have written it."""
    return file_bytes([section for section in sections_of(data) if section[0] != OURS])


def results(record: MatchRecord) -> list[tuple[int | None, int] | None]:
    return [game.result and (game.result.winner, game.result.points) for game in record.games]


@pytest.mark.parametrize("variant", ["backgammon", "nackgammon", "hypergammon"])
@pytest.mark.parametrize("kind", list(FormatKind))
def test_reading_back_gives_the_same_match(variant: str, kind: FormatKind) -> None:
    for seed in SEEDS:
        record = random_match(seed, variant, kind=kind, games_max=3)
        read = read_file(format_ogxm(record))
        assert (read.key, read.faults) == ("ogxm", ())
        assert (read.matches[0].record, read.matches[0].source) == (record, "pasch")
        if kind is not FormatKind.GAMES:  # which the format itself does not know
            plain = read_file(without_ours(format_ogxm(record)))
            assert plain.faults == ()
            assert match_digest(plain.matches[0].record) == match_digest(record)
            assert results(plain.matches[0].record) == results(record)


def test_a_file_of_the_library_of_the_format_is_the_same_match_as_mat() -> None:
    read, mat = read_file(LIBRARY), read_match(GOLDEN / "gammonview.mat")
    assert read.is_whole
    assert read.matches[0].source == ""
    assert match_digest(read.matches[0].record) == match_digest(mat)
    assert results(read.matches[0].record) == results(mat)
    assert digest_of(sections_of(format_ogxm(mat))) == digest_of(sections_of(LIBRARY.read_bytes()))


def test_several_files_behind_one_another_are_several_matches(tmp_path: Path) -> None:
    whole = LIBRARY.read_bytes()
    assert len(read_file(whole + whole).matches) == 2
    torn = read_file(whole[:-20] + whole)
    assert [match.games for match in torn.matches] == [
        match.games for match in read_file(whole).matches
    ]
    assert len(torn.faults) == 1
    path = tmp_path / "match.ogxm"
    write_match(read_match(LIBRARY), path)
    assert read_match(path) == read_match(LIBRARY)


def test_another_match_in_our_section_is_not_believed() -> None:
    ours = sections_of(format_ogxm(random_match(1, games_max=1)))
    other = format_ogxm(random_match(2, games_max=1))
    mixed = [each if each[0] != OURS else ours[-1] for each in sections_of(other)]
    assert read_file(file_bytes(mixed)).matches[0].source == ""
    assert match_digest(read_match(file_bytes(mixed))) == match_digest(read_match(other))


def test_what_is_changed_in_a_game_is_a_fault_with_its_place() -> None:
    sections = sections_of(LIBRARY.read_bytes())
    at = next(index for index, (name, _inside) in enumerate(sections) if name == GAME)
    inside = bytearray(sections[at][1])
    inside[inside[0] + 1 + 9] ^= 0x07
    sections[at] = (GAME, bytes(inside))
    read = read_file(file_bytes(sections))
    assert read.faults[0].error.path is not None
    assert read.faults[0].error.path.startswith("game 1, entry ")
    assert read.matches[0].games[0].state is GameExtent.CUT_OFF
    assert len(read.matches[0].games) == len(read_match(LIBRARY).games)


def test_random_changes_never_crash_and_never_make_anything_up() -> None:
    chance, good = random.Random(5), file_bytes(sections_of(LIBRARY.read_bytes()))
    for _ in range(amount(100, long=3000)):
        data = bytearray(good)
        for _change in range(chance.randint(1, 3)):
            data[chance.randrange(4, len(data) - 21)] = chance.randrange(256)  # not the checksum
        read = read_file(bytes(data))
        assert data == good or read.faults, "the checksum of the file shows every change"
        parts = sections_of(good)
        which = chance.randrange(len(parts))
        inside = bytearray(parts[which][1])
        inside[chance.randrange(len(inside))] = chance.randrange(256)
        parts[which] = (parts[which][0], bytes(inside))
        for match in read_file(file_bytes(parts)).matches:
            check_record(match.record)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"OGXM", "no OGXM file"),
        (LIBRARY.read_bytes()[:-9], "cut off"),
        (b"OGXM\x01\0" + LIBRARY.read_bytes()[6:], "version 1"),
        (file_bytes([(MATCH, b"\x03\x00\x05\x03")]), "game 3 of OGXM is not known"),
        (file_bytes([]), "analysis without its match"),
    ],
)
def test_what_is_no_match_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_match(data)


def test_a_beaver_is_taken_by_the_next_roll_and_dropped_by_leaving() -> None:
    verbs = set()
    for seed in range(amount(12, long=100)):
        record = random_match(seed, kind=FormatKind.UNLIMITED, games_max=3)
        plain = read_match(without_ours(format_ogxm(record)))
        for mine, theirs in zip(record.games, plain.games, strict=True):
            said = [each.verb for each in mine.actions if hasattr(each, "verb")]
            verbs.update(said)
            if CubeVerb.BEAVER in said and said[-1] is CubeVerb.TAKE:
                assert said == [each.verb for each in theirs.actions if hasattr(each, "verb")]
    assert CubeVerb.BEAVER in verbs


def test_games_that_the_format_does_not_know_are_refused() -> None:
    assert OGXM in formats_for(["nackgammon"])
    assert OGXM not in formats_for(["portes"])
    assert OGXM not in formats_for(["backgammon", "nackgammon"])
    with pytest.raises(UnsupportedRecord, match="OGXM has one game a match"):
        format_ogxm(random_match(1, "portes", games_max=1))


def test_it_is_converted_on_the_command_line(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["convert", "--to", "ogxm", str(GOLDEN / "gammonview.mat")]) == 0
    path = tmp_path / "match.ogxm"
    path.write_bytes(capsysbinary.readouterr().out)
    mat = read_match(GOLDEN / "gammonview.mat")
    assert read_match(path) == replace(mat, games=read_match(path).games)
    assert main(["convert", "--to", "mat", str(path)]) == 0
    assert b"point match" in capsysbinary.readouterr().out
