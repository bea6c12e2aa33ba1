"""Make exercises: ``manage.py exercises_make --count N --seed S``."""

import json
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.training.house_set import rows_store
from analysis.training.making import made, mixed
from backgammon.engines.sage import house_engine


class Command(BaseCommand):
    """Let the engine play against itself, and keep what makes an exercise."""

    help = (
        "Make exercises from games that the engine plays against itself with noise: about as many"
        " of each theme. They are stored in the database, or as lines of JSON in --file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """How many, from which seed, and where to."""
        parser.add_argument("--count", type=int, default=60, help="how many (default: 60)")
        parser.add_argument("--seed", type=int, default=1, help="same seed, same games")
        parser.add_argument("--file", help="write lines of JSON there instead")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them and say how many are new."""
        if options["count"] < 1:
            raise CommandError("--count is at least 1")
        rows = mixed(made(house_engine(), options["count"], Random(options["seed"])))
        if options["file"]:
            with open(options["file"], "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
            self.stdout.write(f"{len(rows)} exercises written")
            return
        self.stdout.write(f"{rows_store(rows)} exercises are new")
