"""Write the JSON Schema of the table protocol: ``manage.py protocol_schema > FILE``."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from games.wire.schema import protocol_schema


def schema_text() -> str:
    """The schema as docs/protocol.schema.json has it."""
    return json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"


class Command(BaseCommand):
    """Print the schema."""

    help = "Print the JSON Schema of every frame of the table protocol, both directions."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it; docs/protocol.schema.json is what this prints."""
        self.stdout.write(schema_text(), ending="")
