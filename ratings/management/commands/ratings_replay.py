"""manage.py ratings_replay: rebuild every rating from the log, or only check that it agrees."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.errors import LogInconsistent, ReplayDifference
from ratings.models import Rating, RatingChange
from ratings.replay import check, rebuild


class Command(BaseCommand):
    help = (
        "Rebuild every rating from the log of changes. With --check nothing is written and any "
        "difference ends with exit status 1, naming the rows."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only, write nothing")
        parser.add_argument("--json", action="store_true", help="answer with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the differences; fail on any with --check, or on a log that is wrong itself."""
        try:
            found = check() if options["check"] else rebuild()
            failed = bool(found and options["check"])
        except LogInconsistent as error:
            found, failed = list(error.differences), True
        report = self._json if options["json"] else self._text
        report(found, failed, rebuilt=not options["check"] and not failed)
        if failed:
            sys.exit(1)

    def _json(self, found: list[ReplayDifference], failed: bool, *, rebuilt: bool) -> None:
        answer = {
            "ok": not failed,
            "rebuilt": rebuilt,
            "ratings": Rating.objects.count(),
            "changes": RatingChange.objects.count(),
            "differences": [
                {"row": one.row, "stored": one.stored, "rebuilt": one.rebuilt} for one in found
            ],
        }
        self.stdout.write(json.dumps(answer))

    def _text(self, found: list[ReplayDifference], failed: bool, *, rebuilt: bool) -> None:
        for one in found:
            self.stdout.write(f"{one.row}\n  stored:  {one.stored}\n  rebuilt: {one.rebuilt}")
        counts = f"{Rating.objects.count()} ratings from {RatingChange.objects.count()} changes"
        if failed:
            self.stdout.write(f"{len(found)} differences in {counts}.")
        elif found:
            self.stdout.write(f"{len(found)} differences mended in {counts}.")
        else:
            self.stdout.write(f"No difference in {counts}.")
