"""Back up the whole database."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from games.services.outages import copy_note
from pasch.backups.backup import base_backup, key_mark
from pasch.servers.embedded import EmbeddedError

KEPT = 7


class Command(BaseCommand):
    help = (
        "Copies the running PostgreSQL into FOLDER and checks the copy. Together with the log that"
        " the server lays down there, `restore` brings back any moment since."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", help="where to; BACKUP_FOLDER if left out")
        parser.add_argument("--keep", type=int, default=KEPT, help=f"copies to keep ({KEPT})")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"] or os.environ.get("BACKUP_FOLDER")
        if not folder:
            raise CommandError("Say where to: a folder, or BACKUP_FOLDER.")
        if options["keep"] < 1:
            raise CommandError("--keep must be 1 or more.")
        url = os.environ.get("MIGRATE_DATABASE_URL") or settings.DATABASE_URL
        root = Path(folder).resolve()
        try:
            keys = {"dice_key": settings.DICE_KEY, "secret_key": settings.SECRET_KEY}
            base = base_backup(url, root, keys=keys, keep=options["keep"])
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The copy is in {base.folder}.")
        self._note()
        self.stdout.write(
            "DICE_KEY and SECRET_KEY are not in it; keep them elsewhere"
            f" (the mark of DICE_KEY is {key_mark(settings.DICE_KEY)})."
        )

    def _note(self) -> None:
        """Tell the doctor and the alerts; the copy is made, whether that succeeds or not."""
        try:
            copy_note()
        except Error as error:
            self.stderr.write(f"That could not be noted for the doctor: {error}")
