"""Packing from a terminal, at any time and beside a running house."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from games.services.packing import PACKED_AT_ONCE, tables_pack


class Command(BaseCommand):
    """``manage.py pack_matches [--older-than DAYS] [--limit N]``."""

    help = "Packs the events and rolls of matches at tables that have been closed for a while."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which tables, and how many at most."""
        parser.add_argument(
            "--older-than", type=int, metavar="DAYS", help="instead of PACK_AFTER_DAYS"
        )
        parser.add_argument(
            "--limit", type=int, default=PACKED_AT_ONCE, metavar="N", help="tables at most"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Pack, and print how many tables were."""
        days = options["older_than"]
        age = None if days is None else timedelta(days=days)
        packed = tables_pack(older_than=age, limit=options["limit"])
        self.stdout.write(f"{packed} tables packed")
