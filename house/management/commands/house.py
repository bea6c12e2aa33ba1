"""The settings of the house at the command line: ``manage.py house``."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from house.history import HouseByTwo, change_set_at_server
from house.parts import FACT_LENGTH_MAX, PARTS, BadContent, HousePart, content_of
from house.reader import house_read


class Command(BaseCommand):
    """Show the settings in force, or set a part of them as the owner of the database."""

    help = (
        "Show the settings of the house. PART NAME=VALUE sets a part; what is not named stays, an"
        " empty value is the default. Lists have commas. Where two administrators decide at the"
        " desk, this works with LEDGER_SINGLE_ADMINISTRATOR=1 only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """A part, its values, and why."""
        parser.add_argument("part", nargs="?", choices=[part.value for part in PARTS])
        parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
        parser.add_argument("--reason", default="", help="why; needed with NAME=VALUE")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set what was named, then print everything."""
        if options["values"]:
            self._set(HousePart(options["part"]), options["values"], options["reason"].strip())
        house = house_read()
        shown = {part.value: house.content(part) for part in PARTS}
        if options["json"]:
            self.stdout.write(json.dumps({"number": house.number, "parts": shown}))
            return
        for part in PARTS:
            for field in PARTS[part]:
                value = shown[part.value].get(field.name, "default")
                self.stdout.write(f"{part.value:<10} {field.name:<22} {_text(value)}")

    def _set(self, part: HousePart, wanted: list[str], reason: str) -> None:
        if not reason:
            raise CommandError("Say why with --reason.")
        values = {**house_read().content(part), **dict(map(_pair, wanted))}
        try:
            change_set_at_server(part, content_of(part, values), reason=reason)
        except (BadContent, HouseByTwo, DatabaseError) as error:
            raise CommandError(f"Nothing was changed: {error}") from error


def _text(value: Any) -> str:
    if isinstance(value, str) and len(value) > FACT_LENGTH_MAX:
        return f"a file of {len(value) * 3 // 4} bytes"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"{text!r} is not NAME=VALUE.")
    return name, value
