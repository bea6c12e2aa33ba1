"""PR over the years: which matches are on it, its mean, and the page that draws it."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from analysis.decisions.curve import curve_of, running_luck, running_pr
from analysis.models import DecidedMatch, ImportedMatch, Report, Transcript
from analysis.pages.decision_curve import MARKS_MOST
from analysis.reports import report_make
from games.models import Match
from harness.logins import logged_in
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db

MATCHES = reverse("archive")
FIRST = datetime(2019, 3, 1, 12, tzinfo=UTC)
_digests = count()


def matches_brought(person: User, matches: int, **values: Any) -> list[DecidedMatch]:
    """So many analysed matches of a person, ten days apart, each with 50 decisions and a PR of 10.

    `length` and `day` belong to the transcript and to the file; `day=None` is not known.
    """
    length, begins = values.pop("length", 5), values.pop("begins", FIRST)
    has_day = values.pop("has_day", True)
    transcripts = Transcript.objects.bulk_create(
        Transcript(
            digest=f"{next(_digests):064}",
            variant="backgammon",
            length=length,
            score_0=0,
            score_1=0,
            record={},
        )
        for _ in range(matches)
    )
    brought = ImportedMatch.objects.bulk_create(
        ImportedMatch(
            person=person,
            transcript=each,
            name_0="me",
            name_1=values.get("opponent", "Mochy"),
            seat=0,
            source=values.get("source", "galaxy"),
            ended_at=begins + timedelta(days=10 * place),
            played_on=(begins + timedelta(days=10 * place)).date() if has_day else None,
        )
        for place, each in enumerate(transcripts)
    )
    figures = [{"gift": 0.04, "pr": 10}, {"gift": -0.04, "pr": 10}]
    reports = Report.objects.bulk_create(
        Report(transcript=each, engine="test", version="1", depth="full", figures=figures)
        for each in transcripts
    )
    given = {"counted": 50, "lost": 1.0, "source": "galaxy", "opponent": "Mochy", **values}
    return DecidedMatch.objects.bulk_create(
        DecidedMatch(
            person=person,
            imported=each,
            report=report,
            seat=0,
            variant="backgammon",
            played_at=each.ended_at,
            **given,
        )
        for each, report in zip(brought, reports, strict=True)
    )


def shown(client: Client, ask: str = "") -> str:
    answer = client.get(f"{MATCHES}{ask}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def marks(page: str) -> list[str]:
    found = re.search(r"curve-chart.*?</svg>", page, re.DOTALL)
    return re.findall(r'<a href="([^"]+)"', found[0]) if found else []


def test_the_mean_weighs_matches_by_their_decisions_and_needs_a_hundred(magriel: User) -> None:
    matches_brought(magriel, 1, counted=60, lost=1.2)
    matches_brought(magriel, 1, counted=140, lost=0.0, begins=FIRST + timedelta(days=5))
    first, second = running_pr(curve_of(magriel, "backgammon", None))
    assert first is None
    assert second is not None
    assert second.value == pytest.approx(3.0)
    assert second.band is None


def test_the_mean_forgets_what_lies_a_hundred_matches_back(magriel: User) -> None:
    matches_brought(magriel, 100, lost=2.0)
    later = FIRST + timedelta(days=5_000)
    matches_brought(magriel, 100, lost=1.0, begins=later)
    means: Any = running_pr(curve_of(magriel, "backgammon", None))
    assert means[99].value == pytest.approx(20.0)
    assert means[149].value == pytest.approx(15.0)
    assert means[149].band.low < 15.0 < means[149].band.high
    assert means[199].value == pytest.approx(10.0)
    assert running_luck([1.0] * 100 + [0.0] * 100)[149] == pytest.approx(0.5)


def test_matches_without_a_day_or_of_others_are_not_on_the_curve(magriel: User, tilo: User) -> None:
    matches_brought(magriel, 2)
    matches_brought(magriel, 1, has_day=False)
    matches_brought(tilo, 1)
    assert len(curve_of(magriel, "backgammon", None)) == 2


def test_matches_against_bots_are_not_on_the_curve(
    played: Match, magriel: User, hilde: User
) -> None:
    report_make(played, Bare(), "full")
    assert len(curve_of(magriel, "backgammon", None)) == 1
    User.objects.filter(pk=hilde.pk).update(is_bot=True)
    assert curve_of(magriel, "backgammon", None) == []


def test_the_page_draws_played_and_brought_matches_as_links(played: Match, magriel: User) -> None:
    report_make(played, Bare(), "full")
    (old,) = matches_brought(magriel, 1)
    client = logged_in(Client(headers={"accept-language": "en"}), magriel)
    page = shown(client)
    assert marks(page) == [
        reverse("imported_report", args=[old.imported_id]),
        reverse("match_report", args=[played.pk]),
    ]
    assert "PR over the years" in page
    assert 'aria-hidden="true"' in page
    for link in marks(page):
        assert client.get(link).status_code == 200
    assert "Luck, in %" not in page
    assert "Luck, in %" in shown(client, "?luck=1")


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        ("?source=heroes", 3),
        ("?opponent=moch", 2),
        ("?length=7", 3),
        ("?year=2018", 0),
        ("?source=here", 0),
    ],
)
def test_the_filters_of_the_list_hold_for_the_curve(magriel: User, ask: str, found: int) -> None:
    matches_brought(magriel, 2)
    matches_brought(magriel, 3, source="heroes", opponent="Falafel", length=7)
    client = logged_in(Client(headers={"accept-language": "en"}), magriel)
    page = shown(client, ask)
    assert len(marks(page)) == found
    assert ("fits these filters" in page) == (found == 0)


def test_of_many_matches_a_mark_is_several_and_leads_to_them(magriel: User) -> None:
    matches_brought(magriel, MARKS_MOST + 2)
    client = logged_in(Client(headers={"accept-language": "en"}), magriel)
    page = shown(client, "?source=galaxy")
    links = marks(page)
    assert len(links) == MARKS_MOST // 2 + 1
    assert "Each mark is the mean of 2 matches" in page
    assert all(link.startswith(f"{MATCHES}?source=galaxy") for link in links)
    listed = client.get(links[3].removesuffix("#matches")).context["rows"]
    day = FIRST + timedelta(days=10 * 7)
    assert {match_of(listed[0]).ended_at, match_of(listed[1]).ended_at} == {
        day,
        day - timedelta(days=10),
    }


def match_of(row: Any) -> ImportedMatch:
    found = row["match"] if isinstance(row, dict) else row.match
    assert isinstance(found, ImportedMatch)
    return found


def test_without_an_analysed_match_there_is_no_curve(magriel: User) -> None:
    assert "PR over the years" not in shown(logged_in(Client(), magriel))
