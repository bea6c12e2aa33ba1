"""The net for devices: its distance from bgsage, what its plays lose, its speed in a browser."""

import os
from pathlib import Path
from random import Random
from typing import Any, Final

from playwright.sync_api import Route, sync_playwright

from backgammon.counting.positions import key_of
from backgammon.engines.device import device_engine
from backgammon.engines.sage import house_engine
from backgammon.evaluation.nets import device
from backgammon.rules.position import Position
from backgammon.rules.xgid import Xgid
from backgammon.train.imitation.lessons import Teacher
from backgammon.train.imitation.measuring import distance, play_error
from harness.chromium import chromium_find

ROOT: Final = Path(__file__).resolve().parents[1]
#: no part of a training begins with this one.
_SEED: Final = 9_999
_BOARDS: Final = 20_000
_FOLDERS: Final = {"static": ROOT / "static", "nets": device.FOLDER}
_KINDS: Final = {".js": "text/javascript", ".html": "text/html"}
_TIMES: Final = """async (setups) => {
  const { DeviceNet } = await import("/static/js/device/net.js");
  const { answerTo } = await import("/static/js/device/answer.js");
  const read = async (part) => (await fetch(`/nets/${part}.npz`)).arrayBuffer();
  const net = await DeviceNet.read(await read("contact"), await read("race"));
  return setups.map((setup) => {
    const began = performance.now();
    answerTo(net, setup);
    return performance.now() - began;
  });
}"""


def measured(decisions: int) -> None:
    """Print all figures."""
    engine = device_engine()
    size = sum(path.stat().st_size for path in (device.CONTACT, device.RACE))
    found = distance(engine.net, Teacher(_SEED).lessons(_BOARDS))
    print(
        f"{size / 1e3:.0f} kB; {found.boards} boards: {found.mean:.4f} points from bgsage's 1-ply"
    )
    for judge in (engine, house_engine()):
        print(f"{judge.name}, 1-ply: {play_error(judge, decisions, _SEED).text()}", flush=True)
    took = sorted(_browser_ms(decisions))
    print(
        f"in Chromium: median {took[len(took) // 2]:.1f} ms a roll with all its plays,"
        f" 99 % {took[int(len(took) * 0.99)]:.1f} ms"
    )


def _browser_ms(count: int) -> list[float]:
    """The time of each answer in a browser that gets its files from here."""
    chromium = chromium_find(Path(os.environ.get("PASCH_BROWSERS") or ROOT / "var"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.program,
            args=list(chromium.arguments),
            env={**os.environ, **chromium.environment},
        )
        page = browser.new_page()
        page.route("**/*", _answered)
        page.goto("http://localhost/")
        found: list[float] = page.evaluate(_TIMES, _setups(count))
        browser.close()
    return found


def _answered(route: Route) -> None:
    folder, _, rest = route.request.url.partition("localhost/")[2].partition("/")
    if folder not in _FOLDERS:
        route.fulfill(body="<!doctype html>", content_type="text/html")
        return
    path = _FOLDERS[folder] / rest
    route.fulfill(body=path.read_bytes(), content_type=_KINDS.get(path.suffix, "application/zip"))


def _setups(count: int) -> list[dict[str, Any]]:
    """Positions with a roll, as a page has them."""
    random, found = Random(_SEED), []
    for row in Teacher(_SEED).lessons(count).boards[:count].tolist():
        points = tuple((byte & 15) - (byte >> 4) for byte in row[1:25])
        bar, off = ((byte & 15, byte >> 4) for byte in (row[25], row[0]))
        dice = (random.randint(1, 6), random.randint(1, 6))
        xgid = key_of(Xgid(position=Position(points, bar, off), dice=dice))
        shown = {"points": points, "bar": bar, "off": off, "turn": 0, "dice": xgid.dice}
        found.append({**shown, "owner": None, "length": 0, "jacoby": True, "beavers": False})
    return found
