"""The report of a match from elsewhere: the page of a played one, for its owner and by its link."""

from dataclasses import replace
from datetime import date
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from analysis.models import ImportedMatch, Job
from analysis.queue import waiting_of, work_once
from analysis.subjects import record_of
from backgammon.engines.sage import house_engine
from backgammon.formats.registry import parse_match
from harness.logins import logged_in
from tests.analysis.files import dated, golden
from tests.analysis.test_imports import brought
from tests.analysis.test_queue import Bare, broken

pytestmark = pytest.mark.django_db

ENGINE = house_engine()


def reader(person: User | None = None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    return logged_in(client, person) if person else client


def own(match: ImportedMatch, rest: str = "/") -> str:
    return f"/match/elsewhere/{match.pk}/analysis{rest}"


def shared(match: ImportedMatch, rest: str = "/") -> str:
    return f"/match/shared/{match.share_key}/analysis{rest}"


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def match(magriel: User) -> ImportedMatch:
    """A match that magriel brought and played as bob; her analyses wait."""
    record = replace(parse_match(golden()), players=("old_harbour", "kes"))
    brought(magriel, dated(record, date(2019, 5, 4), event="Club night"))
    ImportedMatch.objects.update(seat=1, source="heroes")
    return ImportedMatch.objects.get()


@pytest.fixture
def judged(match: ImportedMatch) -> ImportedMatch:
    """The same with its first report."""
    assert work_once(ENGINE)
    return match


# --- what it shows --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_owner_reads_the_report_that_a_played_match_has(
    judged: ImportedMatch, magriel: User
) -> None:
    shown = page(reader(magriel), own(judged))
    for text in ("old_harbour", "kes", "Heroes", "Club night", "4 May 2019", "5 points"):
        assert text in shown
    for text in (
        'id="report-chart"',
        "XGID=",
        "Your errors as exercises",
        "full: 2-ply",
        "Without luck",
    ):
        assert text in shown
    assert "Errors of old_harbour" in shown
    assert "Errors of kes" not in shown
    for text in ("Replay", "Look deeper"):
        assert text not in shown, "it has none of these"
    german = page(reader(magriel, "de"), own(judged))
    for text in ("Ohne Glück", "Deine Fehler", "04.05.2019", "Wie wir rechnen"):
        assert text in german


@pytest.mark.slow
def test_a_decision_has_an_address_and_its_reader_sits_below(
    judged: ImportedMatch, magriel: User
) -> None:
    piece = page(reader(magriel), own(judged, "/?d=1.1&part=decision"))
    assert 'data-key="1.1"' in piece
    assert "<html" not in piece
    assert piece.index("old_harbour") < piece.index("kes")
    flipped = page(reader(magriel), own(judged, "/?d=1.1&part=decision&flip=1"))
    assert flipped.index("kes") < flipped.index("old_harbour")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["mat", "sgf"])
def test_its_files_have_names_and_comments_and_are_read_back(
    judged: ImportedMatch, magriel: User, key: str
) -> None:
    answer = reader(magriel).get(own(judged, f".{key}"))
    assert answer.headers["Content-Disposition"].endswith(f'.{key}"')
    text = answer.content.decode()
    assert "bgsage" in text
    read = parse_match(text)
    assert read.players == ("old_harbour", "kes")
    assert [game.result for game in read.games] == [
        game.result for game in record_of(judged.transcript).games
    ]
    assert own(judged, f".{key}") in page(reader(magriel), own(judged))
    assert reader(magriel).get(own(judged, ".json")).status_code == 404


# --- who reads it ---------------------------------------------------------------------------------


def test_nobody_else_learns_that_it_is_there(match: ImportedMatch, hilde: User) -> None:
    for person in (None, hilde):
        for rest in ("/", "/?part=standing", ".sgf", ".mat"):
            assert reader(person).get(own(match, rest)).status_code == 404
    assert reader().get(f"/match/shared/{match.pk}/analysis/").status_code == 404


@pytest.mark.slow
def test_whoever_has_the_link_reads_it_until_the_link_ends(
    judged: ImportedMatch, hilde: User
) -> None:
    judged.share_key = uuid4()
    judged.save()
    for person in (None, hilde):
        answer = reader(person).get(shared(judged))
        assert answer.status_code == 200
        assert answer.headers["X-Robots-Tag"] == "noindex"
        text = answer.content.decode()
        assert shared(judged, ".mat") in text
        for told in ("magriel", "Your errors", str(judged.pk)):
            assert told not in text, "the link does not tell who brought the match"
        assert "old_harbour" in reader(person).get(shared(judged, ".sgf")).content.decode()
    ended = [shared(judged, rest) for rest in ("/", ".sgf", ".mat")]
    judged.share_key = None
    judged.save()
    assert [reader().get(path).status_code for path in ended] == [404, 404, 404]


# --- while there is none --------------------------------------------------------------------------


def test_a_waiting_match_says_its_place_among_the_matches_of_its_owner(
    match: ImportedMatch, magriel: User, hilde: User
) -> None:
    brought(hilde, golden("money_session").encode())
    brought(magriel, dated(parse_match(golden("money_session")), date(2012, 1, 1)))
    assert waiting_of(magriel.pk).count() < Job.objects.count()
    shown = page(reader(magriel), own(match))
    assert "The analysis is queued" in shown
    assert "Place in the queue: 1." in shown
    assert 'data-standing="none"' in shown
    assert "Platz in der Schlange: 1." in page(reader(magriel, "de"), own(match))
    told = reader(magriel).get(own(match, "/?part=standing")).json()
    assert [each[0] for each in told["states"]] == ["queued", "queued"]


def test_a_failed_analysis_is_named(match: ImportedMatch, magriel: User) -> None:
    for _ in range(3):
        work_once(Bare(before=broken))
    assert "The analysis has failed" in page(reader(magriel), own(match))


def test_a_match_that_no_engine_judges_says_so(match: ImportedMatch, magriel: User) -> None:
    Job.objects.all().delete()
    assert "too long for the match equity table" in page(reader(magriel), own(match))
    assert "zu lang für die Match-Equity-Tabelle" in page(reader(magriel, "de"), own(match))
