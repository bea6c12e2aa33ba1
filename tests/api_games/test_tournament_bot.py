"""Four bots of the examples enter a free sit-and-go over REST and play it to its end."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from accounts.models import User
from accounts.tokens import token_make
from tests.architecture.sources import ROOT
from tournaments.models import Phase, Tournament
from tournaments.services.offering import offers_keep
from tournaments.services.running import tournaments_move_on

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Path(ROOT) / "examples" / "tournament_bot.py"
SECONDS_MAX = 180


def test_four_bots_play_a_tournament(live: str) -> None:
    offers_keep()
    tournament = Tournament.objects.get(offer="four-1")
    programs = []
    for name in ("robo", "tobo", "bobo", "nobo"):
        token = token_make(User.objects.create_user(name, is_bot=True))
        command = [sys.executable, str(BOT), live, "--token", token]
        programs.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    try:
        ends = time.monotonic() + SECONDS_MAX
        while tournament.phase != Phase.OVER and time.monotonic() < ends:
            tournaments_move_on()  # what Celery calls every two seconds
            tournament.refresh_from_db()
            time.sleep(0.5)  # Celery's pulse: two programs play meanwhile, in time of their own
        told = [each.communicate(timeout=20) for each in programs]
    finally:
        for each in programs:
            each.kill()
    assert [each.returncode for each in programs] == [0] * 4, told
    standings = [json.loads(out) for out, _errors in told]
    assert standings.count(standings[0]) == 4
    assert [each["first_place"] for each in standings[0]] == [1, 2, 3, 3]
