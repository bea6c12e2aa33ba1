"""The analysis board's page and what its script asks for."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from analysis.answering import answer_once
from analysis.models import Question
from analysis.questions import FILE_MOST_BYTES
from harness.logins import logged_in
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
MAT = Path(__file__).parents[2] / "backgammon/tests/golden/stakes_and_cube.mat"


def client(language: str = "en") -> Client:
    return Client(headers={"accept-language": language})


def shown(page: Any) -> dict[str, Any]:
    """The data of the page for its script."""
    text = page.content.decode()
    begins = text.index('id="analysis-data"')
    data: dict[str, Any] = json.loads(
        text[text.index("{", begins) : text.index("</script>", begins)]
    )
    return data


def asked(reply: Any, language: str = "en") -> Any:
    """The question once every question has been answered."""
    while answer_once(Bare()):
        pass
    return client(language).get(reply.json()["url"]).json()


def test_the_page_opens_at_the_start_and_with_a_position() -> None:
    page = client().get("/analysis/")
    assert page.status_code == 200
    assert shown(page)["position"]["points"][5] == 5
    page = client("de").get("/analysis/", {"xgid": OPENING})
    assert shown(page)["position"]["dice"] == [3, 1]
    assert "XGID: unbegrenzt, Hell spielt 3-1" in page.content.decode()


def test_a_bad_address_names_what_is_wrong_and_keeps_the_board() -> None:
    page = client().get("/analysis/", {"xgid": OPENING.replace("-E-C", "-E!C")})
    assert page.status_code == 200
    assert "Character 13: &#x27;!&#x27; is no number of checkers." in page.content.decode()
    assert shown(page)["position"]["points"][5] == 5


def test_the_page_says_that_no_worker_runs() -> None:
    assert "analysis-no-worker" in client().get("/analysis/").content.decode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OPENING, "XGID: unlimited play, light to play 3-1"),
        ("4HPwATDgc/ABMA", "Position ID: unlimited play, light is on roll"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", "Position ID, Match ID: unlimited play, light"),
    ],
)
def test_a_pasted_position_is_read(text: str, words: str) -> None:
    reply = client().post("/analysis/read/", {"text": text, "shown": OPENING})
    assert reply.status_code == 200
    assert reply.json()["words"].startswith(words)
    assert reply.json()["position"]["points"][5] == 5


def test_a_bad_text_is_refused_in_both_languages_and_stores_nothing() -> None:
    for language, words in (("en", "no character of an ID"), ("de", "kein Zeichen einer ID")):
        reply = client(language).post("/analysis/read/", {"text": "4HPw!TDgc/ABMA"})
        assert reply.status_code == 400
        assert words in reply.json()["error"]["message"]
        assert reply.json()["error"]["column"] == 5
    assert not Question.objects.exists()


def test_a_pasted_match_and_an_uploaded_one_are_listed() -> None:
    pasted = client().post("/analysis/read/", {"text": MAT.read_text()})
    sent = client().post(
        "/analysis/file/", {"file": SimpleUploadedFile("match.mat", MAT.read_bytes())}
    )
    assert (pasted.status_code, sent.status_code) == (202, 202)
    first = asked(pasted)
    assert first["state"] == "done"
    assert first["file"]["players"] == ["alice", "bob"]
    assert asked(sent)["file"] == first["file"]


def test_a_broken_file_says_where() -> None:
    broken = MAT.read_bytes().replace(b"8/5 6/5", b"8/5 6/4")
    sent = client().post("/analysis/file/", {"file": SimpleUploadedFile("match.mat", broken)})
    told = asked(sent)
    assert told["state"] == "done"
    assert told["file"] is None
    assert told["error"]["message"].startswith("Line ")
    assert [fault["line"] for fault in told["faults"]] == [14, 23]


def test_a_file_with_a_bad_game_is_listed_with_its_faults_in_both_languages() -> None:
    broken = MAT.read_bytes().replace(b"43: 14/10 13/10", b"43: 14/10 13/9", 1)
    said = {}
    for language in ("en", "de"):
        file = SimpleUploadedFile("match.mat", broken)
        sent = client(language).post("/analysis/file/", {"file": file})
        told = asked(sent, language)
        assert told["file"]["decisions"]
        assert told["error"] is None
        (said[language],) = told["faults"]
    assert said["en"] == {
        "code": "broken_file",
        "message": "Line 16, character 6: 14/10 13/9: together no legal play of this roll;"
        " as many dice as possible count.",
        "kept": "Of game 1 the first 3 entries are kept.",
        "line": 16,
        "column": 6,
        "path": None,
        "match": 1,
        "game": 1,
    }
    assert said["de"]["kept"] == "Von Spiel 1 werden die ersten 3 Einträge behalten."


@pytest.mark.parametrize(
    ("data", "status"), [(b"", 409), (b"x" * (FILE_MOST_BYTES + 1), 413), (None, 400)]
)
def test_a_file_that_is_empty_too_large_or_missing_is_refused(
    data: bytes | None, status: int
) -> None:
    fields = {} if data is None else {"file": SimpleUploadedFile("match.mat", data)}
    reply = client().post("/analysis/file/", fields)
    assert reply.status_code == status
    assert reply.json()["error"]["message"]
    assert not Question.objects.exists()


def test_a_visitor_asks_quickly_and_gets_plays() -> None:
    reply = client().post("/analysis/ask/", {"xgid": OPENING, "depth": "quick"})
    assert reply.status_code == 202
    assert reply.json()["state"] == "waiting"
    assert reply.json()["worker"] is False
    told = asked(reply)
    assert told["state"] == "done"
    assert told["answer"]["options"][0]["text"] == "8/5 6/5"
    assert told["answer"]["engine"] == "bare"


def test_a_deeper_look_needs_an_account() -> None:
    reply = client().post("/analysis/ask/", {"xgid": OPENING, "depth": "deep"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "only_with_account")
    member = client()
    logged_in(member, User.objects.create_user("hilde"))
    reply = member.post("/analysis/ask/", {"xgid": OPENING, "depth": "deep"})
    assert reply.status_code == 202


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"xgid": OPENING, "depth": "deepest"}, "no such depth"),
        ({"xgid": "nothing", "depth": "quick"}, "10 fields"),
        ({"xgid": "XGID=" + "-" * 26 + ":0:0:1:00:0:0:0:0:10", "depth": "quick"}, "game is over"),
        ({"xgid": OPENING.replace(":0:10", ":-1:10"), "depth": "quick"}, "field 9"),
    ],
)
def test_what_cannot_be_asked_is_named(fields: dict[str, str], words: str) -> None:
    reply = client().post("/analysis/ask/", fields)
    assert reply.status_code == 400
    assert words in reply.json()["error"]["message"]
    assert not Question.objects.exists()


def test_a_question_that_nobody_asked_does_not_exist() -> None:
    unknown = "/analysis/questions/00000000-0000-4000-8000-000000000000/"
    assert client().get(unknown).status_code == 404
