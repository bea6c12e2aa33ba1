"""Bring the database, the translations and the static files up to date; safe to repeat."""

from argparse import ArgumentParser
from io import StringIO
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from pasch.assets.prepared import is_collected, sources_digest, stamp_path, translations_compile


class Command(BaseCommand):
    help = (
        "Migrate, set up the database's roles, compile the translations and collect the static"
        " files; what is up to date already costs nothing."
    )
    requires_system_checks = []  # the web server makes them before it opens

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--demo", action="store_true", help="furnish an empty house with demo accounts as well"
        )

        parser.add_argument(
            "--files", action="store_true", help="only translations and static files, no database"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for path in translations_compile(settings.LOCALE_PATHS[0]):
            self.stdout.write(f"compiled {path.relative_to(settings.ROOT)}")
        self._collect_static()
        if options["files"]:
            return
        call_command("migrate", interactive=False, verbosity=0)
        try:
            call_command("database_roles", stdout=StringIO())
        except CommandError as error:
            # Roles are up to the administrator of that server; the guards of the books work anyway.
            self.stderr.write(str(error))
        if options["demo"]:
            call_command("demo_house", if_empty=True)

    def _collect_static(self) -> None:
        """Collect when any source file differs from those of the last time."""
        if is_collected():
            return
        try:
            call_command("collectstatic", interactive=False, clear=True, verbosity=0)
            stamp_path().write_text(sources_digest())
        except OSError as error:
            raise CommandError(
                f"The static files cannot be collected in {settings.STATIC_ROOT}"
                f" ({error.strerror}), and those there are not of this version; give your user the"
                " right to write there, or build the image again."
            ) from error
