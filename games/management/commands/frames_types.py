"""Write the TypeScript types of the frames: ``manage.py frames_types > FILE``."""

from typing import Any

from django.core.management.base import BaseCommand

from games.wire.schema import frames_declarations


class Command(BaseCommand):
    """Print the declarations."""

    help = "Print TypeScript declarations of every frame of the table protocol, both directions."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print them; static/js/types/frames.d.ts is what this prints."""
        self.stdout.write(frames_declarations(), ending="")
