"""Match files with faults on the command line: what is sound is answered, the rest is named."""

import json
import zipfile
from pathlib import Path

import pytest

from backgammon.command.main import main, parser
from backgammon.command.matches import FAULTY
from backgammon.formats.mat import format_mat
from backgammon.formats.registry import read_text
from backgammon.tests.command.asking import Refused, ask

GOLDEN = Path(__file__).parents[1] / "golden" / "stakes_and_cube.mat"


def faulty(tmp_path: Path, old: str = "43: 14/10", new: str = "43: 14/9", most: int = 1) -> str:
    """The name of a file in which game 1 is cut off at line 16, or another one at fault."""
    file = tmp_path / "faulty.mat"
    text = GOLDEN.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, most), "utf-8")
    return str(file)


def answered(status: int, *arguments: str) -> tuple[str, str]:
    """The output and what was said on standard error; the exit status is this one."""
    with pytest.raises(Refused) as caught:
        ask(*arguments)
    assert caught.value.status == status
    return caught.value.output, str(caught.value)


@pytest.mark.parametrize("key", ["mat", "sgf", "json"])
def test_what_is_sound_is_converted(tmp_path: Path, key: str) -> None:
    name = faulty(tmp_path)
    output, said = answered(FAULTY, "convert", name, "--to", key)
    assert said.startswith(f"{name}:16:6: ")
    assert said.endswith("; entries kept of game 1: 3\n")
    first, second = read_text(output).matches[0].record.games
    assert (len(first.actions), first.result) == (3, None)
    assert second.result is not None


def test_what_is_sound_is_listed_and_analysed(tmp_path: Path) -> None:
    name = faulty(tmp_path, "alice : 0   ", "alice 0   ")
    output, said = answered(FAULTY, "match-ids", name, "--json")
    rows = [json.loads(line) for line in output.splitlines()]
    assert {(row["match"], row["game"]) for row in rows} == {(1, 2)}
    assert said.startswith(f"{name}:13: ")
    output, _ = answered(FAULTY, "analyse", name, "--depth", "quick", "--json")
    assert {json.loads(line)["game"] for line in output.splitlines()} == {2}


def test_a_file_without_a_sound_game_is_refused_with_all_faults(tmp_path: Path) -> None:
    name = faulty(tmp_path, "8/5 6/5", "8/5 6/4", 9)
    for question in ("convert", "match-ids", "analyse"):
        output, said = answered(1, question, name)
        assert output == ""
        first, second, last = said.splitlines()
        assert first.startswith(f"{name}:14:34: ")
        assert second.startswith(f"{name}:23:6: ")
        assert last.startswith("backgammon: broken_file: line 14, column 34: ")


def test_several_matches_of_a_file_are_answered(tmp_path: Path) -> None:
    file = tmp_path / "two.mat"
    text = GOLDEN.read_text("utf-8")
    file.write_text(text + "\n" + text.replace("alice", "carla"), "utf-8")
    for key in ("mat", "sgf"):
        found = read_text(ask("convert", str(file), "--to", key))
        players = [match.record.players for match in found.matches]
        assert players == [("alice", "bob"), ("carla", "bob")]
        assert found.is_whole
    with pytest.raises(Refused, match="there are 2 matches, a JSON file has one"):
        ask("convert", str(file), "--to", "json")
    assert "match 2: carla – bob\n" in ask("match-ids", str(file))
    assert "match 2: carla – bob\n" in ask("analyse", str(file), "--depth", "quick")


def test_help_tells_the_exit_status() -> None:
    assert f"{FAULTY} if a match file has faults" in " ".join(parser().format_help().split())


def test_folders_zips_and_several_files_are_answered(tmp_path: Path) -> None:
    text = GOLDEN.read_text("utf-8")
    folder = tmp_path / "mine"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/b.mat").write_text(text.replace("alice", "berta"), "utf-8")
    (folder / ".hidden.mat").write_text("nothing", "utf-8")
    with zipfile.ZipFile(folder / "c.zip", "w") as packed:
        packed.writestr("of/c.mat", text.replace("alice", "carla"))
    named = [str(GOLDEN), str(folder)]
    for key in ("mat", "sgf"):
        found = read_text(ask("convert", *named, "--to", key))
        players = [match.record.players[0] for match in found.matches]
        assert players == ["alice", "carla", "berta"]
    rows = [json.loads(line) for line in ask("match-ids", *named, "--json").splitlines()]
    assert list(dict.fromkeys(row["file"] for row in rows)) == [
        str(GOLDEN),
        f"{folder}/c.zip/of/c.mat",
        f"{folder}/deep/b.mat",
    ]
    said = ask("analyse", str(folder), "--depth", "quick")
    assert f"{folder}/deep/b.mat: match 1: berta – bob\n" in said


def test_bad_files_among_good_ones_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text("no match", "utf-8")
    (tmp_path / "b.mat").write_text(GOLDEN.read_text("utf-8"), "utf-8")
    (tmp_path / "c.zip").write_bytes(b"PK\x03\x04")
    output, said = answered(FAULTY, "convert", str(tmp_path), "--to", "json")
    assert json.loads(output)["players"] == ["alice", "bob"]
    assert [line.partition(":")[0] for line in said.splitlines()] == [
        f"{tmp_path}/a.mat",
        f"{tmp_path}/c.zip",
    ]
    _, said = answered(1, "convert", str(tmp_path / "a.mat"), str(tmp_path / "c.zip"))
    assert said.splitlines()[-1].startswith("backgammon: broken_file: ")


def test_where_a_file_does_not_say_whether_jacoby_holds_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " 0 point match\n\n Game 1\n ann : 0      ben : 0\n  1) 31: 8/5 6/5   62: 24/18 13/11\n"
    read = read_text(text).matches[0]
    assert (read.jacoby_assumed, read.record.rules.jacoby) == (True, False)
    for jacoby in (True, False):
        read = read_text(text, jacoby=jacoby).matches[0]
        assert (read.jacoby_assumed, read.record.rules.jacoby) == (False, jacoby)
    for said in (text.replace("0 point", "5 point"), '; [Jacoby "On"]\n' + text):
        assert read_text(said, jacoby=False) == read_text(said)
        assert not read_text(said).matches[0].jacoby_assumed
    written = format_mat(read_text(text).matches[0].record)
    assert "Jacoby" not in written
    assert read_text(written).matches[0].jacoby_assumed, "it is asked for again"
    for jacoby in (True, False):
        written = format_mat(read_text(text, jacoby=jacoby).matches[0].record)
        again = read_text(written).matches[0]
        assert (again.jacoby_assumed, again.record.rules.jacoby) == (False, jacoby)
    file = tmp_path / "session.mat"
    file.write_text(text, "utf-8")
    for option, jacoby, is_asked in ((), "false", True), (("--jacoby",), "true", False):
        assert main(["convert", "--json", *option, str(file)]) == 0
        told = capsys.readouterr()
        assert f'"jacoby": {jacoby}' in told.out
        assert ("does not say whether Jacoby holds" in told.err) is is_asked
