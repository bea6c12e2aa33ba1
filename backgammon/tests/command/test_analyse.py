"""`backgammon analyse` on files and positions."""

import json
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from backgammon.counting.judging import EXACT
from backgammon.formats.mat import format_mat
from backgammon.formats.sgf import format_sgf
from backgammon.tests.analysis.matches import PERFECT, Player, played_match
from backgammon.tests.analysis.records import mat, row
from backgammon.tests.command.asking import Refused, ask
from backgammon.tests.command.asking import lines as json_lines

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
FIELDS = {
    *("game", "number", "player", "kind", "dice", "played", "best", "loss", "counted"),
    *("luck", "depth", "engine"),
}


def analyse(*arguments: str) -> str:
    return ask("analyse", *arguments)


def lines(*arguments: str) -> list[dict[str, Any]]:
    return json_lines("analyse", *arguments)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A match to one point between a good and a bad player."""
    file = tmp_path / "match.mat"
    record = played_match(5, (PERFECT, Player(1, 0.2)), length=1)
    file.write_text(format_mat(record))
    (tmp_path / "match.sgf").write_text(format_sgf(record))
    return file


def test_a_file_has_a_line_for_each_decision(played: Path) -> None:
    found = lines(str(played), "--depth", "quick")
    assert all(set(line) >= FIELDS for line in found)
    assert [line["number"] for line in found] == list(range(1, len(found) + 1))
    assert {line["player"] for line in found} == {"anna", "ben"}
    assert {line["kind"] for line in found} == {"play"}  # one point has no cube
    assert all(line["luck"] is None and line["ply"] in (1, EXACT) for line in found)
    assert all(line["loss"] == 0 for line in found if line["player"] == "anna")
    assert lines(str(played.with_suffix(".sgf")), "--depth", "quick") == found


def test_in_words_the_errors_come_first_and_then_the_figures(played: Path) -> None:
    *errors, anna, ben, engine = analyse(str(played), "--depth", "quick").splitlines()
    assert errors
    assert all("  ben  " in line for line in errors)
    assert anna.startswith("anna: PR 0.0, 0 errors in ")
    assert ben.startswith("ben: PR ")
    assert engine.startswith("bgsage ")
    assert engine.endswith(", quick")


def test_a_position_with_dice() -> None:
    (line,) = lines("--position", START, "--dice", "3-1")
    assert (line["kind"], line["dice"], line["best"]) == ("play", [3, 1], "8/5 6/5")
    assert (line["played"], line["loss"], line["counted"]) == (None, None, None)
    assert line["luck"] == pytest.approx(0.13, abs=0.05)
    deep = [option["equity"] for option in line["options"] if option["ply"] == line["ply"]]
    assert deep == sorted(deep, reverse=True)
    assert analyse("--position", START, "--dice", "31").splitlines()[0].endswith("8/5 6/5")


def test_a_position_before_the_roll_and_one_with_a_double() -> None:
    (line,) = lines("--position", "4HPwATDgc/ABMA", "--depth", "quick")
    assert (line["kind"], line["dice"], line["best"]) == ("double", None, "no double")
    (answer,) = lines("--position", START.replace(":00:", ":D:"), "--depth", "quick")
    assert (answer["kind"], answer["best"]) == ("take", "take")


def test_deep_is_deep_for_a_position() -> None:
    (line,) = lines("--position", START, "--dice", "3-1", "--depth", "deep")
    assert line["ply"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either a match file or a position"),
        (("a.mat", "--position", START), "either a match file or a position"),
        (("a.mat", "--dice", "31"), "dice belong to a position"),
        (("nowhere.mat",), "nowhere.mat: No such file"),
        (("--position", START, "--dice", "3-7"), "dice are written like 3-1, not '3-7'"),
        (("--position", START, "--dice", "3--1"), "dice are written like"),
        (("--position", START.replace("-b", "?b")), r"'\?' is no number of checkers \(column 1"),
        (("--position", "4HPwATDgc/AB"), "has 12 characters, not 14"),
        (("--position", START.replace("0:5:10", "0:x:10")), "field 9"),
        (("--position", START.replace(":0:0:0:5", ":5:0:0:5")), "nobody plays on at 5:0"),
        (("--position", START.replace("-b--", "-o--")), "28 checkers of 15"),
        (("--position", START.replace(":5:10", ":26:10")), "needs 26 points; .* ends at 25"),
        (("--position", START.replace(":00:0:0:0", ":D:4:0:1")), "not possible: it is Crawford's"),
    ],
)
def test_what_cannot_be_read_is_named(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(Refused, match=message):
        analyse(*arguments)


def test_a_long_match_is_read_and_not_judged(tmp_path: Path) -> None:
    """Beyond the match table every equity would be 0."""
    file = tmp_path / "long.mat"
    for length, judged in ((25, True), (26, False)):
        file.write_text(mat(row("31: 8/5 6/5", "62: 24/18 13/11"), length=length))
        if judged:
            assert "PR" in analyse(str(file), "--depth", "quick")
        else:
            with pytest.raises(Refused, match=r"match_too_long: .* 26 points was read"):
                analyse(str(file))
    assert lines("--position", START.replace("0:0:0:5:", "9:6:0:31:"), "--dice", "31")


@pytest.mark.parametrize(
    ("score", "refusal"),
    [
        (":1:-1:1:00:0:0:0:7:10", "the opponent owns the cube"),
        (":0:0:1:00:6:0:1:7:10", "it is Crawford's game"),
        (":0:0:1:00:6:3:0:7:10", "a win wins the match anyway"),
        (":0:0:1:00:6:6:0:7:10", "a win wins the match anyway"),
    ],
)
def test_no_double_is_listed_where_none_is_possible(score: str, refusal: str) -> None:
    position = START[: START.index(":")] + score
    first, second, engine = analyse("--position", position, "--depth", "quick").splitlines()
    assert first.endswith("  no double")
    assert second == f"a double is not possible: {refusal}"
    assert engine.startswith("bgsage")
    (line,) = lines("--position", position, "--depth", "quick")
    assert [option["text"] for option in line["options"]] == ["no double"]
    assert (line["best"], line["verdict"], line["cube"]["double_take"]) == (
        "no double", "no_cube", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("board", "verdict", "said"),
    [
        ("-b----E-C---eE---c-e----B-", "no_double", "no double, take"),
        ("-DDB------------------bce-", "double_take", "double, take"),
        ("-BCC---------------ccbb---", "double_drop", "double, drop"),
    ],
)
def test_the_right_actions_of_both_are_said(board: str, verdict: str, said: str) -> None:
    position = f"XGID={board}:0:0:1:00:0:0:0:0:10"
    (line,) = lines("--position", position, "--depth", "quick")
    assert (line["verdict"], line["refusal"]) == (verdict, None)
    assert analyse("--position", position, "--depth", "quick").splitlines()[-2] == said


def test_a_reader_that_has_enough_ends_the_command_quietly(played: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "backgammon",
        "analyse",
        str(played),
        "--depth",
        "quick",
        "--json",
    ]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 128 + 13


def test_a_broken_file_is_named_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "broken.mat"
    file.write_text(mat(row("31: 8/5 6/4", "62: 24/18 13/11")))
    with pytest.raises(Refused, match=r"line 5, column 6") as refused:
        analyse(str(file), "--json")
    error = json.loads(refused.value.output)["error"]
    assert (error["line"], error["column"]) == (5, 6)
    assert error["code"] == "broken_file"


def test_a_variant_without_an_engine_is_named(tmp_path: Path) -> None:
    file = tmp_path / "misere.mat"
    file.write_text('; [Variation "misere"]\n' + mat())
    with pytest.raises(Refused, match="no engine supports misere"):
        analyse(str(file))


def test_a_position_is_rolled_out_in_the_command_line() -> None:
    race = "XGID=--AAAA--------------aba---:0:0:1:42:0:0:0:0:10"
    lines = analyse("--position", race, "--rollout", "144").splitlines()
    assert lines[0].endswith("4/off 2/off")
    assert "4/off 2/off is better than" in lines[-2]
    assert lines[-2].endswith("more than noise")
    assert lines[-1].startswith("144 trials of 7 turns each")
    with pytest.raises(Refused, match="at least 36 trials"):
        analyse("--position", race, "--rollout", "35")
