"""What the sockets count for the operator: commands, how long each took, who is connected.

Counting costs a few microseconds and reaches no server. Several web processes add up in files that
`pasch.observability.metrics` reads.
"""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

COMMANDS: Final = Counter(
    "pasch_commands", "Commands of players, by type and what became of them.", ["type", "outcome"]
)
LANES: Final = Counter("pasch_command_lanes", "Commands of players, by their way.", ["lane"])
SECONDS: Final = Histogram(
    "pasch_command_seconds",
    "From the arrival of a command to its commit, and to its answer on the socket.",
    ["until"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
SOCKETS: Final = Gauge(
    "pasch_sockets", "Open sockets, by what they follow.", ["kind"], multiprocess_mode="livesum"
)
_COMMITTED = SECONDS.labels("commit")
_ANSWERED = SECONDS.labels("answer")
_FAST, _SURE = LANES.labels("fast"), LANES.labels("sure")


def command_done(
    kind: str, outcome: str, *, fast: bool, commit_seconds: float, answer_seconds: float
) -> None:
    """Count one command; its type is one of the protocol's, so the series have an end."""
    (_FAST if fast else _SURE).inc()
    COMMANDS.labels(kind, outcome).inc()
    _COMMITTED.observe(commit_seconds)
    _ANSWERED.observe(answer_seconds)
