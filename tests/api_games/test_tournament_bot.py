"""Four bots of the examples enter a free sit-and-go over REST, wait at its socket and play.

The house is real processes, and calls and opens everything by itself.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.models import User
from accounts.tokens import token_make
from harness.processes import Processes
from harness.waiting import PROGRAM_SECONDS
from tests.architecture.sources import ROOT
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.services.offering import offers_keep

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Path(ROOT) / "examples" / "tournament_bot.py"
#: large ones, so that matches are short
ROLLS = [(6, 5), (6, 6), (5, 4), (5, 5), (6, 3), (4, 4), (2, 1), (6, 4), (3, 3), (5, 1), (6, 2)]
NAMES = ("robo", "tobo", "bobo", "nobo")


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, ROLLS) as house:
        house.start("web", "worker", "beat")
        yield house


@pytest.mark.slow
def test_four_bots_play_a_tournament(house: Processes) -> None:
    offers_keep()
    tournament = Tournament.objects.get(offer="four-1")
    programs = []
    for name in NAMES:
        token = token_make(User.objects.create_user(name, is_bot=True))
        command = [sys.executable, str(BOT), house.address, "--token", token]
        programs.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    try:
        told = [each.communicate(timeout=PROGRAM_SECONDS) for each in programs]
    finally:
        for each in programs:
            each.kill()
    assert [each.returncode for each in programs] == [0] * 4, "\n".join(each for _, each in told)
    standings = [json.loads(out) for out, _errors in told]
    assert standings.count(standings[0]) == 4
    assert [each["first_place"] for each in standings[0]] == [1, 2, 3, 3]
    tournament.refresh_from_db()
    assert tournament.phase == Phase.OVER
    entered = Entry.objects.filter(tournament=tournament)
    assert {entry.user.username for entry in entered} == set(NAMES)
    for meeting in Meeting.objects.filter(tournament=tournament):
        assert meeting.match is not None
        assert meeting.match.ending == "borne_off", "played to the end at its table"


def test_the_example_stays_short() -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 85
