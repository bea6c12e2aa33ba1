"""The questions to the rules: the vectors in bulk, single ones, files, and errors that go on."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from backgammon.tests.command.asking import Refused, ask
from backgammon.tests.formats.test_mat import golden

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "rules.json").read_text("utf-8"))


def ask_lines(asked: str, questions: list[str], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The answers to JSON lines on standard input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(questions) + "\n"))
    return [json.loads(line) for line in ask(asked).splitlines()]


def test_the_vectors_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ("variant", "position", "dice", "first_turn", "options")
    questions = [json.dumps({key: case[key] for key in keys}) for case in VECTORS["moves"]]
    answers = ask_lines("plays", questions, monkeypatch)
    assert len(answers) == len(VECTORS["moves"]) >= 88
    for case, answer in zip(VECTORS["moves"], answers, strict=True):
        assert answer == {"results": sorted(case["results"])}, case["id"]


def test_leave_values_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [json.dumps({"variant": "backgammon", **case}) for case in VECTORS["max_loss"]]
    levels = [answer["max_level"] for answer in ask_lines("leave", questions, monkeypatch)]
    assert levels == [case["max_level"] for case in VECTORS["max_loss"]]


def test_a_bad_line_is_answered_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    start = '"variant": "backgammon", "position": "start"'
    lines = [
        "junk",
        "[]",
        "{}",
        "",
        '{"variant": "chess", "position": "start", "dice": [3, 1]}',
        '{"variant": ["backgammon"], "position": "start", "dice": [3, 1]}',
        '{"variant": "backgammon", "position": "1 2 3", "dice": [3, 1]}',
        f'{{{start}, "dice": [7, 1]}}',
        f'{{{start}, "dice": [[], 1]}}',
        f'{{{start}, "dice": [3, 1], "options": {{"turbo": true}}}}',
        f'{{{start}, "dice": [3, 1], "options": {{"max_stack": []}}}}',
        f'{{{start}, "dice": [3, 1], "first_turn": 1}}',
        f'{{{start}, "dice": [3, 1]}}',
    ]
    *bad, good = ask_lines("plays", lines, monkeypatch)
    assert [answer["error"]["code"] for answer in bad] == [
        "bad_question",
        "bad_question",
        "bad_question",
        "unknown_variant",
        "bad_question",
        "invalid_position",
        "invalid_dice",
        "invalid_dice",
        "option_not_offered",
        "bad_question",
        "bad_question",
    ]
    assert all(answer["error"]["message"] for answer in bad)
    assert len(good["results"]) == 16


def test_single_questions() -> None:
    assert ask("start", "hypergammon").startswith("-1 -1 -1 0 ")
    assert json.loads(ask("start", "tabula", "--json"))["position"].endswith("hand 15 15")
    assert ask("leave", "backgammon", "start") == "3\n"
    assert json.loads(ask("leave", "backgammon", "start", "--jacoby", "--json")) == {"max_level": 1}
    written = ask("plays", "backgammon", "4HPwATDgc/ABMA", "31")
    assert "8/5 6/5\n" in written
    assert written.endswith("16 different plays\n")
    answer = json.loads(ask("plays", "long_nardi", "start", "6-6", "--first-turn", "--json"))
    assert len(answer["results"]) == 1


def test_a_position_in_all_its_notations() -> None:
    answer = json.loads(ask("id", "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:5:10", "--json"))
    assert answer["position_id"] == "sGfwATDgc/ABMA"
    assert answer["position"].startswith("-2 0 0 0 0 5")
    assert "BAR" in answer["drawing"]
    assert "4HPwATDgc/ABMA" in ask("id", "4HPwATDgc/ABMA")
    tabula = json.loads(ask("id", ask("start", "tabula").strip(), "--json"))
    assert tabula["xgid"] is None


def test_files_go_from_format_to_format(tmp_path: Path) -> None:
    source = tmp_path / "match.mat"
    source.write_text(golden("stakes_and_cube.mat"), "utf-8")
    target = tmp_path / "match.sgf"
    target.write_text(ask("convert", str(source)), "utf-8")
    back = ask("convert", str(target))
    assert "  4)  Takes                      62: 24/18 13/11\n" in back
    assert json.loads(ask("convert", str(source), "--json"))["players"] == ["alice", "bob"]
    assert ask("convert", str(target), "--to", "mat") == back


def test_files_of_old_programs_are_read(tmp_path: Path) -> None:
    """The files of old programs are not in UTF-8."""
    source = tmp_path / "old.mat"
    text = golden("stakes_and_cube.mat").replace("alice :", "Jürgen:")
    source.write_bytes(text.encode("cp1252"))
    assert "Jürgen" in ask("convert", str(source))


def test_errors_name_the_place(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mat"
    broken.write_text(golden("stakes_and_cube.mat").replace("Takes", "Shrugs", 1), "utf-8")
    with pytest.raises(Refused, match="No such file"):
        ask("convert", str(tmp_path / "missing.mat"))
    with pytest.raises(Refused, match="unknown_variant"):
        ask("plays", "chess", "start", "31")
    with pytest.raises(Refused, match="position is missing"):
        ask("leave", "backgammon")
