"""Which format lets the best player win, and what it costs: `python -m bench.tournaments`.

Repeats a published study (docs/tournaments.md): 64 players with PRs drawn around 6 with a deviation
of 2, matches to seven points. Prints for each format how often the best player and one of the best
four win, the number of matches, how long it takes, and how long a player waits. At the end: how
long pairing 256 people takes.
"""

import argparse
import json
import random
import time
from typing import Any, Final

from tournaments.engine.terms import TournamentTerms
from tournaments.engine.tournament import TournamentJournal
from tournaments.simulation import simulated, strengths_drawn

PLAYERS: Final = 64
LARGE: Final = 256
LENGTH: Final = 7

FORMATS: Final = {
    "single elimination": TournamentTerms("knockout", length=LENGTH),
    "Swiss 2 lives, at once": TournamentTerms("lives", length=LENGTH),
    "Swiss 2 lives, by rounds": TournamentTerms("lives", length=LENGTH, at_once=False),
    "Swiss 2 lives, bracket of 16": TournamentTerms("lives", length=LENGTH, bracket=16),
    "double elimination": TournamentTerms("double", length=LENGTH),
    "Swiss, 6 rounds": TournamentTerms("swiss", length=LENGTH),
    "lots": TournamentTerms("knockout", length=1),
}


def figures_of(name: str, runs: int, seed: int) -> dict[str, float]:
    """The averages of a format; a shared first place counts in parts."""
    best = four = matches = hours = waited = 0.0
    for number in range(runs):
        chance = random.Random(f"{seed} {name} {number}")
        strengths = strengths_drawn(PLAYERS, chance)
        if name == "lots":
            strengths = [6.0] * PLAYERS
        played = simulated(FORMATS[name], strengths, chance)
        first = played.ranks[0]
        best += (0 in first) / len(first)
        four += sum(player < 4 for player in first) / len(first)
        matches += played.matches
        hours += played.minutes / 60
        waited += played.waited_minutes
    found = {"best": best, "best_four": four, "matches": matches, "hours": hours, "waited": waited}
    return {key: value / runs for key, value in found.items()}


def pairing_seconds(terms: TournamentTerms) -> float:
    """How long it takes to pair 256 people for the first time."""
    tournament = TournamentJournal(terms)
    for player in range(LARGE):
        tournament.enter(player, 0)
    tournament.draw("00", 0)
    began = time.perf_counter()
    tournament.autopilot(1)
    return time.perf_counter() - began


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: dict[str, Any] = {name: figures_of(name, options.runs, options.seed) for name in FORMATS}
    pairing = {name: pairing_seconds(terms) for name, terms in FORMATS.items() if name != "lots"}
    if options.json:
        print(json.dumps({"formats": found, "pairing_seconds": pairing}))
        return
    print(f"{'':30} best   best four  matches  hours  waited, min")
    for name, row in found.items():
        print(
            f"{name:30} {row['best']:5.1%}  {row['best_four']:6.1%}    {row['matches']:6.1f}"
            f"  {row['hours']:5.1f}  {row['waited']:5.0f}"
        )
    slowest = max(pairing, key=lambda name: pairing[name])
    print(f"pairing {LARGE} people: {pairing[slowest]:.2f} s at most ({slowest})")


if __name__ == "__main__":
    main()
