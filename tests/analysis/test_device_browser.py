"""The net on the reader's device: the same numbers as in the house, at once, and off line."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.pages.board_json import position_shown
from backgammon.analysis.answers import PLAYS_MOST
from backgammon.analysis.depths import judged
from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.positions import decision_of, key_of
from backgammon.engines.device import device_engine
from backgammon.evaluation.nets.device import is_race
from backgammon.rules.position import Position
from backgammon.rules.xgid import Xgid
from backgammon.train.imitation.lessons import Teacher
from tests.analysis.test_board_browser import OPENING, worker
from tests.face.inspection import findings, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

__all__ = ["worker"]

#: every position is asked about as a play and as a cube.
POSITIONS = 1000
MOST_MS = 50
ANSWERS = """async ([setups]) => {
  const { DeviceNet } = await import("/static/js/device/net.js");
  const { answerTo } = await import("/static/js/device/answer.js");
  const read = async (part) => (await fetch(`/static/nets/${part}.npz`)).arrayBuffer();
  const net = await DeviceNet.read(await read("contact"), await read("race"));
  return setups.map((setup) => {
    const began = performance.now();
    const answer = answerTo(net, setup);
    return { ...answer, ms: performance.now() - began };
  });
}"""


def questions() -> Iterator[Xgid]:
    """Positions of all kinds with a roll, or without one, for money or at a score."""
    random, boards = Random(11), Teacher(21).lessons(3 * POSITIONS).boards
    random.shuffle(chosen := list(range(len(boards))))
    assert 0.1 < is_race(boards).mean() < 0.5
    for at in chosen[:POSITIONS]:
        row = [int(byte) for byte in boards[at]]
        position = Position(
            tuple((byte & 15) - (byte >> 4) for byte in row[1:25]),
            (row[25] & 15, row[25] >> 4),
            (row[0] & 15, row[0] >> 4),
        )
        has_score = random.random() < 0.2
        yield Xgid(
            position=position,
            dice=(random.randint(1, 6), random.randint(1, 6))
            if random.random() < 0.7 or has_score
            else None,
            cube_value=1 if has_score else random.choice((1, 2, 4)),
            cube_owner=None if has_score else random.choice((None, 0, 1)),
            length=7 if has_score else 0,
            score=(1, 2) if has_score else (0, 0),
            jacoby=not has_score and random.random() < 0.5,
        )


def test_a_thousand_positions_get_the_numbers_of_the_house(player: Any) -> None:
    page: Page = player(None)
    page.goto("/analysis/")
    asked = [key_of(xgid) for xgid in questions()]
    shown = [position_shown(xgid) for xgid in asked]
    took: list[float] = []
    for at in range(0, POSITIONS, 100):
        for xgid, answer in zip(
            asked[at : at + 100], page.evaluate(ANSWERS, [shown[at : at + 100]]), strict=True
        ):
            took.append(answer["ms"])
            compare(xgid, answer)
    took.sort()
    assert took[POSITIONS // 2] <= MOST_MS, "half of the answers; python -m bench.nets prints more"


def compare(xgid: Xgid, answer: dict[str, Any]) -> None:
    """Compare an answer of the browser with that of the house."""
    decision = decision_of(xgid)
    judgement = judged(decision, device_engine(), "quick")
    if isinstance(decision, DecidedPlay):
        assert answer["choices"] == len(judgement.options), xgid.text()
        by_text = {option.text: option for option in judgement.options}
        for mine, theirs in zip(answer["options"], judgement.options[:PLAYS_MOST], strict=True):
            assert mine["equity"] == pytest.approx(theirs.equity, abs=1e-4), xgid.text()
            house = by_text[mine["text"]]
            assert mine["equity"] == pytest.approx(house.equity, abs=1e-4), xgid.text()
            assert mine["chances"] == pytest.approx(house.chances, abs=1e-4)
        return
    value = judgement.cube
    assert value is not None
    assert answer["no_double"] == pytest.approx(value.no_double, abs=1e-4), xgid.text()
    assert answer["chances"] == pytest.approx(value.chances, abs=1e-4)
    if answer["refusal"] is None:
        assert answer["double_take"] == pytest.approx(value.double_take, abs=1e-4)


def test_the_device_answers_without_a_connection(player: Any) -> None:
    page: Page = player(None)
    page.goto("/analysis/")
    expect(page.locator("#analysis-engine")).to_contain_text("Schnell, auf deinem Gerät")
    page.context.set_offline(True)
    page.locator("#set-dice").select_option("31")
    expect(page.locator(".analysis-play").first).to_have_text("8/5 6/5")
    expect(page.locator(".bg-arrows [data-arrow='8/5']")).to_have_count(1)
    page.locator("#set-dice").select_option("42")
    expect(page.locator(".analysis-play").first).to_have_text("8/4 6/4")
    page.locator("[data-depth=quick]").click()
    expect(page.locator("#analysis-said")).to_contain_text("Keine Verbindung")
    expect(page.locator(".analysis-play").first).to_have_text("8/4 6/4")
    page.context.set_offline(False)
    page.problems.clear()  # the browser names each request that failed


def test_the_answer_of_the_house_replaces_that_of_the_device(player: Any, worker: None) -> None:
    page: Page = player("hilde", locale="en-GB")
    page.goto(f"/analysis/?xgid={OPENING}")
    expect(page.locator("#analysis-engine")).to_contain_text("bgsage")
    page.locator("#set-length").select_option("5")
    expect(page.locator("#analysis-engine")).to_contain_text("Quick, on your device")
    expect(page.locator("#analysis-engine")).to_contain_text("Score and cube are not counted")
    settle(page)
    assert findings(page, "en") == []
    page.locator("#set-dice").select_option("")
    expect(page.locator("#analysis-said")).to_contain_text("does not judge the cube at a score")
    page.locator("[data-depth=full]").click()
    expect(page.locator("#analysis-engine")).to_contain_text("bgsage")
    assert page.problems == []
