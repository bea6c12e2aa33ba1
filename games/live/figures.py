"""Counters of the sockets for the operator: commands, their durations, open connections.

A command adds to plain numbers; once a second they are written to where
`pasch.observability.metrics` reads them, so a web process that is killed loses its last second.
Several web processes add up in files. prometheus_client's own histogram can only be written one
value at a time, 5 µs each: here its buckets are counters, which `histograms` puts together again.
"""

import asyncio
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from prometheus_client import Counter as Written
from prometheus_client import Gauge
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.metrics_core import Metric

COMMANDS: Final = Written(
    "pasch_commands", "Commands of players, by type and what became of them.", ["type", "outcome"]
)
LANES: Final = Written("pasch_command_lanes", "Commands of players, by their way.", ["lane"])
SOCKETS: Final = Gauge(
    "pasch_sockets", "Open sockets, by what they follow.", ["kind"], multiprocess_mode="livesum"
)

SECONDS: Final = "pasch_command_seconds"
BOUNDS_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, float("inf"))
_LABELS: Final = ("until", "lane")
_WITHIN: Final = Written(f"{SECONDS}_within", "Parts of a histogram.", [*_LABELS, "bucket"])
_SPENT: Final = Written(f"{SECONDS}_spent", "Parts of a histogram.", _LABELS)

WRITE_SECONDS: Final = 1.0

_commands: Counter[tuple[str, str, bool]] = Counter()
_within: dict[tuple[str, str], list[int]] = {
    (until, lane): [0] * len(BOUNDS_SECONDS)
    for until in ("commit", "answer")
    for lane in ("fast", "sure")
}
_spent_seconds: dict[tuple[str, str], float] = dict.fromkeys(_within, 0.0)


def command_done(
    command: Struct, outcome: str, came: float, committed: float, *, fast: bool
) -> None:
    """Count one command that is answered now; times are those of `time.perf_counter`.

    Its type is one of the protocol's, so the series have an end.
    """
    if not _commands:
        asyncio.get_running_loop().call_later(WRITE_SECONDS, counts_write)
    _commands[str(command.__struct_config__.tag), outcome, fast] += 1
    lane = "fast" if fast else "sure"
    for until, at in (("commit", committed), ("answer", time.perf_counter())):
        seconds = at - came
        _within[until, lane][bisect_left(BOUNDS_SECONDS, seconds)] += 1
        _spent_seconds[until, lane] += seconds


def counts_write() -> None:
    """Write what has been counted since the last time; called in the event loop that counts."""
    counted = dict(_commands)
    _commands.clear()
    for (kind, outcome, fast), number in counted.items():
        COMMANDS.labels(kind, outcome).inc(number)
        LANES.labels("fast" if fast else "sure").inc(number)
    for way, counts in _within.items():
        for bucket, number in enumerate(counts):
            if number:
                _WITHIN.labels(*way, str(bucket)).inc(number)
        _within[way] = [0] * len(BOUNDS_SECONDS)
        _SPENT.labels(*way).inc(_spent_seconds[way])
        _spent_seconds[way] = 0.0


def histograms(families: Iterable[Metric]) -> Iterator[Metric]:
    """These families; those that are parts of the histogram of seconds come as one histogram."""
    within: dict[tuple[str, ...], list[float]] = {}
    spent: dict[tuple[str, ...], float] = {}
    for family in families:
        if not family.name.startswith(SECONDS):
            yield family
            continue
        for sample in family.samples:
            way = tuple(sample.labels.get(label, "") for label in _LABELS)
            if sample.name == f"{SECONDS}_within_total":
                counts = within.setdefault(way, [0.0] * len(BOUNDS_SECONDS))
                counts[int(sample.labels["bucket"])] = sample.value
            elif sample.name == f"{SECONDS}_spent_total":
                spent[way] = sample.value
    told = "From the arrival of a command to its commit, and to its answer on the socket."
    seconds = HistogramMetricFamily(SECONDS, told, labels=_LABELS)
    for way, counts in sorted(within.items()):
        sums = [sum(counts[: bucket + 1]) for bucket in range(len(BOUNDS_SECONDS))]
        bounds = [str(float(each)) if each < float("inf") else "+Inf" for each in BOUNDS_SECONDS]
        seconds.add_metric(way, list(zip(bounds, sums, strict=True)), spent.get(way, 0.0))
    yield seconds
