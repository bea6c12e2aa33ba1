"""``manage.py analysis_worker``: analyse finished matches, one after the other."""

import os
import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import OperationalError, connection

from analysis.engines.sage import house_engine
from analysis.queue import enqueue_ended, work_once

#: how much less urgent than everything else the work is.
NICENESS: Final = 15

#: seconds between two looks at an empty queue, or at a database that is away.
PAUSE: Final = 5.0


class Command(BaseCommand):
    """Works until it is stopped; start one process for each core that may be used."""

    help = "Analyse finished matches between people, at low priority. Start one for each core."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to end with the queue."""
        parser.add_argument("--once", action="store_true", help="end when the queue is empty")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take one match after the other; SIGTERM lets the present one be finished."""
        if not options["once"]:
            os.nice(NICENESS)
        stopped = Event()
        for number in () if options["once"] else (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        while not stopped.is_set():
            if self._worked():
                continue
            if options["once"]:
                return
            connection.close()
            stopped.wait(PAUSE)

    def _worked(self) -> bool:
        """Analyse a match; False if none waits or the database is away."""
        try:
            return work_once(house_engine()) or (enqueue_ended() > 0 and work_once(house_engine()))
        except OperationalError as error:
            self.stderr.write(f"the database is away: {error}")
            return False
