"""A whole match as text for a post."""

import pytest

from backgammon.command.main import main
from backgammon.counting.decisions import decisions
from backgammon.counting.match_post import match_post
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.rules.match import FormatKind
from backgammon.tests.formats.matches import random_match

MAT = """ 3 point match

 Game 1
 magriel : 0                     hilde : 0
  1)                             31: 8/5 6/5
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 magriel : 1                     hilde : 0
  1) 64: 24/14                   52: 13/11 13/8
"""


def test_a_match_is_told_game_by_game() -> None:
    assert match_post(parse_mat(MAT)) == (
        "magriel – hilde, match to 3 points\n\n"
        "Game 1, 0 – 0\n"
        "1) … | 31: 8/5 6/5 2) Doubles => 2 | Drops\n"
        "magriel wins 1 point (drop)\n\n"
        "Game 2, 1 – 0\n"
        "1) 64: 24/14 | 52: 13/11* 13/8\n"
        "not finished\n"
    )


def test_a_note_stands_below_its_game_with_the_xgid() -> None:
    record = parse_mat(MAT)
    first = next(each for each in decisions(record) if each.place.game == 2)
    text = match_post(record, {(2, first.place.number): "?? −0.210, best 24/18 13/9"})
    assert "not finished\n* magriel, 64: ?? −0.210, best 24/18 13/9\n  XGID=-b--" in text
    assert text.splitlines()[-1].endswith(":64:1:0:0:3:10")


def test_every_kind_of_match_can_be_told() -> None:
    for seed, kind in enumerate(FormatKind):
        record = random_match(seed, kind=kind, games_max=3)
        text = match_post(record)
        assert text.count("\nGame ") == len(record.games)
        assert max(map(len, text.splitlines())) < 120


def test_it_is_converted_on_the_command_line(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.mat"
    path.write_text(format_mat(random_match(2, games_max=1)), encoding="utf-8")
    assert main(["convert", "--to", "post", str(path)]) == 0
    assert capsys.readouterr().out.startswith("magriel – hilde maria, match to 5 points, Herbst")
