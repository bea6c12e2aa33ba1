"""The analysis board in a browser: by keyboard alone, by touch, and with an answer on the board."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, Route, expect

from analysis.answering import answer_once
from analysis.models import PositionAnswer
from analysis.questions import worker_here
from analysis.rolling import roll_once
from backgammon.engines.sage import house_engine
from harness.waiting import WAIT_SECONDS
from tests.e2e.test_without_a_mouse import tab_to, walk_to
from tests.face.inspection import findings, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
LINE = "() => new URL(location.href).searchParams.get('xgid')"


@pytest.fixture
def worker(live: str) -> Iterator[None]:
    """A worker that answers questions, as the command does."""
    ended = Event()

    def work() -> None:
        while not ended.is_set():
            worker_here()
            if not (answer_once(house_engine()) or roll_once(house_engine())):
                ended.wait(0.05)
        connection.close()

    thread = Thread(target=work)
    thread.start()
    yield
    ended.set()
    thread.join(WAIT_SECONDS)


def line_of(page: Page) -> str:
    """The position in the address."""
    return str(page.evaluate(LINE))


def wait_for_line(page: Page, part: str) -> None:
    """Wait until the position in the address contains the part."""
    page.wait_for_function(f"part => ({LINE})()?.includes(part)", arg=part)


def test_a_position_is_set_up_by_keys_alone_and_answered(player: Any, worker: None) -> None:
    page = player("hilde")
    page.goto("/analysis/")
    tab_to(page, "[data-go=clear]")
    page.keyboard.press("Enter")
    assert line_of(page) == "XGID=--------------------------:0:0:1:00:0:0:0:0:10"
    tab_to(page, "[data-point]")
    for place, key in (("6", "5"), ("8", "3"), ("13", "5"), ("24", "2")):
        walk_to(page, place)
        page.keyboard.press(key)
    page.keyboard.press("c")
    for place, keys in (("1", "2"), ("12", "5"), ("17", "3"), ("19", "5")):
        walk_to(page, place)
        page.keyboard.press(keys)
    tab_to(page, "#set-dice")
    choose_here(page, "63")
    assert line_of(page) == OPENING.replace(":31:", ":63:")
    tab_to(page, "[data-point]")
    walk_to(page, "bar")
    page.keyboard.press("Enter")
    expect(page.locator("#analysis-place")).to_contain_text("Alle 15 Steine")
    walk_to(page, "19")
    page.keyboard.press("Delete")
    walk_to(page, "bar")
    page.keyboard.press("Enter")
    assert line_of(page).startswith("XGID=ab----E-C---eE---c-d----B-")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert line_of(page) == OPENING.replace(":31:", ":63:")
    tab_to(page, "[data-depth=quick]")
    page.keyboard.press("Enter")
    expect(page.locator("#analysis-said")).to_contain_text("Bester Zug: ")
    expect(page.locator(".bg-arrows .bg-best")).not_to_have_count(0)
    assert page.problems == []


def choose_here(page: Page, value: str) -> None:
    """Choose a value of the list that has the focus."""
    page.keyboard.press("Home")
    while page.evaluate("() => document.activeElement.value") != value:
        page.keyboard.press("ArrowDown")


def test_a_pasted_position_is_asked_about_on_a_phone(player: Any, worker: None) -> None:
    page = player(None, **PHONE)
    page.goto("/analysis/")
    settle(page)
    assert findings(page, "de") == []
    assert page.locator(".with-mouse").is_hidden(), "there is no mouse"
    board, text = (page.locator(each).bounding_box() for each in ("#board", "#analysis-text"))
    assert board["y"] < text["y"], "the board comes first"
    page.locator("#analysis-text").fill(OPENING)
    page.locator("#analysis-text").press("Enter")
    expect(page.locator("#analysis-read")).to_have_attribute("data-mood", "good")
    assert line_of(page) == OPENING
    page.locator("[data-depth=quick]").tap()
    expect(page.locator(".analysis-play").first).to_have_text("8/5 6/5")
    expect(page.locator(".bg-arrows [data-arrow='8/5']")).to_have_count(1)
    page.locator(".analysis-play").nth(1).tap()
    expect(page.locator(".bg-arrows .bg-second")).not_to_have_count(0)
    settle(page)
    assert findings(page, "de") == []
    page.locator(".analysis-brush label").nth(2).tap()
    page.locator('[data-point="13"]').tap()  # the house has not been asked about this position
    expect(page.locator("#analysis-engine")).to_contain_text("auf deinem Gerät")
    expect(page.locator("#analysis-result")).not_to_have_attribute("data-old", "")
    page.set_viewport_size({"width": 360, "height": 780})
    settle(page)
    assert findings(page, "de") == []
    assert page.problems == []


def test_the_cube_is_answered_in_words(player: Any, worker: None) -> None:
    page = player("hilde", locale="en-GB")
    page.goto("/analysis/?xgid=XGID=----BBBCBBA--A--aabbcb--d-:0:0:1:00:0:0:0:0:10")
    page.locator("[data-depth=full]").click()
    expect(page.locator("#analysis-said")).to_contain_text("ouble")
    expect(page.locator(".analysis-cube tr")).to_have_count(3)
    expect(page.locator(".analysis-cube .is-best")).to_have_count(1)
    expect(page.locator("#analysis-result")).to_contain_text("Gammon value")
    page.locator(".analysis-matrix summary").click()
    expect(page.locator(".analysis-scores tbody td")).to_have_count(49)
    expect(page.locator(".analysis-scores tbody tr").first).to_contain_text("–")
    settle(page)
    assert findings(page, "en") == []
    assert page.problems == []


def test_a_bad_line_is_marked_and_the_board_stays(player: Any) -> None:
    page = player(None)
    page.goto(f"/analysis/?xgid={OPENING}")
    page.locator("#analysis-text").fill(OPENING.replace("-E-C", "-E!C"))
    page.locator("#analysis-text").press("Enter")
    expect(page.locator("#analysis-read")).to_contain_text("Zeichen 13")
    expect(page.locator("#analysis-text")).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("() => document.getSelection().toString()") == "!"
    assert line_of(page) == OPENING


def test_a_house_without_a_worker_says_so(player: Any) -> None:
    page = player(None, locale="en-GB")
    page.goto("/analysis/")
    expect(page.locator("#analysis-no-worker")).to_be_visible()
    page.locator("[data-depth=quick]").click()
    expect(page.locator("#analysis-wait-text")).to_contain_text("No worker")


def test_a_file_is_dropped_and_a_decision_chosen(player: Any, worker: None) -> None:
    page = player(None)
    page.goto("/analysis/")
    page.locator("#analysis-file").set_input_files("backgammon/tests/golden/stakes_and_cube.mat")
    options = page.locator("#analysis-decision option")
    expect(options.first).to_contain_text("8/5 6/5")
    wait_for_line(page, ":31:0:0:0:5:10")
    page.locator("#analysis-decision").press("ArrowDown")
    expect(page.locator("#set-length")).to_have_value("5")
    wait_for_line(page, ":00:")
    assert page.problems == []


@pytest.mark.parametrize("size", [None, PHONE])
def test_faults_stand_beside_the_text_of_the_file(
    player: Any, worker: None, size: dict[str, Any] | None
) -> None:
    """Game 2 is cut off at its fault; what was played before is listed as ever."""
    page = player(None, locale="de-DE", **(size or {}))
    page.goto("/analysis/")
    text = Path("backgammon/tests/golden/stakes_and_cube.mat").read_text()
    broken = text.replace("13/7 13/7", "13/8 13/7").encode("utf-16")
    file = {"name": "match.mat", "mimeType": "text/plain", "buffer": broken}
    page.locator("#analysis-file").set_input_files(file)
    expect(page.locator("#analysis-decision option").first).to_contain_text("8/5 6/5")
    entry = page.locator("#analysis-faults-list li")
    expect(entry).to_have_count(1)
    expect(entry).to_contain_text("Zeile 25, Zeichen 6")
    expect(entry).to_contain_text("Von Spiel 2 werden die ersten 4 Einträge behalten.")
    bad = page.locator("#analysis-source .is-bad")
    expect(bad).to_contain_text("13/8 13/7")
    page.locator("#analysis-source").scroll_into_view_if_needed()
    expect(bad).to_be_in_viewport()
    expect(bad.locator("mark")).to_have_text("6")
    expect(page.locator("#analysis-source p")).to_have_count(len(text.rstrip().splitlines()))
    entry.get_by_role("button").click()
    expect(bad.locator("mark")).to_be_in_viewport()
    settle(page)
    assert findings(page, "de") == []
    page.locator("#analysis-text").fill(OPENING)
    page.locator("#analysis-text").press("Enter")
    expect(page.locator("#analysis-faults")).to_be_hidden()
    assert page.problems == []


def test_a_late_answer_does_not_replace_the_decision_chosen_since(
    player: Any, worker: None
) -> None:
    page = player(None)
    held: list[Route] = []
    page.route("**/analysis/read/", lambda route: route.continue_() if held else held.append(route))
    page.goto("/analysis/")
    page.locator("#analysis-file").set_input_files("backgammon/tests/golden/stakes_and_cube.mat")
    expect(page.locator("#analysis-decision option").first).to_contain_text("8/5 6/5")
    page.wait_for_function("() => document.activeElement.id === 'analysis-decision'")
    page.locator("#analysis-decision").press("ArrowDown")
    wait_for_line(page, ":00:")
    chosen = line_of(page)
    with page.expect_response("**/analysis/read/"):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert line_of(page) == chosen
    assert page.problems == []


def test_the_replay_leads_to_the_board(played: Any, player: Any) -> None:
    page = player("hilde")
    page.goto(f"/match/{played.pk}/#step-1")
    page.locator('[data-replay="analyse"]').click()
    page.wait_for_url("**/analysis/?xgid=*")
    assert line_of(page).startswith("XGID=")
    expect(page.locator("#set-dice")).not_to_have_value("")


RACE = "XGID=--AAAA--------------aba---:0:0:1:42:0:0:0:0:10"


def test_a_rollout_shows_what_it_has_so_far_and_how_exact_it_is(player: Any, worker: None) -> None:
    page = player("hilde", locale="en-GB", **PHONE)
    page.goto(f"/analysis/?xgid={RACE}")
    page.locator("[data-depth=rollout]").tap()
    expect(page.locator("#analysis-engine")).to_contain_text("trials of 7 turns")
    expect(page.locator("#analysis-wait")).to_be_hidden()
    expect(page.locator(".analysis-play").first).to_have_text("4/off 2/off")
    expect(page.locator("#analysis-result tbody td:nth-child(4)").first).to_contain_text("±0.0")
    expect(page.locator(".analysis-compared")).to_contain_text("4/off 2/off is better than")
    settle(page)
    assert findings(page, "en") == []
    assert page.problems == []


def test_a_rollout_is_chosen_with_its_estimate_and_faults_beside_fields(
    player: Any, worker: None
) -> None:
    page = player("magriel", locale="en-GB", **PHONE)
    page.goto(f"/analysis/?xgid={OPENING}")
    page.get_by_text("Choices of the rollout").tap()
    page.get_by_label("Trials").fill("35")
    expect(page.locator("#rollout-trials-error")).to_contain_text("36")
    page.get_by_label("Trials").fill("36")
    page.get_by_label("Turns of a trial").fill("2")
    page.get_by_label("Your play").fill("nothing")
    expect(page.locator("#rollout-play-error")).to_have_text("This is no play of this roll.")
    page.get_by_label("Your play").fill("24/23 13/10")
    expect(page.locator("#rollout-estimate")).to_contain_text("about one minute of engine")
    expect(page.locator(".field-error:visible")).to_have_count(0)
    page.get_by_role("button", name="Rollout").tap()
    expect(page.locator("#analysis-result")).to_contain_text("24/23 13/10 your play")
    expect(page.locator("#analysis-engine")).to_contain_text("36 trials of 2 turns")
    settle(page)
    assert findings(page, "en") == []
    assert page.problems == []


def test_a_rollout_is_stopped_and_keeps_what_it_has(player: Any, worker: None) -> None:
    page = player("hilde")
    page.goto(f"/analysis/?xgid={OPENING}")
    page.locator("[data-depth=rollout]").click()
    expect(page.locator("#analysis-wait-text")).to_contain_text("36 Versuche")
    page.locator("#analysis-stop").click()
    expect(page.locator("#analysis-said")).to_contain_text("Abgebrochen")
    expect(page.locator(".analysis-play").first).to_have_text("8/5 6/5")
    expect(page.locator("#analysis-stop")).to_be_hidden()
    assert not PositionAnswer.objects.filter(depth="rollout").exists()
    assert page.problems == []
