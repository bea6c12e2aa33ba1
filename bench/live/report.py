"""The figures as text: tables for people, and for bench/results/."""

import os
import platform
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

SPREAD: Final = ("p50", "p95", "p99")
PLAIN: Final = "pgbench, four statements"


def machine() -> Json:
    """Where and when this was measured."""
    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
            break
    return {
        "processor": processor,
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "began": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "load_before": round(os.getloadavg()[0], 1),
    }


def line(row: Json) -> str:
    """One stage in one line, to follow the run."""
    named = f"{row['way']:26} {row['tables']:>5} x {row['processes']}"
    if "kb" in row:
        return f"{named} {row['kb']:.1f} KB a socket, {row['lost']} lost"
    return f"{named} {row['per_second']:>8,.0f} /s  {_spread(row['answer_ms'])} ms{_wrong(row)}"


def text(told: Json, rows: Sequence[Json]) -> str:
    """Everything that was measured."""
    parts = [
        f"{told['processor']}, {told['cores']} cores, {told['system']}, Python {told['python']},"
        f" {told['began']}, load before {told['load_before']}",
        _speeds(rows),
        _spent([row for row in rows if row["way"].startswith("tables")]),
        _idle([row for row in rows if "kb" in row]),
        _verdict(rows),
        *[_wrong(row).strip() for row in rows if row.get("wrong")],
    ]
    return "\n\n".join(part for part in parts if part)


def _speeds(rows: Iterable[Json]) -> str:
    head = ("way", "tables", "web processes", "per second", "answered ms", "other hears ms")
    body = [
        (
            row["way"],
            f"{row['tables']:,}",
            str(row["processes"] or "-"),
            f"{row['per_second']:,.0f}",
            _spread(row["answer_ms"]),
            _spread(row.get("heard_ms", {})),
        )
        for row in rows
        if "per_second" in row
    ]
    return table(head, body) + "\n\nTimes are p50 / p95 / p99." if body else ""


def _spent(rows: Sequence[Json]) -> str:
    """The cost of a command by process, and the load of the generator."""
    if not rows:
        return ""
    head = (
        "tables",
        "web processes",
        "web µs",
        "PostgreSQL µs",
        "Valkey µs",
        "generator µs",
        "generator",
    )
    body = []
    for row in rows:
        spent = row["cpu_s"]
        each = [f"{1e6 * spent[part] / commands(row):,.0f}" for part in spent]
        share = f"{spent['generator'] / row['seconds']:.0%} of a core"
        body.append((f"{row['tables']:,}", str(row["processes"]), *each, share))
    return "Processor time a command:\n\n" + table(head, body)


def commands(row: Json) -> float:
    """How many commands the window of a row has seen; 1 if none."""
    return max(1.0, row["per_second"] * row["seconds"])


def _idle(rows: Sequence[Json]) -> str:
    if not rows:
        return ""
    head = ("sockets", "KB each", "Valkey KB each", "web, idle", "frames /s")
    body = [
        (
            f"{row['sockets']:,}",
            f"{row['kb']:.1f}",
            f"{row['valkey_kb']:.1f}",
            f"{row['cpu_s']['web'] / row['seconds']:.0%} of a core",
            f"{row['frames_per_second']:,.0f}",
        )
        for row in rows
    ]
    return table(head, body)


def _verdict(rows: Sequence[Json]) -> str:
    """The promises, as far as this run measured them."""
    said = []
    plain = [r["per_second"] for r in rows if r["way"] == PLAIN and r["tables"] == 200]
    ours = [r for r in rows if r["way"] == "tables" and r["tables"] == 200]
    if plain and ours:
        best = max(row["per_second"] for row in ours)
        said.append(f"{best / plain[0]:.0%} of pgbench's four statements at 200 (promised: 50 %)")
    if ours:
        p99 = min(row["answer_ms"].get("p99", float("inf")) for row in ours)
        said.append(f"p99 {p99:,.0f} ms at 200 tables (promised: 100)")
        slowest = max(row["slowest"] for row in ours)
        said.append(
            f"{slowest:.1f} x the median table's middle wait at the slowest of 200 (promised: 3)"
        )
    return "\n".join(said)


def _spread(told: Json) -> str:
    return " / ".join(f"{told[name]:,.1f}" for name in SPREAD) if told else "-"


def _wrong(row: Json) -> str:
    if not row.get("wrong"):
        return ""
    return f"\n  WRONG at {row['tables']} tables: " + "; ".join(row["wrong"][:5])


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
