"""A player written from docs/protocol.md alone plays whole matches against another, in processes
of their own: every day the shortest game, in a long run every mode and variants that differ."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from django.db.models import QuerySet

from accounts.models import User
from accounts.tokens import token_make
from backgammon.dice.record import records_of_json
from backgammon.dice.rolls import Flag
from backgammon.dice.verify import verify_match
from backgammon.tests.amounts import LONG
from games.models import GameDice, Match, Table
from games.services.dice.keys import public_key
from games.services.dice.records import match_record
from games.services.tables import table_join, table_open
from harness.logins import session_cookie
from harness.waiting import PROGRAM_SECONDS, wait_until
from ledger.selectors import house_totals
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Path(ROOT) / "examples" / "bot.py"
ABSENT = Flag.WHITE_ABSENT | Flag.BLACK_ABSENT

MODES = {"hypergammon": {"mode": "normal", "variant": "hypergammon"}}
if LONG:
    MODES |= {
        "single": {"mode": "single", "rate_cents": 100, "limit_cents": 1000},
        "stake": {"mode": "stake", "stake_cents": 50},
        "acey_deucey": {"mode": "normal", "variant": "acey_deucey"},
        "tabula": {"mode": "normal", "variant": "tabula", "start_rule": "roll_off_reroll"},
        "normal": {"mode": "normal"},
        "prize3": {"mode": "prize3", "stake_cents": 250},
        "prize5": {"mode": "prize5", "stake_cents": 250},
    }


def session_of(user: User) -> list[str]:
    return ["--session", "=".join(session_cookie(user))]


def program(live: str, table_id: object, way_in: list[str]) -> subprocess.Popen[str]:
    url = f"{live.replace('http', 'ws')}/ws/table/{table_id}/"
    command = [sys.executable, str(BOT), url, *way_in]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_programs_play_whole_matches_against_each_other(live: str) -> None:
    """Play all tables at once, as a program mostly waits for its opponent.

    The opener's program starts last, so that neither program is too late for the dice.
    """
    tables = {name: table_of_two(name, wishes) for name, wishes in MODES.items()}
    programs: dict[str, list[subprocess.Popen[str]]] = {name: [] for name in tables}
    try:
        for seat in (1, 0):
            for name, (table, doors) in tables.items():
                programs[name].append(program(live, table.pk, doors[seat]))
            wait_for_dice(seat, [table for table, _doors in tables.values()])
        for name, pair in programs.items():
            told = [each.communicate(timeout=PROGRAM_SECONDS) for each in pair]
            assert [each.returncode for each in pair] == [0, 0], (name, told)
            check_played(tables[name][0], [json.loads(out) for out, _errors in told])
    finally:
        for pair in programs.values():
            for each in pair:
                each.kill()
    assert house_totals().difference_cents == 0


def wait_for_dice(seat: int, tables: list[Table]) -> None:
    """Wait until this seat has sent its part of the dice for the first game of each table."""
    for table in tables:
        dice = GameDice.objects.filter(table=table, number=1)
        wait_until(partial(given, dice, seat), f"seat {seat} of {table.pk} has given nothing")


def given(dice: QuerySet[GameDice], seat: int) -> bool:
    return bool(dice.get().sides[seat]["value"])


def table_of_two(name: str, wishes: dict) -> tuple[Table, list[list[str]]]:
    """A table with two players and the credentials of each: people a session, bots a token.

    Where nothing is at stake, the first of them is a bot.
    """
    bots = (wishes["mode"] == "normal", False)
    users = [User.objects.create_user(f"{name}{n}", is_bot=bot) for n, bot in enumerate(bots, 1)]
    table = table_open(user=users[0], clock="slow", **wishes)
    table_join(user=users[1], table_id=table.pk)
    return table, [
        ["--token", token_make(user)] if user.is_bot else session_of(user) for user in users
    ]


def check_played(table: Table, results: list[dict]) -> None:
    """Both received the winner, and both contributed to every roll."""
    match = Match.objects.get(table=table)
    assert match.ending in ("borne_off", "double_dropped")
    assert {result["match"]["winner"] for result in results} == {match.winner_seat}
    records = records_of_json(match_record(match))
    assert verify_match(records, public_key=public_key()) == []
    assert {roll.flags & ABSENT for record in records for roll in record.rolls} == {0}


def test_the_example_stays_short() -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 120
