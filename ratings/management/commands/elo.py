"""manage.py elo: what a match does to two ratings, for people or as JSON lines. No database."""

import json
import sys
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.elo import START_ELO, EloError, EloOutcome, EloStanding, rate

FIELDS = ("winner_elo", "winner_experience", "loser_elo", "loser_experience", "n")
PLAIN_DIGITS = 20
"""More digits than any rating has; longer numbers are refused before they cost time."""


class Command(BaseCommand):
    help = (
        "Compute new ratings: elo WINNER LOSER --n 5. With --json each line of standard input is "
        "an object with the keys winner_elo, winner_experience, loser_elo, loser_experience, n."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("winner_elo", nargs="?", default=str(START_ELO))
        parser.add_argument("loser_elo", nargs="?", default=str(START_ELO))
        parser.add_argument("--winner-experience", type=int, default=0)
        parser.add_argument("--loser-experience", type=int, default=0)
        parser.add_argument("--n", type=int, default=1, help="what the match is worth")
        parser.add_argument("--json", action="store_true", help="JSON lines in, JSON lines out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer the arguments, or every line of standard input."""
        if options["json"]:
            self._answer_lines()
            return
        facts = {name: options[name] for name in FIELDS}
        try:
            outcome = rated(facts)
        except EloError as error:
            raise CommandError(str(error)) from error
        for side, old in (("winner", facts["winner_elo"]), ("loser", facts["loser_elo"])):
            standing: EloStanding = getattr(outcome, side)
            change = standing.elo - Decimal(old)
            self.stdout.write(
                f"{side:<6} {Decimal(old):.4f} -> {standing.elo} ({change:+.4f}), "
                f"experience {facts[f'{side}_experience']} -> {standing.experience}"
            )

    def _answer_lines(self) -> None:
        for line in sys.stdin:
            if line.strip():
                self.stdout.write(json.dumps(answer(line)))
                self.stdout.flush()


def answer(line: str) -> dict[str, str | int]:
    """Answer one JSON line with the new standings, or with an `error` that names the fault."""
    try:
        facts = json.loads(line, parse_float=Decimal, parse_constant=_refused, parse_int=_whole)
        if not isinstance(facts, dict):
            raise EloError("the line is not a JSON object")
        outcome = rated(facts)
    except (EloError, json.JSONDecodeError, RecursionError) as error:
        return {"error": str(error)}
    return {
        "winner_new": str(outcome.winner.elo),
        "loser_new": str(outcome.loser.elo),
        "winner_experience_new": outcome.winner.experience,
        "loser_experience_new": outcome.loser.experience,
    }


def rated(facts: dict[str, Any]) -> EloOutcome:
    """Rate the match that five facts describe; raises EloError naming the bad or missing one."""
    missing = [name for name in FIELDS if name not in facts]
    if missing:
        raise EloError(f"missing: {', '.join(missing)}")
    return rate(_standing(facts, "winner"), _standing(facts, "loser"), _count(facts, "n"))


def _standing(facts: dict[str, Any], side: str) -> EloStanding:
    elo = _elo(facts, f"{side}_elo")
    experience = _count(facts, f"{side}_experience")
    try:
        return EloStanding(elo, experience)
    except EloError as error:
        raise EloError(f"{side}: {error}") from error


def _elo(facts: dict[str, Any], name: str) -> Decimal:
    value = facts[name]
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise EloError(f"{name}: {value!r} is not a number")
    try:
        if len(str(value)) > PLAIN_DIGITS:
            raise EloError(f"{name}: longer than {PLAIN_DIGITS} digits")
        return Decimal(value)
    except InvalidOperation as error:
        raise EloError(f"{name}: {value!r} is not a number") from error


def _count(facts: dict[str, Any], name: str) -> int:
    value = facts[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise EloError(f"{name}: {value!r} is not a whole number")
    return value


def _refused(name: str) -> Any:
    raise EloError(f"{name} is not a number")


def _whole(digits: str) -> int:
    if len(digits) > PLAIN_DIGITS:
        raise EloError(f"longer than {PLAIN_DIGITS} digits")
    return int(digits)
