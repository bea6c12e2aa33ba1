"""The source of a match, told from the marks in its text."""

import pytest

from backgammon.formats.record_json import format_json
from backgammon.formats.registry import parse_match, read_text
from backgammon.formats.sgf import format_sgf

GAME = "3 point match\n\n Game 1\n{players}\n 1) 31: 8/5 6/5    {second}\n"
PLAYERS = " Left : 0        Right : 0"


@pytest.mark.parametrize(
    ("tags", "second", "source"),
    [
        ('; [Site "Backgammon Galaxy"]', "", "galaxy"),
        ('; [Player 1 Elo "0,00/0"]', "", "galaxy"),
        ('; [ClockType "Live8 780/10"]', "", "heroes"),
        ('; [Transcriber "x"]', "", "xg"),
        ("", "64: ????", "xg"),
        ('; [Site "FIBS"]', "64: ????", "fibs"),
        ("", "", ""),
        ('; [Event "played on a galaxy far away"]', "", ""),
    ],
)
def test_the_source_is_told_by_tags_and_words(tags: str, second: str, source: str) -> None:
    text = f"{tags}\n{GAME.format(players=PLAYERS, second=second)}"
    assert [match.source for match in read_text(text).matches] == [source]


def test_names_with_ratings_are_those_of_a_client() -> None:
    text = GAME.format(players=" Left,1575 : 0        Right,1766 : 0", second="")
    assert read_text(text).matches[0].source == "gridgammon"


def test_files_of_ours_and_of_gnu_backgammon_say_so() -> None:
    record = parse_match(GAME.format(players=PLAYERS, second=""))
    sgf = format_sgf(record)
    assert read_text(sgf).matches[0].source == "pasch"
    assert read_text(format_json(record)).matches[0].source == "pasch"
    gnu = sgf.replace("AP[Pasch:1]", "AP[GNU Backgammon:1.07]")
    assert read_text(gnu).matches[0].source == "gnu"
