"""`manage.py icons`: draw the pictures for home screens anew, after the sign has changed."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from pasch.assets.icons import ICONS, png


class Command(BaseCommand):
    """Write static/icons/*.png."""

    help = "Draw the pictures for home screens anew (static/icons/)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write every picture and say where."""
        folder = Path(settings.ROOT) / "static" / "icons"
        folder.mkdir(exist_ok=True)
        for icon in ICONS:
            path = folder / icon.name
            path.write_bytes(png(icon))
            self.stdout.write(f"{path.relative_to(settings.ROOT)}: {path.stat().st_size} bytes")
