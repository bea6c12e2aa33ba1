"""`python -m backgammon` as a process: exit status, what goes where, help, pictures, dice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from backgammon.formats.registry import read_match
from backgammon.tests.command.asking import Refused, ask, lines
from backgammon.tests.dice.games import game

MATCH = str(Path(__file__).parents[1] / "golden" / "stakes_and_cube.mat")


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "backgammon", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)


def test_an_answer_is_the_output_and_an_error_is_not() -> None:
    answered = run("leave", "backgammon", "start")
    assert (answered.returncode, answered.stdout, answered.stderr) == (0, "3\n", "")
    refused = run("plays", "chess", "start", "31")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("backgammon: unknown_variant: no variant 'chess'")
    unreadable = run("juggle")
    assert (unreadable.returncode, unreadable.stdout) == (2, "")
    assert "juggle" in unreadable.stderr


def test_a_match_comes_by_standard_input() -> None:
    converted = run("convert", "-", "--to", "json", typed=Path(MATCH).read_text("utf-8"))
    assert json.loads(converted.stdout)["players"] == ["alice", "bob"]


@pytest.mark.parametrize("question", ["plays", "convert", "analyse", "draw", "match-ids", "verify"])
def test_every_question_has_help(question: str) -> None:
    with pytest.raises(SystemExit) as ended:
        ask(question, "--help")
    assert ended.value.code == 0


def test_the_ids_of_a_match_are_those_of_its_decisions() -> None:
    found = lines("match-ids", MATCH)
    assert [line["game"] for line in found] == sorted(line["game"] for line in found)
    assert found[0]["position_id"] == "4HPwATDgc/ABMA"
    assert all(line["xgid"].startswith("XGID=") for line in found)
    assert len(ask("match-ids", MATCH).splitlines()) == len(found)
    record = read_match(Path(MATCH))
    assert {line["game"] for line in found} == set(range(1, len(record.games) + 1))


def test_a_position_is_drawn_in_letters_and_as_svg(tmp_path: Path) -> None:
    assert "BAR" in ask("draw", "start", "--variant", "nackgammon")
    file = tmp_path / "start.svg"
    assert ask("draw", "start", "--dice", "3-1", "--svg", str(file)) == ""
    picture = file.read_text("utf-8")
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert picture.count('href="#bg-man-') == 30
    with pytest.raises(Refused, match="No such file"):
        ask("draw", "start", "--svg", str(tmp_path / "nowhere" / "start.svg"))


def test_a_record_of_dice_that_was_changed_is_refused(tmp_path: Path) -> None:
    record = game().to_json()
    file = tmp_path / "dice.json"
    file.write_text(json.dumps(record))
    assert ask("verify", str(file)).endswith("0 failures\n")
    record["rolls"][0]["dice"].reverse()
    file.write_text(json.dumps(record))
    with pytest.raises(Refused) as refused:
        ask("verify", str(file))
    assert "dice: " in refused.value.output
    file.write_text("{")
    with pytest.raises(Refused, match="bad_record"):
        ask("verify", str(file))
