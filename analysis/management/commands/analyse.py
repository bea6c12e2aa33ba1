"""``manage.py analyse FOLDER --player NAME``: bring the matches of a folder into an account."""

from argparse import ArgumentParser
from pathlib import Path
from time import sleep
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from analysis.imports.sending import (
    FilesTooMany,
    ImportRefused,
    file_take,
    import_begin,
    import_close,
)
from analysis.imports.standing import analysis_standing, import_standing
from analysis.imports.storing import read_once
from analysis.models import Import
from analysis.pages.imports import faults_shown
from backgammon.command.matches import FAULTY
from backgammon.formats.archives import files_below
from kit.sentences import plain_sentence

#: seconds between two looks at what a worker has in hand.
PAUSE_SECONDS: Final = 0.5

_COUNTS: Final = ("files", "new", "known", "in_part", "unread")
_SOUND: Final = ("new", "known", "in_part")


class Command(BaseCommand):
    """Brings files, as the page does, and reads them; a worker analyses their matches."""

    help = (
        "Bring every match of a file, a ZIP or a folder into an account, as its owner would on the"
        f" page. Faults are said on standard error, and the exit status is then {FAULTY}; it is 1"
        " if no match is sound."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The folder, and the account of its matches."""
        parser.add_argument("path", type=Path, metavar="FOLDER", help="a folder, a ZIP or a file")
        parser.add_argument("--player", required=True, metavar="NAME", help="whose they are")

    def handle(self, *args: Any, **options: Any) -> None:
        """Send, read, and say what was found.

        :raises CommandError: if nothing can be brought, or no match is sound.
        """
        self.path: Path = options["path"]
        person = User.objects.filter(username=options["player"], is_active=True).first()
        if person is None:
            raise CommandError(f"there is no account {options['player']!r}")
        files = list(files_below(self.path))
        if not files:
            raise CommandError(f"{self.path}: there is no file")
        self.is_faulty = False
        try:
            self.imports = [self._begun(person)]
            for number, file in enumerate(files, start=1):
                self._send(file)
                self._progress("sent", number, len(files))
            import_close(self.imports[-1])
        except ImportRefused as error:
            raise CommandError(plain_sentence(error)) from error
        self._read()
        self._report(person)

    def _begun(self, person: User) -> Import:
        return import_begin(person, self.path.resolve().name, ())

    def _send(self, file: Path) -> None:
        """Send a file, in another import if this one is full; say why one is not taken."""
        name = str(Path(self.path.resolve().name) / file.relative_to(self.path))
        upload = self.imports[-1]
        try:
            data = file.read_bytes()
            try:
                file_take(upload, name, data)
            except FilesTooMany:
                import_close(upload)
                self.imports.append(self._begun(upload.person))
                file_take(self.imports[-1], name, data)
        except OSError as error:
            self._fault(str(file), error.strerror or str(error))
        except ImportRefused as error:
            if error.code in ("limit", "store_full"):
                raise
            self._fault(str(file), plain_sentence(error))

    def _read(self) -> None:
        """Read until all is read, beside the workers."""
        seen = -1
        while True:
            standings = [import_standing(upload) for upload in self.imports]
            read = sum(each.read for each in standings)
            if read != seen:
                self._progress("read", read, sum(each.files for each in standings))
            if all(each.is_read for each in standings):
                return
            seen = read
            if not read_once():
                sleep(PAUSE_SECONDS)

    def _report(self, person: User) -> None:
        """Say the faults and the counts, and end with the status that fits."""
        for upload in self.imports:
            for fault in faults_shown(upload):
                self._fault(fault["file"].path, f"{fault['message']} {fault['kept']}")
        standings = [import_standing(upload) for upload in self.imports]
        counts = {name: sum(getattr(each, name) for each in standings) for name in _COUNTS}
        self.stdout.write(", ".join(f"{name} {count}" for name, count in counts.items()))
        if not any(counts[name] for name in _SOUND):
            raise CommandError("no match is sound")
        analysed = analysis_standing(person)
        self.stdout.write(f"analysed: {analysed.done} of {analysed.matches}")
        if self.is_faulty:
            raise SystemExit(FAULTY)

    def _fault(self, name: str, words: str) -> None:
        self.is_faulty = True
        self.stderr.write(f"{name}: {words}".rstrip())

    def _progress(self, what: str, number: int, count: int) -> None:
        """Say how far it is: each tenth of many files."""
        if number == count or number % max(count // 10, 1) == 0:
            self.stdout.write(f"{what}: {number} of {count}")
