"""Django's `migrate`, and a sentence for a house that ran only some of the old migrations."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; raise CommandError, and change nothing, where `0001_initial` cannot go on."""
        if half := _half_replaced(options["database"]):
            raise CommandError(
                f"This house ran some of the migrations that {', '.join(half)} stands for, but not"
                " all. Bring it up to date with the version before them first: docs/operations.md,"
                ' "Houses from before the first release".'
            )
        super().handle(*args, **options)


def _half_replaced(database: str) -> list[str]:
    """The migrations that replace others of which some were run and some were not."""
    connection = connections[database]
    applied = MigrationRecorder(connection).applied_migrations()
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    half = []
    for key, migration in loader.disk_migrations.items():
        replaced = set(migration.replaces)
        run = replaced & applied.keys()
        if replaced and run != replaced and (run or key in applied):
            half.append(".".join(key))
    return sorted(half)
