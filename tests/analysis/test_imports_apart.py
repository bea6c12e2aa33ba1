"""Matches from elsewhere are learning: neither ratings nor fair play nor credits know of them."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.apps import apps

from accounts.models import User
from analysis.imports.names import name_say
from analysis.models import DecidedMatch, ImportedMatch, Report
from analysis.queue import work_once
from backgammon.engines.sage import house_engine
from fairplay.cases import cases_move_on
from fairplay.leavers import conduct_note_ended
from fairplay.links import evasions_find
from fairplay.play import players_check
from fairplay.screening import results_screen
from games.models import Match
from ratings.models import Rating
from ratings.ranks import marks_make
from tests.analysis.files import golden, turned
from tests.analysis.test_imports import brought

pytestmark = pytest.mark.django_db

#: what the houses of these apps do by the clock.
CLOCK: Final[tuple[Callable[[], object], ...]] = (
    results_screen,
    conduct_note_ended,
    cases_move_on,
    evasions_find,
    players_check,
    marks_make,
)

APART: Final = ("ratings", "fairplay", "ledger", "games", "tournaments", "accounts")


def by_the_clock() -> None:
    """Do all of it once."""
    for work in CLOCK:
        work()


def rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the apps that must not change."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for app in APART
        for model in apps.get_app_config(app).get_models()
    }


@pytest.mark.slow
def test_a_brought_match_of_a_rated_player_changes_nothing_else(
    played: Match, magriel: User, hilde: User
) -> None:
    by_the_clock()
    assert Rating.objects.filter(user=magriel, games__gt=0).exists()
    before = rows()
    assert all(before[label] for label in ("ratings.Rating", "ledger.Entry", "games.Match"))
    brought(magriel, golden().replace("alice", "magriel").replace("bob", "hilde").encode())
    name_say(magriel, ImportedMatch.objects.get().source, "magriel", is_mine=True)
    brought(hilde, turned(golden(), ("magriel", "hilde")), name="mine too")
    while work_once(house_engine()):
        pass
    assert Report.objects.filter(transcript__isnull=False, depth="deep").count() == 1
    assert DecidedMatch.objects.filter(person=magriel).exists()
    by_the_clock()
    after = rows()
    assert {label for label in before if before[label] != after[label]} == set()
