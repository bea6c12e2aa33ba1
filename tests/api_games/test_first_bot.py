"""The first bot of the examples finds an opponent over REST and plays a match to its end."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.models import User
from accounts.tokens import token_make
from games.live import delivery
from games.models import Match
from harness.waiting import PROGRAM_SECONDS
from tests.architecture.sources import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BOT = Path(ROOT) / "examples" / "first_bot.py"


@pytest.mark.parametrize("burst", [40.0, 5.0])
def test_two_first_bots_find_each_other_and_play(
    live: str, burst: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the end, also where the house refuses some of their commands as too fast."""
    monkeypatch.setattr(delivery, "FRAMES_BURST", burst)
    programs = []
    for name in ("robo", "tobo"):
        token = token_make(User.objects.create_user(name, is_bot=True))
        command = [sys.executable, str(BOT), live, "--token", token, "--variant", "hypergammon"]
        programs.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    try:
        told = [each.communicate(timeout=PROGRAM_SECONDS) for each in programs]
    finally:
        for each in programs:
            each.kill()
    assert [each.returncode for each in programs] == [0, 0], told
    match = Match.objects.get()
    assert match.winner_seat is not None
    assert {json.loads(out)["match"]["winner"] for out, _errors in told} == {match.winner_seat}


def test_the_first_bot_has_some_sixty_lines() -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 67
