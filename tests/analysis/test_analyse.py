"""`manage.py analyse` on files and positions."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.formats.mat import format_mat
from games.formats.sgf import format_sgf
from tests.analysis.matches import PERFECT, Player, played_match
from tests.analysis.records import mat, row

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
FIELDS = {
    *("game", "number", "player", "kind", "dice", "played", "best", "loss", "counted"),
    *("luck", "depth", "engine"),
}


def analyse(*arguments: str) -> str:
    out = StringIO()
    call_command("analyse", *arguments, stdout=out)
    return out.getvalue()


def lines(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in analyse(*arguments, "--json").splitlines()]


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
    assert all(line["luck"] is None and line["ply"] == 1 for line in found)
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
    ],
)
def test_what_cannot_be_read_is_named(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        analyse(*arguments)


def test_a_broken_file_is_named_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "broken.mat"
    file.write_text(mat(row("31: 8/5 6/5", "62: 24/18 13/12")))
    out = StringIO()
    with pytest.raises(CommandError, match=r"line 5, column 37"):
        call_command("analyse", str(file), "--json", stdout=out)
    error = json.loads(out.getvalue())["error"]
    assert (error["line"], error["column"]) == (5, 37)
    assert error["code"] == "broken_file"


def test_a_variant_without_an_engine_is_named(tmp_path: Path) -> None:
    file = tmp_path / "misere.mat"
    file.write_text('; [Variation "misere"]\n' + mat())
    with pytest.raises(CommandError, match="no engine supports misere"):
        analyse(str(file))


def test_a_position_is_rolled_out_in_the_command_line() -> None:
    out = StringIO()
    race = "XGID=--AAAA--------------aba---:0:0:1:42:0:0:0:0:10"
    call_command("analyse", position=race, rollout=144, stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].endswith("4/off 2/off")
    assert "4/off 2/off is better than" in lines[-2]
    assert lines[-2].endswith("more than noise")
    assert lines[-1].startswith("144 trials of 7 turns each")
    with pytest.raises(CommandError, match="at least 36 trials"):
        call_command("analyse", position=race, rollout=35, stdout=out)
