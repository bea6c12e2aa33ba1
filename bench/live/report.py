"""The figures as text."""

from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]


def line(row: Json) -> str:
    """One stage in one line, for whoever watches."""
    return (
        f"{row['way']:9} {row['tables']:>5} tables {row['processes']} processes"
        f" {row['per_second']:>8,.0f} /s  answered {_spread(row['answer_ms'])}"
        f"  heard {_spread(row['heard_ms'])}  {_cpu(row)}" + _wrong(row)
    )


def _spread(told: Json) -> str:
    return " / ".join(f"{told[name]:.1f}" for name in ("p50", "p95", "p99")) if told else "nothing"


def _cpu(row: Json) -> str:
    return ", ".join(
        f"{part} {seconds / row['seconds']:.0%}" for part, seconds in row["cpu_s"].items()
    )


def _wrong(row: Json) -> str:
    return f"\n    WRONG: {row['wrong'][:5]}" if row.get("wrong") else ""


def text(rows: Iterable[Json]) -> str:
    """Everything."""
    return "\n".join(line(row) for row in rows)
