"""How much later answers come at tables while two workers analyse: windows in turn."""

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final

from bench.live import report
from bench.live.house import serving
from bench.live.stages import furnish, window
from bench.workers.house import ANALYSES, WORKERS, WorkedHouse

THINK_SECONDS: Final = 2.0
WEB_PROCESSES: Final = 2
FIGURES: Final = ("p50", "p99")
#: Linux shares the cores between sessions first, and only then looks at priorities.
_AUTOGROUP: Final = Path("/proc/sys/kernel/sched_autogroup_enabled")

Json = dict[str, Any]


def in_turn(
    house: WorkedHouse, matches: int, tables: int, seconds: float, rounds: int, *, whole: bool
) -> Iterator[Json]:
    """One row a window; with `whole`, windows follow until every match is analysed."""
    with serving(house, WEB_PROCESSES) as ports:
        house.matches_play(ports, matches)
        for name in WORKERS:
            house.start(name)
        for turn in range(rounds):
            for at_work in (True, False) if turn % 2 else (False, True):
                yield _window(house, ports, tables, seconds, at_work=at_work)
        while whole and house.done() < ANALYSES * matches:
            yield _window(house, ports, tables, seconds, at_work=True)
        for name in WORKERS:
            house.kill(name)


def _window(
    house: WorkedHouse, ports: list[int], tables: int, seconds: float, *, at_work: bool
) -> Json:
    """Play with the workers going on or standing still; their processes stay all the time."""
    made = furnish(house, tables, "normal")
    for name in WORKERS:
        os.killpg(house.running[name].pid, signal.SIGCONT if at_work else signal.SIGSTOP)
    done, begin = house.done(), monotonic()
    told = window(house, ports, made, seconds, THINK_SECONDS)
    took_s = monotonic() - begin
    return {**told, "at_work": at_work, "done": house.done() - done, "took_s": took_s}


def line(row: Json) -> str:
    """A window in one line, printed as soon as it is over."""
    at_work = "at work" if row["at_work"] else "stopped"
    figures = ", ".join(f"{name} {row['answer_ms'][name]:.1f} ms" for name in FIGURES)
    return f"workers {at_work}: {figures}, {row['done']} analyses in {row['took_s']:.0f} s"


def text(rows: Sequence[Json]) -> str:
    """The windows, and the middle of the ratios of neighbours."""
    head = (
        "workers",
        "commands",
        *(f"{name} ms" for name in FIGURES),
        "web µs",
        "analyses a minute",
    )
    lines = [
        (
            "at work" if row["at_work"] else "stopped",
            f"{report.commands(row):,.0f}",
            *(f"{row['answer_ms'][name]:,.1f}" for name in FIGURES),
            f"{1e6 * row['cpu_s']['web'] / report.commands(row):,.0f}",
            f"{60 * row['done'] / row['took_s']:,.1f}",
        )
        for row in rows
    ]
    ratios = (_ratio(rows, name) for name in FIGURES)
    return "\n".join([report.table(head, lines), "", *ratios, _sharing()])


def _sharing() -> str:
    """Whether the workers' priority counts against processes of other sessions."""
    on = _AUTOGROUP.exists() and _AUTOGROUP.read_text().strip() == "1"
    return f"sched_autogroup_enabled: {'1, so low priority has little effect' if on else 0}"


def _ratio(rows: Sequence[Json], name: str) -> str:
    """The figure with workers at work to that without, in the middle and of each pair."""
    at_work, stopped = (
        [row["answer_ms"][name] for row in rows if row["at_work"] is wanted]
        for wanted in (True, False)
    )
    ratios = [mine / other for mine, other in zip(at_work, stopped, strict=False)]
    each = " ".join(f"{ratio:.2f}" for ratio in ratios)
    return (
        f"{name}: {median(at_work):.1f} ms with workers, {median(stopped):.1f} without;"
        f" ratio {median(ratios):.2f} ({each})"
    )
