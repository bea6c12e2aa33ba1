"""The prices of the house at the command line: ``manage.py prices``."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.modes.prices import FIGURES, BadPrices, Figure, figures_of
from games.modes.registry import prices_of
from games.selectors import prices
from games.services.prices import prices_set_at_server
from house.history import HouseByTwo, part_number
from house.parts import HousePart


class Command(BaseCommand):
    """Show the figures in force, or set some of them in a house with one administrator."""

    help = (
        "Show the figures of the house. NAME=VALUE sets some of them, before the first table was"
        " opened or with LEDGER_SINGLE_ADMINISTRATOR=1; otherwise two administrators do at the"
        " desk. Lists have commas, `off` is no limit."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Figures to set, and why."""
        parser.add_argument("figures", nargs="*", metavar="NAME=VALUE")
        parser.add_argument("--reason", default="", help="why; needed with NAME=VALUE")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set what was named, then print everything."""
        if options["figures"]:
            self._set(options["figures"], options["reason"].strip())
        figures = figures_of(prices())
        if options["json"]:
            self.stdout.write(
                json.dumps({"number": part_number(HousePart.PRICES), "figures": figures})
            )
            return
        for figure in FIGURES:
            self.stdout.write(f"{figure.name:<22} {_text(figures[figure.name])} {figure.unit}")

    def _set(self, wanted: list[str], reason: str) -> None:
        if not reason:
            raise CommandError("Say why with --reason.")
        figures = {**figures_of(prices()), **dict(map(_pair, wanted))}
        try:
            prices_set_at_server(prices_of(figures), reason=reason)
        except (BadPrices, HouseByTwo, DatabaseError) as error:
            raise CommandError(f"Nothing was changed: {error}") from error


def _text(value: Any) -> str:
    if value is None:
        return "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"{text!r} is not NAME=VALUE.")
    known: dict[str, Figure] = {figure.name: figure for figure in FIGURES}
    if name in known and known[name].many:
        return name, [_number(part) for part in value.split(",") if part.strip()]
    return name, None if value == "off" else _number(value)


def _number(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() and text.isascii() else text
