"""Several web processes on one port: forked from one that has loaded the site, ended with it.

Loading the site takes most of a start, so it is done once, and what it takes of memory is shared.
A web process that is killed is replaced. One that ends by itself takes the others with it: whatever
it ended of would end its successor too. When the first process goes, in whatever way, the others
finish what they have begun and go as well; none is left behind to hold the port.

uvicorn can watch over several processes itself, but starts each from nothing, and leaves them
behind when it is killed.
"""

import logging
import multiprocessing
import os
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.context import ForkProcess
from socket import socket
from types import FrameType

from django.db import connections
from uvicorn import Config, Server

REPLACE_SECONDS = 0.5  # no more often is a killed process replaced, lest one that always dies burn
ENDING = {signal.SIGINT, signal.SIGTERM}
WATCHED = ENDING | {signal.SIGCHLD}

logger = logging.getLogger(__name__)


class WebProcesses:
    """The web processes of one port, watched by the process that made them."""

    def __init__(self, config: Config, number: int) -> None:
        """Bind the address of `config`; ends this process with a sentence if that fails."""
        self._config = config
        self._listener = config.bind_socket()
        # Nothing is ever written: it ends when the last possible writer, this process, ends.
        self._watched_end, self._held_end = os.pipe()
        self._number = number

    def run(self) -> int:
        """Serve until a signal ends it; the exit status."""
        if threading.active_count() > 1:
            raise RuntimeError("Threads run already; a process that is forked now would lack them.")
        connections.close_all()  # two processes cannot talk over one
        # Signals stay pending until they are waited for; SIGCHLD only if it has a handler.
        signal.signal(signal.SIGCHLD, _nothing)
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        running = [self._begin() for _ in range(self._number)]
        status = 0
        while status == 0 and signal.sigwait(WATCHED) == signal.SIGCHLD:
            for index, process in enumerate(running):
                if process.is_alive():
                    continue
                if process.exitcode is None or process.exitcode >= 0:
                    logger.error("web process %s ended by itself", process.pid)
                    status = process.exitcode or 1
                    continue
                logger.error("web process %s died of signal %s", process.pid, -process.exitcode)
                running[index] = self._begin()
                time.sleep(REPLACE_SECONDS)  # signals wait meanwhile; none is lost
        for process in running:
            process.terminate()
        for process in running:
            process.join()
        return status

    def _begin(self) -> ForkProcess:
        target = (self._config, self._listener, self._watched_end, self._held_end)
        process = multiprocessing.get_context("fork").Process(target=_serve, args=target)
        process.start()
        return process


def _serve(config: Config, listener: socket, watched_end: int, held_end: int) -> None:
    """The work of a web process."""
    os.close(held_end)
    threading.Thread(target=_end_with_the_first, args=(watched_end,), daemon=True).start()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(KeyboardInterrupt):  # it came from the terminal, and everything is finished
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        Server(config).run([listener])


def _end_with_the_first(watched_end: int) -> None:
    """Wait until the parent process has ended, then end this one."""
    os.read(watched_end, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Handle a signal by waiting for it elsewhere."""
