"""A library of matches from a ZIP to reports: `python -m bench.library [--files 400] …`.

A person of a house of its own sends a ZIP of files through the page's addresses. A worker, started
as every house starts it, reads and analyses them while people play at tables who think about each
move. Printed are the minutes until all was read and until each match has its report (or, when
--minutes are over, the matches a minute and an estimate), the largest memory of the worker and of
the web servers, and the time until a move was answered, before the ZIP was sent and after it.

The files are those of --folder, or of the library's tests, and matches that the engine plays.
Exits 1 if a row of the tables is wrong, or one of the played matches was not read whole.
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Final

import psutil
import psycopg

from bench.library.files import library, zipped
from bench.live import report
from bench.live.house import opened, serving
from bench.live.load import spread_ms
from bench.live.stages import furnish, window_while
from harness.house import WholeHouse
from harness.visitor import Visitor

WEB_SERVERS: Final = 2
LOOK_SECONDS: Final = 0.2

Json = dict[str, Any]

_STANDING: Final = """
SELECT (SELECT count(*) FROM analysis_importedfile WHERE read_at IS NULL),
       (SELECT count(*) FROM analysis_importedmatch),
       (SELECT count(*) FROM analysis_job
        WHERE depth = 'full' AND done_at IS NULL AND tries < 3),
       (SELECT count(*) FROM analysis_report WHERE depth = 'full')
"""

_FOUND: Final = """
SELECT coalesce(sum((found->>'new')::int), 0), coalesce(sum((found->>'known')::int), 0),
       coalesce(sum((found->>'in_part')::int), 0), coalesce(sum((found->>'unread')::int), 0),
       count(*) FILTER (WHERE path LIKE 'played/%' AND coalesce((found->>'new')::int, 0) <> 1)
FROM analysis_importedfile WHERE NOT coalesce(found ? 'files', false)
"""


def main() -> int:
    """Print what it took; 1 if something is wrong."""
    asked = _asked()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # what was started is ended
    files = library(asked.files, asked.folder)
    packed = zipped(files)
    print(f"{len(files)} files, a ZIP of {len(packed) / 2**20:.1f} MB", file=sys.stderr, flush=True)
    with opened() as house:
        machine = report.machine()
        session = house.made("bench.live.furnish", "0", "1")[0]
        tables = furnish(house, asked.tables, "normal")
        course = Course(house, asked, session, packed)
        with serving(house, WEB_SERVERS), _working(house, asked.workers):
            ports = [house.ports[name] for name in house.web]
            told = window_while(house, ports, tables, asked.think, course.run)
    found = course.told | {"wrong": told["wrong"], "moves": course.moves(told["answers"])}
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine, **found}, indent=1) + "\n")
    print(_text(machine, asked, found))
    return int(bool(found["wrong"] or found["unexpected"] or not found["matches"]))


class Course:
    """Playing alone, sending, reading, analysing; the moments of each, and what it took."""

    def __init__(self, house: WholeHouse, asked: argparse.Namespace, session: str, packed: bytes):
        """Nothing was sent yet."""
        self.house, self.asked, self.session, self.packed = house, asked, session, packed
        self.moments: dict[str, tuple[float, float]] = {}
        self.told: Json = {}

    def run(self) -> None:
        """Go through it while the tables play."""
        peaks: dict[str, int] = {}
        with psycopg.connect(self.house.home.database_url(), autocommit=True) as db:
            with _watched(self.house, peaks):
                self._phase("before", lambda: sleep(self.asked.seconds))
            quiet = dict(peaks)
            with _watched(self.house, peaks):
                self._phase("sending", self._send)
                self._phase("reading", lambda: self._until(db, 0))
                self._phase("analysing", lambda: self._until(db, 2))
            self._count(db)
        self.told["memory_mb"] = {name: round(most / 2**20) for name, most in peaks.items()}
        self.told["memory_before_mb"] = {name: round(most / 2**20) for name, most in quiet.items()}

    def moves(self, answers: list[tuple[float, float]]) -> Json:
        """The times of moves in each phase, and the moves a second."""
        found = {}
        for name, (start, end) in self.moments.items():
            took = [seconds for at, seconds in answers if start <= at < end]
            found[name] = {"per_second": len(took) / (end - start), "answer_ms": spread_ms(took)}
        return found

    def _phase(self, name: str, work: Any) -> None:
        begun = perf_counter()
        work()
        self.moments[name] = (begun, perf_counter())
        self.told[f"{name}_s"] = perf_counter() - begun
        print(f"{name}: {perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)

    def _send(self) -> None:
        """Send the ZIP as the page's script does."""
        person = Visitor(f"http://{self.house.addresses()[0]}", self.session)
        listed = [{"path": "library.zip", "digest": "", "size": len(self.packed)}]
        begun = person.rest("POST", "/matches/imports/", {"name": "library.zip", "files": listed})
        begun.raise_for_status()
        address = f"/matches/imports/{begun.json()['id']}"
        person.send(f"{address}/send/?path=library.zip", self.packed).raise_for_status()
        person.send(f"{address}/close/", b"").raise_for_status()

    def _until(self, db: psycopg.Connection, what: int) -> None:
        """Wait until none of these is left, or the minutes are over."""
        end = perf_counter() + 60 * self.asked.minutes
        while perf_counter() < end and _row(db, _STANDING)[what]:
            sleep(LOOK_SECONDS)

    def _count(self, db: psycopg.Connection) -> None:
        unread, matches, waiting, reports = _row(db, _STANDING)
        names = ("new", "known", "in_part", "unread", "unexpected")
        self.told |= dict(zip(names, _row(db, _FOUND), strict=True))
        self.told |= {"files_waiting": unread, "matches": matches, "reports": reports}
        minutes = (self.told["reading_s"] + self.told["analysing_s"]) / 60
        self.told |= {"reports_waiting": waiting, "reports_a_minute": reports / minutes}


@contextmanager
def _working(house: WholeHouse, workers: int) -> Iterator[None]:
    """Workers that read and analyse, beside the web servers."""
    names = [f"analysis{number}" for number in range(workers)]
    for name in names:
        house.start(name)
    try:
        yield
    finally:
        for name in names:
            house.kill(name)


@contextmanager
def _watched(house: WholeHouse, peaks: dict[str, int]) -> Iterator[None]:
    """Note the most memory that workers and web servers had, each with its children."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            now: dict[str, int] = {}
            for name, process in list(house.running.items()):
                now[name] = _family_bytes(process.pid)
            for name, size in now.items():
                peaks[name] = max(peaks.get(name, 0), size)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _family_bytes(pid: int) -> int:
    size = 0
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                size += each.memory_info().rss
    return size


def _row(db: psycopg.Connection, query: str) -> tuple[int, ...]:
    row = db.execute(query).fetchone()
    assert row is not None
    return row


def _text(machine: Json, asked: argparse.Namespace, found: Json) -> str:
    rows = [
        (name, f"{each['per_second']:.0f}", *(f"{each['answer_ms'].get(p, 0):.1f}" for p in _P))
        for name, each in found["moves"].items()
    ]
    left = found["reports_waiting"]
    rate = found["reports_a_minute"]
    reports = f"{found['reports']} of {found['matches']} matches have reports"
    if left:
        estimate = f"about {left / rate:.0f} minutes more" if rate else "no end in sight"
        reports += f" after {asked.minutes:g} minutes: {rate:.1f} a minute, {estimate}"
    else:
        minutes = (found["sending_s"] + found["reading_s"] + found["analysing_s"]) / 60
        reports += f" {minutes:.1f} minutes after the ZIP began"
    memory = ", ".join(
        f"{name} {most} MB (before {found['memory_before_mb'].get(name, 0)})"
        for name, most in found["memory_mb"].items()
    )
    return "\n".join(
        [
            f"{machine['processor']}, {machine['cores']} cores, {machine['began']},"
            f" load {machine['load_before']} before, {os.getloadavg()[0]:.1f} after",
            f"sent in {found['sending_s']:.1f} s, read in {found['reading_s'] / 60:.1f} minutes:"
            f" {found['new']} new, {found['known']} known, {found['in_part']} in part,"
            f" {found['unread']} unreadable",
            reports,
            f"most memory: {memory}",
            report.table(("phase", "moves /s", *(f"{p} ms" for p in _P)), rows),
            *(f"WRONG: {each}" for each in found["wrong"]),
            *([f"WRONG: {found['unexpected']} played files"] if found["unexpected"] else []),
        ]
    )


_P: Final = report.SPREAD


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--folder", type=Path, help="real files that come first")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--think", type=float, default=1.0, help="seconds before a move on average")
    parser.add_argument("--seconds", type=float, default=30.0, help="of play before the ZIP")
    parser.add_argument("--minutes", type=float, default=120.0, help="for reading, and for reports")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write every figure as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
