"""The faults of match files in the reader's language: their reasons are those of the library."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override

import backgammon
from analysis.pages.problems import file_shown
from analysis.pages.sentences import in_words
from analysis.reading import found_in
from backgammon.formats.ogxm_reader import REFUSED
from backgammon.tests.formats.test_broken_files import MAT

FIRST = "31: 8/5 6/5                 62"


@pytest.mark.parametrize(
    ("old", "new", "english", "german"),
    [
        (" 5 point match", "", "before the line “n point match”", "vor der Zeile"),
        (" Game 1\n", "", "that this could belong to", "zu dem das gehören könnte"),
        ("ann : 0                        ben", "ann ben", "After “Game n” comes", "Nach „Game n“"),
        ("ann : 0                        ben : 4", "eve : 0   bea : 4", "before.", "Vorher waren"),
        ("ann : 0                        ben : 4", "ben : 4   ann : 0", "sides", "vertauscht"),
        ("ben : 4", "ben : 3", "begins at 0:3", "beginnt bei 0:3"),
        (FIRST, FIRST.replace("6/5 ", "6/x "), "no such point", "Hier fehlt ein Punkt"),
        (FIRST, FIRST.replace("6/5 ", "6:5 "), "from/to", "von/nach"),
        (FIRST, FIRST.replace("6/5 ", "6/7 "), "lower point", "niedrigeren Punkt"),
        (FIRST, FIRST.replace("6/5 ", "6/5(9) "), "should end", "sollte der Zug enden"),
        (FIRST, FIRST.replace("6/5 ", "9/8 "), "no checker on 9", "Auf 9 steht kein Stein"),
        (FIRST, FIRST.replace("6/5 ", "13/4 "), "cannot be played", "lässt sich mit diesem Wurf"),
        (FIRST, FIRST.replace("6/5 ", "6/4 "), "together no legal play", "zusammen kein erlaubter"),
        (FIRST, FIRST.replace("31", "37"), "A die shows 1 to 6, not 7", "Ein Würfel zeigt 1 bis 6"),
        (FIRST, FIRST.replace("31:", "311:"), "2 dice, not 3", "2 Würfel, nicht 3"),
        ("66:\n", "66: 24/18\n", "nothing can be moved", "kann nichts ziehen"),
        ("21: bar/24 13/11", "21: 13/11 8/7", "has to enter first", "von der Bar ins Spiel"),
        ("  2)  Doubles => 2 ", "  2)  Takes" + " " * 9, "no double to answer", "zu beantworten"),
        ("Takes", "Beavers => 4", "unlimited play", "unbegrenzten Spiel"),
        ("Takes", "", "has not been answered", "nicht beantwortet"),
        ("Wins 4 points", "Wins a lot", "'Wins a lot' cannot be read", "lässt sich nicht lesen"),
        ("Wins 4 points\n", "", "has no result", "kein Ergebnis"),
        ("Wins 4 points", "Wins 0 points", "cannot be worth 0", "nicht 0 Punkte"),
    ],
)
def test_a_reason_is_in_the_language_of_the_page(
    old: str, new: str, english: str, german: str
) -> None:
    assert MAT.count(old) >= 1
    found = found_in(MAT.replace(old, new, 1).encode())
    said = {}
    for language in ("en", "de"):
        with override(language):
            said[language] = " ".join(f["message"] for f in file_shown(found)["faults"])
    assert english in said["en"]
    assert german in said["de"]


@pytest.mark.parametrize(
    ("state", "actions", "words"),
    [
        ("unreadable", 0, "Nothing of game 3 is kept."),
        ("cut_off", 0, "Nothing of game 3 is kept."),
        ("cut_off", 1, "Of game 3 the first entry is kept."),
        ("cut_off", 7, "Of game 3 the first 7 entries are kept."),
        ("whole", 9, "All of game 3 is kept."),
    ],
)
def test_what_was_kept_is_said(state: str, actions: int, words: str) -> None:
    fault = {"code": "broken_file", "message": "no point", "game": 3}
    found = {"faults": [fault | {"state": state, "actions": actions}], "faults_count": 1}
    with override("en"):
        assert file_shown(found)["faults"][0]["kept"] == words


def test_a_reason_without_a_template_stays_as_the_library_says_it() -> None:
    found = {"error": {"code": "broken_file", "message": "odd", "path": "games[1]"}}
    with override("de"):
        assert file_shown(found)["error"]["message"] == "Bei games[1]: odd"


@pytest.mark.parametrize(
    ("data", "english", "german"),
    [
        (b"(;FF[4]GM[6", "is not closed", "nicht geschlossen"),
        (b"(;FF[4]GM[6]", "ends in the middle of a game", "mitten in einer Partie"),
        (b"(;FF[4]GM[6];[])", "has no place here", "hier keinen Platz"),
        (b'{"format":', "This is no JSON any more", "kein JSON mehr"),
        (b'{"format": "pasch-match"}', "of the wrong kind", "von der falschen Art"),
        (b"RGMH" + bytes(9_000), "is damaged", "ist beschädigt"),
        (b'{"format":"BGF"}\n', "There is no match", "kein Match"),
    ],
)
def test_a_file_that_is_no_match_at_all_is_named(data: bytes, english: str, german: str) -> None:
    found = found_in(data)
    for language, said in (("en", english), ("de", german)):
        with override(language):
            shown = file_shown(found)
            told = [fault["message"] for fault in shown["faults"]] + [shown["error"]["message"]]
            assert any(said in message for message in told)


LIBRARY = Path(backgammon.__file__).parent
#: the rules whose errors readers of files pass on; formats that are only asked for by name.
RULES = ("cube", "notation", "plays", "position", "variant")
OF_PROGRAMS = ("registry.py",)


def reasons(file: Path) -> Iterator[str]:
    """What the errors that a module raises say, with a 7 in each place for a value."""
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if not name.endswith(("Error", "error", "Play", "Offered")) and "Invalid" not in name:
            continue
        said = node.args[0]
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            yield said.value
        elif isinstance(said, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "7" for part in said.values]
            yield "".join(map(str, parts))


def test_every_reason_of_the_library_has_a_german_sentence() -> None:
    files = [*sorted((LIBRARY / "formats").glob("*.py"))]
    files += [LIBRARY / "rules" / f"{name}.py" for name in RULES]
    told = [reason for file in files if file.name not in OF_PROGRAMS for reason in reasons(file)]
    told += REFUSED.values()
    assert len(told) > 130
    for reason in told:
        said = []
        for language in ("en", "de"):
            with override(language):
                said.append(in_words(reason))
        assert None not in said, reason
        assert said[0] != said[1], reason
