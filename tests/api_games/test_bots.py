"""Bots play without stakes only, and those of the examples play whole matches and tournaments."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from django.db.models import QuerySet
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from accounts.models import User
from accounts.tokens import token_make
from backgammon.dice.record import records_of_json
from backgammon.dice.rolls import Flag
from backgammon.dice.verify import verify_match
from backgammon.tests.amounts import LONG
from games.live import delivery
from games.models import GameDice, Match, Table
from games.services.dice.keys import public_key
from games.services.dice.records import match_record
from games.services.people import BotsPlayNormal
from games.services.tables import table_join, table_open
from harness.logins import session_cookie
from harness.processes import Processes
from harness.waiting import PROGRAM_SECONDS, WAIT_SECONDS, wait_until
from ledger.selectors import house_totals
from tests.architecture.sources import ROOT
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.services.offering import offers_keep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def robo(transactional_db: None) -> User:
    return User.objects.create_user("robo", is_bot=True)


def test_a_bot_opens_no_table_with_a_stake(robo) -> None:
    with pytest.raises(BotsPlayNormal):
        table_open(user=robo, mode="prize5", stake_cents=250)
    assert table_open(user=robo, mode="normal").phase == "open"


def test_a_bot_sits_down_at_no_table_with_a_stake(robo, hilde) -> None:
    table = table_open(user=hilde, mode="stake", stake_cents=50)
    with pytest.raises(BotsPlayNormal):
        table_join(user=robo, table_id=table.pk)
    table.refresh_from_db()
    assert table.phase == "open"


def test_a_bot_takes_its_seat_with_its_token(live, robo, hilde) -> None:
    table = table_open(user=robo, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    url = f"{live.replace('http', 'ws')}/ws/table/{table.pk}/"
    token = {"Authorization": f"Bearer {token_make(robo)}"}
    with connect(url, additional_headers=token) as socket:
        assert json.loads(socket.recv(timeout=WAIT_SECONDS))["seat"] == 0
    for header in ({"Authorization": "Bearer pasch_unknown"}, {}):
        with pytest.raises(InvalidStatus), connect(url, additional_headers=header):
            pass


# --- a bot written from docs/protocol.md ----------------------------------------------------------
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


# --- the first bot --------------------------------------------------------------------------------
FIRST_BOT = Path(ROOT) / "examples" / "first_bot.py"


@pytest.mark.slow
@pytest.mark.parametrize("burst", [40.0, 5.0])
def test_two_first_bots_find_each_other_and_play(
    live: str, burst: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the end, also where the house refuses some of their commands as too fast."""
    monkeypatch.setattr(delivery, "FRAMES_BURST", burst)
    programs = []
    for name in ("robo", "tobo"):
        token = token_make(User.objects.create_user(name, is_bot=True))
        command = [
            sys.executable,
            str(FIRST_BOT),
            live,
            "--token",
            token,
            "--variant",
            "hypergammon",
        ]
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


@pytest.mark.slow
def test_the_first_bot_has_some_sixty_lines() -> None:
    assert len(FIRST_BOT.read_text(encoding="utf-8").splitlines()) <= 67


# --- a bot that enters tournaments ----------------------------------------------------------------
TOURNAMENT_BOT = Path(ROOT) / "examples" / "tournament_bot.py"
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
        command = [sys.executable, str(TOURNAMENT_BOT), house.address, "--token", token]
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


def test_the_tournament_bot_stays_short() -> None:
    assert len(TOURNAMENT_BOT.read_text(encoding="utf-8").splitlines()) <= 85
