"""A player written from docs/protocol.md alone plays whole matches against another, in processes
of their own, in every mode."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from accounts.tokens import token_make
from games.fairness.record import records_of_json
from games.fairness.rolls import Flag
from games.fairness.verify import verify_match
from games.models import Match
from games.services.dice_keys import public_key
from games.services.dice_records import match_record
from games.services.tables import table_join, table_open
from ledger.selectors import house_totals
from tests.amounts import LONG
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Path(ROOT) / "examples" / "bot.py"
SECONDS_MAX = 90
ABSENT = Flag.WHITE_ABSENT | Flag.BLACK_ABSENT

MODES = {
    "prize3": {"mode": "prize3", "stake_cents": 250},
    "single": {"mode": "single", "rate_cents": 100, "limit_cents": 1000},
    "stake": {"mode": "stake", "stake_cents": 50},
    "acey_deucey": {"mode": "normal", "variant": "acey_deucey"},
    "tabula": {"mode": "normal", "variant": "tabula", "start_rule": "roll_off_reroll"},
}
if LONG:  # the same again: a match without a prize like the variants', and a longer one for a prize
    MODES |= {"normal": {"mode": "normal"}, "prize5": {"mode": "prize5", "stake_cents": 250}}


def session_of(user: User) -> list[str]:
    client = Client()
    client.force_login(user)
    return ["--session", f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"]


def program(live: str, table_id: object, way_in: list[str]) -> subprocess.Popen[str]:
    url = f"{live.replace('http', 'ws')}/ws/table/{table_id}/"
    command = [sys.executable, str(BOT), url, *way_in]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("wishes", MODES.values(), ids=MODES)
def test_two_programs_play_a_whole_match(live: str, wishes: dict) -> None:
    has_stake = wishes["mode"] != "normal"
    users = [User.objects.create_user(name, is_bot=not has_stake) for name in ("robo", "talos")]
    table = table_open(user=users[0], clock="slow", **wishes)
    table_join(user=users[1], table_id=table.pk)
    doors = [session_of(u) if has_stake else ["--token", token_make(u)] for u in users]
    programs = [program(live, table.pk, door) for door in doors]
    try:
        told = [each.communicate(timeout=SECONDS_MAX) for each in programs]
    finally:
        for each in programs:
            each.kill()
    assert [each.returncode for each in programs] == [0, 0], told
    match = Match.objects.get(table=table)
    assert match.ending in ("borne_off", "double_dropped")
    for out, _errors in told:
        assert json.loads(out)["match"]["winner"] == match.winner_seat
    assert house_totals().difference_cents == 0
    records = records_of_json(match_record(match))
    assert verify_match(records, public_key=public_key()) == []
    assert {roll.flags & ABSENT for record in records for roll in record.rolls} == {0}


def test_the_example_stays_short() -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) < 110
