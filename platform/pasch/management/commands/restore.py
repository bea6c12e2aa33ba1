"""Bring an embedded house back to a moment."""

import os
import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from ledger.seals import anchor_path, anchors_set_aside
from pasch.backups.backup import key_mark
from pasch.backups.restore import Restored, restore, within_reach
from pasch.servers.embedded import EmbeddedError, Home, postgres_start, postgres_stop


class Command(BaseCommand):
    help = (
        "Brings the closed house in PASCH_VAR back to a moment (--to) or to the last commit there"
        " is, and proves the books, the dice and the ratings again; 1 on a finding."
    )
    requires_system_checks = []  # there may be no database yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", help="the backups; BACKUP_FOLDER if left out")
        parser.add_argument("--to", type=_moment, help="a moment in UTC: 2026-11-21T15:00:00Z")
        parser.add_argument("--branch", type=int, help="the branch that the moment lies on")
        parser.add_argument("--list", action="store_true", help="say what can be reached, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"] or os.environ.get("BACKUP_FOLDER")
        if not folder:
            raise CommandError("Say which backups: a folder, or BACKUP_FOLDER.")
        if os.environ.get("DATABASE_URL"):
            raise CommandError(
                "DATABASE_URL names another server: docs/operations.md says how to restore it."
            )
        root = Path(folder).resolve()
        try:
            if options["list"]:
                return self._list(root)
            done = restore(settings.HOME, root, to=options["to"], branch=options["branch"])
            self._tell(done)
            postgres_start(settings.HOME)
            try:
                self._prove(settings.HOME)
            finally:
                connections.close_all()
                postgres_stop(settings.HOME)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error

    def _list(self, root: Path) -> None:
        """Print the period to which each branch can be restored."""
        for reach in within_reach(settings.HOME, root):
            self.stdout.write(str(reach))

    def _tell(self, done: Restored) -> None:
        self.stdout.write(f"Restored from {done.base.folder}.")
        self.stdout.write(f"The moment is on {done.reach}.")
        self.stdout.write(f"From now on the house is on branch {done.goes_on_as}.")
        if done.last_commit_at is not None:
            last = done.last_commit_at.astimezone(UTC)
            self.stdout.write(f"The last commit is of {last:%Y-%m-%d %H:%M:%S.%f} UTC.")
        if done.set_aside is not None:
            self.stdout.write(f"What was there before is in {done.set_aside}.")
        self._compare_keys(done.base.about)

    def _compare_keys(self, about: dict[str, str]) -> None:
        """Name a key that is not the one of the backup; the audit finds only what comes of it."""
        if about["dice_key"] != key_mark(settings.DICE_KEY):
            self.stderr.write(
                "DICE_KEY is not the one of the backup: running games cannot go on without it, and"
                " the audit cannot verify the dice."
            )
        ours = {key_mark(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)}
        if about.get("secret_key") not in (None, *ours):
            self.stderr.write(
                "SECRET_KEY is not the one of the backup: the audit cannot verify the digests of"
                f" seals in {anchor_path()}, and everybody is logged out. Set the old one as"
                " SECRET_KEY or in SECRET_KEY_FALLBACKS."
            )

    def _prove(self, home: Home) -> None:
        """Migrate what is older than the code, then let every check look. Exits 1 on a finding."""
        call_command("migrate", interactive=False, verbosity=0)
        if (path := anchor_path()) is not None:
            into = path.with_name(f"{path.name}.{datetime.now(tz=UTC):%Y%m%dT%H%M%SZ}")
            if count := anchors_set_aside(into):
                self.stdout.write(f"{count} seals were made later; their digests are in {into}.")
        findings = False
        for command, told in (("audit", {}), ("ratings_replay", {"check": True})):
            try:
                call_command(command, stdout=self.stdout, **told)
            except SystemExit as ended:
                findings = findings or bool(ended.code)
        if findings:
            sys.exit(1)
        self.stdout.write("The house is in order; scripts/play opens it. Make a new backup then.")


def _moment(text: str) -> datetime:
    """A moment with its offset; without one it is UTC."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
