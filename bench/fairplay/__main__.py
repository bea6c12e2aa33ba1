"""How many of those who cheat are found, and how many honest people are bothered.

    python -m bench.fairplay --people 5000 --pairs 50000 --rings 1000 --players 1000

First a house over 90 days (`world`): honest players, engine users, rings of four kinds, second
accounts and leavers. Then curves of single kinds (`curves`), rings in sit-and-gos and chouettes,
and accusers who want to harm (`events`). All judgements are by the code of the
house; habits are assumptions (`cast`), losses come from published figures (`draws`).
"""

import argparse
import json
import os
from typing import Any

import django


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", type=int, default=5_000, help="honest people over 90 days")
    parser.add_argument("--pairs", type=int, default=50_000, help="honest pairs of the curves")
    parser.add_argument(
        "--rings", type=int, default=1_000, help="rings of each kind, of the curves"
    )
    parser.add_argument("--players", type=int, default=200, help="players of each kind, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "harness.settings")
    django.setup()
    from bench.fairplay import curves, events
    from bench.fairplay.world import World, figures_of

    world = World(options.people, options.seed)
    world.run()
    found = {
        "90 days": figures_of(world),
        "curves": curves.figures(options.pairs, options.rings, options.players, options.seed),
        "events and accusers": events.figures(options.rings, options.pairs, options.seed),
    }
    if options.json:
        print(json.dumps(found))
        return
    for title, figures in found.items():
        print(f"== {title}")
        _print(figures, "")


def _print(figures: dict[str, Any], indent: str) -> None:
    """Print nested figures: shares as percentages, numbers as they are."""
    for name, value in figures.items():
        if not isinstance(value, dict):
            print(f"{indent}{name}: {_written(value)}")
        elif any(isinstance(each, dict) for each in value.values()):
            print(f"{indent}{name}")
            _print(value, indent + "  ")
        else:
            line = "  ".join(f"{key}: {_written(each)}" for key, each in value.items())
            print(f"{indent}{name:34} {line}")


def _written(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2%}"


if __name__ == "__main__":
    main()
