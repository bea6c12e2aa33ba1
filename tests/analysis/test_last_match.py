"""The last match on the front page, with the moment that cost its reader most."""

import re

import pytest
from django.test import Client

from accounts.models import User
from analysis.mistakes import mistakes_of
from analysis.models import ErrorExercise
from analysis.reports import report_make
from games.models import Match
from harness.logins import logged_in
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db


def home(person: User) -> str:
    client = logged_in(Client(headers={"accept-language": "en"}), person)
    page = client.get("/").content.decode()
    return page[page.index('home-last"') :]


def test_the_costliest_mistake_is_one_sentence_and_a_small_board(many: Match) -> None:
    assert "The match is being analysed." in home(many.player_0)
    report = report_make(many, Bare(), "full")
    made = [mistakes_of(report, seat) for seat in (0, 1)]
    seat = 0 if made[0].count else 1
    worst, reader = made[seat].worst, (many.player_0, many.player_1)[seat]
    assert worst is not None, "somebody made a mistake"
    page = home(reader)
    best, played = worst.line["options"][0]["text"], worst.line["played"]
    sentence = re.findall(r"<h3>(.*)</h3>", page)[0]
    assert sentence.startswith(f"{best} instead of {played}: you win ")
    more, less = map(int, re.findall(r"(\d+) games of 100 instead of (\d+)\.", sentence)[0])
    assert more > less
    assert f'href="/match/{many.pk}/analysis/?d={worst.game}.{worst.number}"' in page
    assert f">{made[seat].count}</b> mistake" in page or f"{made[seat].count} mistake" in page
    assert "bg-arrow bg-played" in page
    assert "bg-try" not in page
    asked = ErrorExercise.objects.filter(decision=worst).exists()
    assert (f'href="/exercises/own-{worst.pk}/"' in page) == asked


def test_a_match_without_mistakes_says_so(many: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.mistakes.MARKS", ("none",))
    report_make(many, Bare(), "full")
    page = home(many.player_0)
    assert "No mistake in your last match" in page
    assert "0 mistakes" not in page
    assert "Try it again" not in page
