"""The report of a run, as JSON for machines and as text for people."""

import os
import platform
import time
from statistics import quantiles
from typing import Any

import psutil

from bench.soak.run import Outcome, rerun

Json = dict[str, Any]
SHOWN_MAX = 40
NUISANCES = (
    "repeated commands",
    "resent after reconnecting",
    "out of turn",
    "cut right after a command",
    "half-open sockets",
    "sockets cut",
    "news that got lost",
    "sockets that fell silent",
    "vanished",
)


def as_json(outcome: Outcome) -> Json:
    """Everything a run showed."""
    options, journal = outcome.options, outcome.journal
    games = len(journal.games)
    return {
        "ok": not outcome.violations,
        "complete": outcome.complete,
        "rerun": rerun(options),
        "machine": machine(),
        "at": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "seed": options.seed,
        "planted": options.planted,
        "seconds": {
            "played": round(outcome.played_s, 1),
            "quiet": round(outcome.quiet_s, 1),
            "whole": round(outcome.whole_s, 1),
        },
        "games": games,
        "games_per_second": round(games / outcome.played_s, 2) if outcome.played_s else 0,
        "tables": outcome.tables,
        "matches": outcome.matches,
        "tournaments": outcome.tournaments,
        "chouettes": outcome.chouettes,
        "matches_by_mode": dict(sorted(journal.modes.items())),
        "matches_by_ending": dict(sorted(outcome.endings.items())),
        "faults": dict(sorted(outcome.faults.items())),
        "restarts": {name: count - 1 for name, count in sorted(outcome.starts.items())},
        "recovery_seconds": {
            kind: spread(found) for kind, found in sorted(outcome.recoveries_s.items())
        },
        "answer_ms": spread(journal.waits_ms),
        "journal": {
            "acknowledged": len(journal.acknowledged),
            "events": sum(map(len, journal.events.values())),
            "rolls": len(journal.rolls),
            "results": sum(map(len, journal.results.values())),
        },
        "looks_at_the_books": outcome.looks,
        "audit": outcome.audit,
        "refused": dict(sorted(outcome.refused.items())),
        "counts": dict(sorted(journal.counts.items())),
        "violations": [
            {"code": found.code, "text": found.text} for found in outcome.violations[:SHOWN_MAX]
        ],
        "violation_count": len(outcome.violations),
    }


def as_text(report: Json) -> str:
    """The same for people."""
    seconds, lines = report["seconds"], []
    lines.append(
        f"{report['games']} games of {report['matches']} matches at {report['tables']} tables in"
        f" {seconds['played']:.0f} s ({report['games_per_second']} games/s), then"
        f" {seconds['quiet']:.0f} s of quiet; {sum(report['faults'].values())} faults;"
        f" {report['tournaments']} tournaments, {report['chouettes']} games of chouettes"
    )
    for name in ("faults", "restarts", "matches_by_mode", "matches_by_ending", "journal"):
        inside = ", ".join(f"{key} {value}" for key, value in report[name].items())
        lines.append(f"{name.replace('_', ' ')}: {inside}")
    for title, start in (
        ("courses", "course "),
        ("desk", "desk "),
        ("chouettes", "chouettes "),
        ("rejected", "rejected "),
        ("http", "http "),
    ):
        chosen = {
            k.removeprefix(start): n for k, n in report["counts"].items() if k.startswith(start)
        }
        lines.append(f"{title}: {', '.join(f'{name} {count}' for name, count in chosen.items())}")
    counted = {name: count for name, count in report["counts"].items() if name in NUISANCES}
    lines.append(f"nuisances: {', '.join(f'{name} {count}' for name, count in counted.items())}")
    for kind, found in report["recovery_seconds"].items():
        lines.append(f"recovery from {kind}: {_spread_text(found)} s")
    lines.append(f"answers to commands: {_spread_text(report['answer_ms'])} ms")
    lines.append(f"looks at the books: {report['looks_at_the_books']}")
    lines.append(f"machine: {report['machine']}, {report['at']}, seed {report['seed']}")
    for found in report["violations"]:
        lines.append(f"VIOLATION {found['code']}: {found['text']}")
    if not report["complete"] and not report["planted"]:
        lines.append("time was over before everything asked for was played and struck")
    lines.append(f"{report['violation_count']} violations")
    if not report["ok"]:
        lines.append(f"again: {report['rerun']}")
    return "\n".join(lines)


def spread(values: list[float]) -> Json:
    """Median, 95 %, 99 % and the most."""
    if len(values) < 2:
        return {"n": len(values), "max": round(max(values, default=0.0), 2)}
    cuts = quantiles(values, n=100, method="inclusive")
    return {
        "n": len(values),
        "p50": round(cuts[49], 2),
        "p95": round(cuts[94], 2),
        "p99": round(cuts[98], 2),
        "max": round(max(values), 2),
    }


def _spread_text(found: Json) -> str:
    return ", ".join(f"{name} {value}" for name, value in found.items())


def machine() -> str:
    """The machine of the run."""
    gigabytes = psutil.virtual_memory().total / 2**30
    cores = len(os.sched_getaffinity(0))
    return (
        f"{_processor()}, {cores} cores, {gigabytes:.0f} GiB, {platform.system()}"
        f" {platform.release()}, Python {platform.python_version()}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            named = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    except OSError:
        named = []
    return named[0] if named else platform.machine()
