"""The report in a browser: from error to error by keyboard, and on a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from analysis.models import DecisionRow
from analysis.reports import report_make
from games.models import Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from tests.analysis.test_queue import ENGINE
from tests.axe import violations

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROLLS = [(6, 3), (3, 1), (5, 5), (6, 4), (4, 2), (6, 6), (2, 1), (4, 4), (5, 3), (3, 2)]
TURNS = 12


@pytest.fixture
def analysed(dice: Callable[..., None], magriel: Any, hilde: Any) -> Match:
    """A match whose plays were chosen without care, analysed."""
    dice(*ROLLS)
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    for _ in range(TURNS):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    match = Match.objects.get(table=table)
    report_make(match, ENGINE, "full")
    return match


def errors(match: Match) -> list[str]:
    rows = DecisionRow.objects.filter(report__match=match, loss__gte=0.02)
    return [f"{row.game}.{row.number}" for row in rows.order_by("game", "number")]


def test_errors_are_walked_by_keyboard(analysed: Match, player: Callable[..., Any]) -> None:
    keys = errors(analysed)
    assert len(keys) > 2
    page = player("hilde")
    page.goto(f"/match/{analysed.pk}/analysis/")
    shown = page.locator("#decision [data-key]").first
    expect(shown).to_have_attribute("data-key", keys[0])
    page.keyboard.press("n")
    expect(shown).to_have_attribute("data-key", keys[1])
    assert page.url.endswith(f"?d={keys[1]}")
    expect(page.locator('.report-list a[aria-current="true"]')).to_have_attribute(
        "data-go", keys[1]
    )
    page.keyboard.press("p")
    expect(shown).to_have_attribute("data-key", keys[0])
    page.keyboard.press("Home")
    expect(shown).to_have_attribute("data-key", "1.1")
    page.keyboard.press("1")
    expect(page.locator(".report-board")).to_have_attribute("data-trying", "1")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("data-key", "1.2")
    page.keyboard.press("f")
    expect(page.locator(".report-side").first).to_contain_text("hilde")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_contain_text(
        "Nächster und voriger Fehler", ignore_case=True
    )
    page.keyboard.press("Escape")
    assert violations(page) == []
    assert page.problems == []


def test_the_chart_leads_to_decisions_and_copies_are_made(
    analysed: Match, player: Callable[..., Any]
) -> None:
    page = player("hilde")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/match/{analysed.pk}/analysis/?d=1.1")
    shown = page.locator("#decision [data-key]").first
    page.locator("#report-chart").click(position={"x": 300, "y": 60})
    expect(shown).not_to_have_attribute("data-key", "1.1")
    page.locator("#report-slider").fill("0")
    expect(shown).to_have_attribute("data-key", "1.1")
    page.locator("[data-copy^=XGID]").click()
    expect(page.locator("#report-copied")).to_have_text("✓")
    assert page.evaluate("navigator.clipboard.readText()").startswith("XGID=")
    board = page.locator("[data-analyse]").get_attribute("href")
    assert board.startswith("/analysis/?xgid=XGID%3D")
    assert page.problems == []


def test_the_report_fits_a_phone(analysed: Match, player: Callable[..., Any]) -> None:
    page = player("hilde", viewport={"width": 360, "height": 740})
    page.goto(f"/match/{analysed.pk}/analysis/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator('[data-way="n"]').click()
    expect(page.locator("#decision [data-key]").first).to_have_attribute(
        "data-key", errors(analysed)[1]
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []


def test_links_serve_without_scripts(analysed: Match, player: Callable[..., Any]) -> None:
    page = player("hilde", java_script_enabled=False)
    page.goto(f"/match/{analysed.pk}/analysis/")
    page.locator('[data-way="n"]').click()
    expect(page.locator("#decision [data-key]").first).to_have_attribute(
        "data-key", errors(analysed)[1]
    )
