"""From a match to what is learned from it: report, errors by key, analysis board, exercise.

The analysis is made by a worker that runs as a process of its own. It runs until nothing waits, as
urgently as the rest: beside other tests, one that gives way could wait for minutes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from analysis.models import DecisionRow
from analysis.training.tasks import source_of
from games.models import Match
from games.services.tables import table_join, table_open
from harness.processes import Processes
from tests.e2e.hands import PHONE, Hands
from tests.e2e.test_match import play_on

pytestmark = pytest.mark.django_db(transaction=True)

ROLLS = [(6, 3), (3, 1), (5, 5), (6, 4), (4, 2), (6, 6), (2, 1), (4, 4), (5, 3), (3, 2)]
TURNS = 4
#: until a page shows what a worker has found, on a machine that does other work
ANALYSED_MS = 120_000
SCREENS = {"desktop": {"viewport": {"width": 1280, "height": 800}}, "phone": PHONE}


@pytest.fixture
def analyse(transactional_db: None, tmp_path: Path) -> Callable[[], None]:
    """Analyse all that waits, in a process of its own, as a house does."""
    house = Processes(tmp_path, [(3, 1)])

    def run() -> None:
        house.start("analyst")
        assert house.running.pop("analyst").wait() == 0

    return run


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_a_match_becomes_a_report_and_an_error_an_exercise(
    screen: str, player: Callable[..., Any], dice: Callable[..., None], analyse: Callable[[], None]
) -> None:
    dice(*ROLLS)
    hands = Hands(player("hilde", **SCREENS[screen]), taps=screen == "phone")
    other = Hands(player("magriel"))
    _play_a_game(hands, other)
    page = hands.page

    hands.press(page.locator("#result-analysis a"))
    page.wait_for_url("**/match/*/analysis/*")
    analyse()
    shown = page.locator("#decision [data-key]").first
    expect(shown).to_be_visible(timeout=ANALYSED_MS)
    expect(page.locator("#report")).to_have_attribute(
        "data-standing", "", timeout=ANALYSED_MS
    )  # nothing deeper is awaited
    keys = _errors()
    assert len(keys) > 1
    page.goto(f"{page.url.split('?')[0]}?d={keys[0]}")
    page.keyboard.press("n")
    expect(shown).to_have_attribute("data-key", keys[1])
    page.keyboard.press("p")
    expect(shown).to_have_attribute("data-key", keys[0])

    page.keyboard.press("a")
    page.wait_for_url("**/analysis/?xgid=*")
    with page.expect_response("**/analysis/ask/"):
        hands.press(page.locator('[data-depth="quick"]'))
    analyse()
    expect(page.locator(".analysis-plays tbody tr").first).to_be_visible(timeout=ANALYSED_MS)

    page.goto("/exercises/next/?theme=own")
    _solve(hands)
    assert page.problems == []
    assert other.page.problems == []


def _play_a_game(hands: Hands, other: Hands) -> None:
    """A free game of a few turns, which the player of this test resigns."""
    users = [User.objects.get(username=name) for name in ("magriel", "hilde")]
    table = table_open(user=users[0], mode="normal", start_rule="opener_alternates")
    table_join(user=users[1], table_id=table.pk)
    for each in (other, hands):
        each.page.goto(f"/table/{table.pk}/")
        each.sees_phase("roll")
    for _ in range(TURNS):
        seq = play_on((other, hands), table, "play", seat=1).seq
        hands.play()
        for each in (other, hands):
            each.sees(seq + 1)
    play_on((other, hands), table, "play", seat=1)
    hands.resign()
    other.sees_phase("resignation_offered")
    other.do("accept_resignation")
    hands.sees_phase("over")


def _errors() -> list[str]:
    """The keys of the errors in the deepest report."""
    rows = DecisionRow.objects.filter(
        report__match=Match.objects.get(), report__depth="deep", loss__gte=0.02
    )
    return [f"{row.game}.{row.number}" for row in rows.order_by("game", "number")]


def _solve(hands: Hands) -> None:
    """Type the best play where an own error is asked again."""
    page: Page = hands.page
    source = source_of(page.url.split("?")[0].rstrip("/").rsplit("/", 1)[-1])
    assert source is not None
    row = DecisionRow.objects.get(pk=source[1])
    page.locator("#exercise-play").fill(row.line["best"])
    hands.press(page.locator("#exercise-confirm"))
    expect(page.locator("#exercise-title")).to_contain_text("Gefunden")
