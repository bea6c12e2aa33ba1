"""Tournaments on the command line: ``manage.py tournament simulate``."""

import json
import random
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.engine.errors import TournamentError
from tournaments.engine.formats import FORMATS
from tournaments.engine.terms import TournamentTerms
from tournaments.simulation import simulated, strengths_drawn


class Command(BaseCommand):
    """Play a tournament of players with given strengths in a moment."""

    help = "Simulate a tournament: prints the ranks, the number of matches and how long it takes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand."""
        parser.add_argument("what", choices=["simulate"])
        parser.add_argument("--format", choices=sorted(FORMATS), required=True)
        parser.add_argument("--players", type=int, default=16)
        parser.add_argument("--strengths", help="PRs, as 3.5,4,8; else drawn around 6")
        parser.add_argument("--length", type=int, default=5, help="points of a match")
        parser.add_argument("--lives", type=int, default=2)
        parser.add_argument("--bracket", type=int, default=0, help="places after Swiss by lives")
        parser.add_argument("--rounds", type=int, default=0, help="of Swiss; 0: as a knock-out")
        parser.add_argument("--minutes", type=int, default=120, help="of an arena")
        parser.add_argument("--by-rounds", action="store_true", help="Swiss by lives in rounds")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play it and print what came out. Raises `CommandError`, which names what is wrong."""
        chance = random.Random(options["seed"])
        try:
            strengths = _strengths(options, chance)
            terms = TournamentTerms(
                format=options["format"],
                length=options["length"],
                lives=options["lives"],
                bracket=options["bracket"],
                rounds=options["rounds"],
                minutes=options["minutes"] if options["format"] == "arena" else 0,
                at_once=not options["by_rounds"],
                most=max(len(strengths), 2),
            )
            played = simulated(terms, strengths, chance)
        except (TournamentError, ValueError) as error:
            raise CommandError(str(error)) from error
        ranks = [
            [{"player": player + 1, "pr": round(strengths[player], 2)} for player in group]
            for group in played.ranks
        ]
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "format": terms.format,
                        "players": len(strengths),
                        "matches": played.matches,
                        "minutes": round(played.minutes, 1),
                        "waited_minutes": round(played.waited_minutes, 1),
                        "ranks": ranks,
                    }
                )
            )
            return
        self.stdout.write(f"{played.matches} matches in {played.minutes:.0f} minutes")
        for number, group in enumerate(ranks, 1):
            names = ", ".join(f"{each['player']} (PR {each['pr']})" for each in group)
            self.stdout.write(f"{number:3}. {names}")


def _strengths(options: dict[str, Any], chance: random.Random) -> list[float]:
    if not options["strengths"]:
        return strengths_drawn(options["players"], chance)
    return [float(part) for part in options["strengths"].split(",")]
