"""Waiting for the end of processes that are not children of this one."""

import time
from collections.abc import Iterable

import psutil

ASK_SECONDS = 0.01


def wait_until_ended(processes: Iterable[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait until all have ended, `seconds` at most; those that live on.

    One that is dead has ended, also while its number stands in the system's table: it stands there
    until the parent takes note, which the first process of a container may do late or never. While
    a thread of it still dies, it lives: until then its files and its port are held.
    """
    deadline = time.monotonic() + seconds
    living = [process for process in processes if _lives(process)]
    while living and time.monotonic() < deadline:
        time.sleep(ASK_SECONDS)  # there is no signal for the end of another process's child
        living = [process for process in living if _lives(process)]
    return living


def _lives(process: psutil.Process) -> bool:
    try:
        if not process.is_running():
            return False
        if process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1:
            return True
        process.wait(0)  # if it is a child of ours, taking note is up to us
    except (psutil.NoSuchProcess, psutil.TimeoutExpired):
        pass
    return False
