"""Detecting that a process has ended, also if its parent does not reap it."""

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from harness.waiting import WAIT_SECONDS, wait_until
from pasch.servers.processes import wait_until_ended

#: has a child that dies, does not reap it, and lives until it is killed
CARELESS = """
import os, time
child = os.fork()
if child == 0:
    os._exit(0)
print(child, flush=True)
time.sleep(600)
"""
#: ends its first thread while another one runs on
HALF_DEAD = """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
print("gone", flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.fixture
def careless() -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """A running process, and a dead child that it has not reaped."""
    command = [sys.executable, "-S", "-c", CARELESS]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    try:
        yield psutil.Process(parent.pid), psutil.Process(int(parent.stdout.readline()))
    finally:
        parent.kill()
        parent.communicate()


def test_a_dead_one_has_ended_and_a_living_one_has_not(
    careless: tuple[psutil.Process, psutil.Process],
) -> None:
    parent, child = careless
    assert wait_until_ended([child], WAIT_SECONDS) == []
    assert psutil.pid_exists(child.pid), "its number stands in the table for ever"
    assert wait_until_ended([parent], 0) == [parent]


def test_a_child_of_ours_is_buried() -> None:
    child = subprocess.Popen(["true"])
    assert wait_until_ended([psutil.Process(child.pid)], WAIT_SECONDS) == []
    assert not psutil.pid_exists(child.pid)
    child.wait()


def test_one_lives_while_a_thread_of_it_does() -> None:
    half_dead = subprocess.Popen(
        [sys.executable, "-S", "-c", HALF_DEAD], stdout=subprocess.PIPE, text=True
    )
    assert half_dead.stdout is not None
    half_dead.stdout.readline()
    process = psutil.Process(half_dead.pid)
    assert wait_until_ended([process], 0) == [process]
    wait_until(lambda: process.status() == psutil.STATUS_ZOMBIE, "its first thread goes on")
    assert wait_until_ended([process], 0) == [process], "the other thread holds its files"
    half_dead.kill()
    half_dead.communicate()
