"""A game to whose dice both browsers contribute, checked by the page and by the offline file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.models import DiceRoll, Match, Table
from games.selectors import table_state
from tests.e2e.hands import Hands
from tests.e2e.test_match import seat_down

pytestmark = pytest.mark.django_db(transaction=True)

OFFLINE = Path(__file__).resolve().parents[2] / "static" / "fairness" / "verify.py"
TURNS = 4


def turn(hands: tuple[Hands, Hands], table: Table) -> None:
    """One turn in the browser of the player on roll; both pages show its end."""
    table.refresh_from_db()
    for each in hands:
        each.sees(table.seq)
    state = table_state(table)
    mover = hands[state.decider]
    if state.phase == "roll":
        seen = table.seq
        mover.do("roll")
        for each in hands:
            each.sees(seen + 2)  # requested, and rolled
        table.refresh_from_db()
    if table_state(table).decider == state.decider and table_state(table).phase == "play":
        seen = table.seq
        mover.play()
        for each in hands:
            each.sees(seen + 1)


def offline(record: dict, folder: Path) -> int:
    """The output of the offline file for a record."""
    path = folder / "record.json"
    path.write_text(json.dumps(record))
    return subprocess.run([sys.executable, OFFLINE, path], capture_output=True).returncode


def check(page: Page, record: dict) -> str:
    """The result of the page for a record."""
    page.goto("/fair/check/")
    page.locator("#check-text").fill(json.dumps(record))
    page.locator("#check-form button").click()
    verdict = page.locator("#check-verdict .notice").first
    expect(verdict).to_be_visible()
    return verdict.get_attribute("class")


@pytest.mark.slow
def test_a_game_is_rolled_by_both_and_checked_by_anybody(player, shots, tmp_path):
    one, two, table = seat_down(player)
    for hands in (one, two):
        hands.page.wait_for_function("() => document.getElementById('envelope') !== null")
    for _ in range(TURNS):
        turn((one, two), table)
    expect(one.page.locator("#seal")).to_have_attribute("data-seal", "good")
    rolls = list(DiceRoll.objects.order_by("n"))
    assert {roll.flags for roll in rolls} == {0}
    shots(one.page, "table-seal-desktop")
    one.leave()
    one.sees_phase("over")
    match = Match.objects.get()
    told = one.page.request.get(f"/match/{match.pk}/dice.json").json()
    assert len(told["games"][0]["rolls"]) == len(rolls)
    assert offline(told, tmp_path) == 0
    one.page.goto(f"/match/{match.pk}/")
    one.page.get_by_role("link", name="Würfel prüfen").click()
    expect(one.page.locator("#check-verdict .notice-success").first).to_be_visible()
    shots(one.page, "dice-checked-desktop", full_page=True)
    byte = told["games"][0]["rolls"][2]["eB"]
    told["games"][0]["rolls"][2]["eB"] = ("0" if byte[0] != "0" else "1") + byte[1:]
    assert offline(told, tmp_path) == 1
    assert "notice-success" not in check(one.page, told)
    assert one.page.problems == []
    assert two.page.problems == []
