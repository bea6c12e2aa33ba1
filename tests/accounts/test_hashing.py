"""Passwords are hashed in a process beside: every answer belongs to the password that was asked."""

import signal

import pytest

from accounts.hashing import PacedArgon2PasswordHasher


class Interrupted(Exception):
    """What ends a command while it waits for an answer."""


def test_an_interrupted_question_leaves_no_answer_for_the_next_password() -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    hasher = PacedArgon2PasswordHasher()
    stored = hasher.encode("right", "a-salt-of-sixteen")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        with pytest.raises(Interrupted):
            [hasher.verify("right", stored) for _ in range(50)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not hasher.verify("wrong", stored)
    assert hasher.verify("right", stored)
