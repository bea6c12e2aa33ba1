"""Seal the books now."""

from django.core.management.base import BaseCommand

from ledger.seal_places import seal_places
from ledger.seals import books_seal


class Command(BaseCommand):
    help = "Seals what is new in the books and anchors the roots outside the database."

    def handle(self, *args: object, **options: object) -> None:
        for seal in books_seal():
            root = bytes(seal.root).hex()
            self.stdout.write(f"{seal.stream} {seal.number}: {seal.row_count} rows, root {root}")
        places = ", ".join(place.name for place in seal_places())
        self.stdout.write(f"Anchored in {places or 'the log alone (LEDGER_SEAL_FILE is not set)'}.")
