"""One rehearsal: the players, administrators and oracle of the soak in a house of many machines."""

import time
from typing import Any, Final

from bench.machines.house import Machines
from bench.machines.strikes import Strikes, Struck, waits_ms
from bench.soak.journal import Journal
from bench.soak.nemesis import Nemesis
from bench.soak.options import Options
from bench.soak.player import World
from bench.soak.report import as_json, spread
from bench.soak.run import Run

Json = dict[str, Any]
REFUSALS: Final = ("rejected busy", "error busy", "error too_fast", "http ")


class Rehearsal(Run):
    """A run whose faults befall hosts."""

    def __init__(self, options: Options, names: tuple[str, ...], *, keep: bool = False) -> None:
        self.machines = Machines(keep=keep)
        super().__init__(options, self.machines)
        self.names = names
        self.strikes: Strikes | None = None

    def _nemesis(self, world: World) -> Nemesis:
        made = Strikes(self.machines, world.journal, self.names, self.options.seed, tell=self.tell)
        self.strikes = made
        return made  # type: ignore[return-value]  # the same three methods


def report(run: Rehearsal) -> Json:
    """The report of the soak, and each strike with what players noticed of it."""
    told = as_json(run.outcome)
    struck = run.strikes.struck if run.strikes else []
    waits = run.outcome.journal.waits_ms
    told["rerun"] = f"python -m bench.machines --seed {run.options.seed}"
    told["strikes"] = [_row(each, run.outcome.journal) for each in struck]
    told["longest_gap_s"] = round(max(waits, default=0.0) / 1000, 1)
    told["commands"] = {
        "acknowledged": len(run.outcome.journal.acknowledged),
        "refused": sum(
            count for name, count in told["counts"].items() if name.startswith(REFUSALS)
        ),
        "lost": sum(found.code == "I9" for found in run.outcome.violations),
    }
    return told


def _row(struck: Struck, journal: Journal) -> Json:
    refused = {k: n for k, n in sorted(struck.refused.items()) if k.startswith(REFUSALS)}
    return {
        "strike": struck.name,
        "at": time.strftime("%H:%M:%S", time.gmtime(struck.from_s)),
        "lasted_s": round(struck.healed_s - struck.from_s, 1),
        "well_after_s": round(struck.well_s - struck.healed_s, 1),
        "answer_ms": spread(waits_ms(struck, journal)),
        "refused": refused,
    }


def as_text(told: Json) -> str:
    """The strikes as a table, and the sums."""
    lines = [
        f"{'strike':<16} {'lasted':>8} {'well after':>11} {'answers':>8} {'p50':>8} {'p99':>9}"
        f" {'longest':>9}  refused"
    ]
    for row in told["strikes"]:
        answers = row["answer_ms"]
        refused = ", ".join(f"{name} {count}" for name, count in row["refused"].items())
        lines.append(
            f"{row['strike']:<16} {row['lasted_s']:>6.1f} s {row['well_after_s']:>9.1f} s"
            f" {answers['n']:>8} {answers.get('p50', 0):>5.0f} ms {answers.get('p99', 0):>6.0f} ms"
            f" {answers['max'] / 1000:>7.1f} s  {refused or '-'}"
        )
    commands = told["commands"]
    lines.append(
        f"{told['games']} games, {commands['acknowledged']} commands acknowledged,"
        f" {commands['refused']} refused or asked again, {commands['lost']} lost;"
        f" longest wait of a player {told['longest_gap_s']} s"
    )
    lines.append(f"machine: {told['machine']}, {told['at']}, seed {told['seed']}")
    lines += [f"VIOLATION {found['code']}: {found['text']}" for found in told["violations"]]
    lines.append(f"{told['violation_count']} violations")
    if not told["complete"]:
        lines.append("time was over before every strike had been struck")
    return "\n".join(lines)
