"""Django's `migrate`, which refuses a house that another version has migrated further."""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; raise CommandError, and change nothing, where this version is too old."""
        if unknown := _unknown(options["database"]):
            raise CommandError(
                f"This version does not know {len(unknown)} migrations that this house has run, the"
                f" last of them {unknown[-1]}. Install the version that ran them, or restore the"
                ' backup from before: docs/releases.md, "Upgrading".'
            )
        super().handle(*args, **options)


def _unknown(database: str) -> list[str]:
    """The migrations of our apps that the house has run and this version has not."""
    applied = MigrationRecorder(connections[database]).applied_migrations()
    loader = MigrationLoader(connections[database], load=False)
    loader.load_disk()
    ours = {config.label for config in apps.get_app_configs() if "." not in config.name}
    return sorted(
        f"{app}.{name}"
        for app, name in applied.keys() - loader.disk_migrations.keys()
        if app in ours
    )
