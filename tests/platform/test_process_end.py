"""Whether a process has ended, also one whose parent takes no note of it."""

import subprocess
from collections.abc import Iterator

import psutil
import pytest

from pasch.process_end import wait_until_ended

SECONDS = 30


@pytest.fixture
def careless() -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """A process that lives, and a dead child of it that it does not bury."""
    command = "read line & echo $!; exec sleep 600"
    parent = subprocess.Popen(
        ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
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
    assert wait_until_ended([child], SECONDS) == []
    assert psutil.pid_exists(child.pid), "its number stands in the table for ever"
    assert wait_until_ended([parent], 0) == [parent]


def test_a_child_of_ours_is_buried() -> None:
    child = subprocess.Popen(["true"])
    assert wait_until_ended([psutil.Process(child.pid)], SECONDS) == []
    assert not psutil.pid_exists(child.pid)
    child.wait()
