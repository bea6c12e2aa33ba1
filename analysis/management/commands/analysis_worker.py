"""``manage.py analysis_worker``: answer questions at the analysis board, and analyse matches."""

import logging
import os
import resource
import signal
import sys
from argparse import ArgumentParser
from threading import Event
from time import monotonic
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import OperationalError, connection

from analysis.answering import answer_once
from analysis.decisions.filling import imports_list, reports_list
from analysis.imports.storing import read_once
from analysis.questions import anybody_waits, questions_forget, worker_here
from analysis.queue import LOOKS_BACK, LOOKS_BACK_OFTEN, enqueue_ended, work_once
from analysis.rolling import REST, Usage, WorkerPace, roll_once
from backgammon.engines.sage import house_engine

logger = logging.getLogger(__name__)

#: how much less urgent than everything else the work is.
NICENESS: Final = 15

#: seconds between two looks for questions, and between two looks for everything else, where there
#: is nothing to do or the database is away.
PAUSE: Final = 0.4
LONG_PAUSE: Final = 5.0


def give_way() -> None:
    """Let this process work only while nothing else wants its core.

    On Linux the scheduler lets every other process in at once; a nice process alone would keep a
    player's command waiting for some milliseconds.
    """
    os.nice(NICENESS)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def used() -> Usage:
    """The processor time that this process has used so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return Usage(monotonic(), usage.ru_utime + usage.ru_stime, usage.ru_nivcsw)


class Command(BaseCommand):
    """Works until it is stopped; start one process for each core that may be used."""

    help = "Answer questions at the analysis board, and analyse finished matches, at low priority."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to end with the queue, to leave the matches to others, and how long to rest."""
        parser.add_argument("--once", action="store_true", help="end when the queues are empty")
        parser.add_argument(
            "--questions", action="store_true", help="answer questions alone, so none waits"
        )
        parser.add_argument(
            "--rest",
            type=float,
            default=REST,
            metavar="N",
            help="rest N times as long as it worked while others want its core; 0: never",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Take one thing after the other; SIGTERM lets the present one be finished."""
        if not options["once"]:
            give_way()
        self.looks_back = LOOKS_BACK  # until the first look that finds nothing
        self.listed_below: int | None = None
        self.all_listed = False
        stopped = Event()
        for number in () if options["once"] else (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        self.pace = WorkerPace(used, lambda seconds: self._rest(stopped, seconds), options["rest"])
        looked_at = -LONG_PAUSE
        while not stopped.is_set():
            looks = monotonic() - looked_at >= LONG_PAUSE
            looked_at = monotonic() if looks else looked_at
            if self._worked(looks=looks, matches=not options["questions"]):
                continue
            if options["once"]:
                return
            stopped.wait(PAUSE)

    def _worked(self, *, looks: bool, matches: bool) -> bool:
        """Do the most urgent thing; False if nothing waits or the database is away.

        `looks` is set if it is time to say that this worker is there, and to look for new matches.
        """
        engine = house_engine()
        try:
            if looks:
                worker_here()
                questions_forget()
            if answer_once(engine) or (matches and read_once()):
                return True
            step = self.pace.step
            worked = matches and (
                work_once(engine, step) or (looks and self._enqueued() and work_once(engine, step))
            )
            rolled = roll_once(engine)  # so neither waits for all of the other
            return rolled or worked or (matches and self._listed(looks=looks))
        except OperationalError as error:
            logger.warning("the analysis waits: %s", error)
            connection.close()
            return False

    def _enqueued(self) -> bool:
        """Queue matches that have ended: all after the start, then those of the last hours."""
        is_any = enqueue_ended(self.looks_back) > 0
        if not is_any:
            self.looks_back = LOOKS_BACK_OFTEN
        return is_any

    def _listed(self, *, looks: bool) -> bool:
        """List decisions of earlier reports: those of the house once, of other matches again."""
        if looks and imports_list():
            return True
        if self.all_listed:
            return False
        self.listed_below = reports_list(self.listed_below)
        self.all_listed = self.listed_below is None
        return not self.all_listed

    @staticmethod
    def _rest(stopped: Event, seconds: float) -> None:
        """Wait, except if this worker is to end or somebody waits for an answer."""
        if not anybody_waits():
            stopped.wait(seconds)
