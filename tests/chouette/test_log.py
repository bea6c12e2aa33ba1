"""Every opening of a chouette has its line in the public log, in the transaction that opens it."""

import json
import subprocess
import sys
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client

from accounts.models import User
from backgammon.dice.chain import chain_tip
from backgammon.dice.opening import log_hash
from games.chouette import commands as cmd
from games.chouette.models import Game, Roll
from games.chouette.pace import FIRST_ROLL_MS, PAUSE_MS
from games.chouette.services.playing import chouette_move_on
from games.models import DiceLogEntry
from games.services import commit
from games.table.errors import Busy
from harness.chouettes import Hands
from harness.sitting import seated
from harness.wallets import credits_bought
from ledger.audit import run as audit
from tests.aging import guards_off
from tests.architecture.sources import ROOT

LONG_MS = 600_000
VERIFY = ROOT / "static" / "fairness" / "verify.py"


@pytest.fixture
def hands(people) -> Hands:
    """A chouette whose first roll waits for the parts, for as long as a test may take."""
    hands = Hands(people(3))
    hands.later(PAUSE_MS)
    hands.later(-LONG_MS)
    return hands


def opened(hands: Hands) -> Game:
    """Box and captain give their parts: with the second one the dice are open."""
    game = Game.objects.get(circle=hands.circle)
    for player, role in ((game.box_id, b"W"), (game.captain_id, b"B")):
        tip = chain_tip(UUID(game.key).bytes, role, bytes([player % 256]) * 32)
        hands.do(player, cmd.Tip(game=game.key, tip=tip.hex()))
    game.refresh_from_db()
    return game


def two_open() -> None:
    """The dice of a table for two are opened."""
    one, two = (User.objects.create_user(name) for name in ("magriel", "hilde"))
    for each in (one, two):
        credits_bought(each, 1_000)
    seated(one, two).turn()


def lines() -> list[str]:
    return Client().get("/fair/log.txt").content.decode().splitlines()


def test_an_opening_is_in_the_public_log_before_any_roll(hands):
    assert lines() == []
    game = opened(hands)
    assert not Roll.objects.exists()
    (line,) = lines()
    number, opening, entry = line.split()[:3]
    assert (number, opening) == ("1", bytes(game.open_hash).hex())
    assert entry == log_hash(1, bytes(32), bytes(game.open_hash)).hex()


def test_chouettes_and_tables_for_two_have_one_log_that_anybody_can_check(people, chance, tmp_path):
    magriel, hilde, *four = people(6)
    seated(magriel, hilde).turn()
    hands = Hands(four)
    for _ in range(2):
        hands.begin()
        hands.do(hands.view()["people"][0]["id"], cmd.StandUpNow())  # the box: the game is over
    seated(hilde, magriel).turn()
    log, record = tmp_path / "log.txt", tmp_path / "record.json"
    log.write_text("\n".join(lines()))
    record.write_bytes(Client().get(f"/chouette/{hands.circle.pk}/dice.json").content)
    told = json.loads(record.read_text())["games"]
    assert [game["log"]["number"] for game in told] == [2, 3]
    done = subprocess.run(
        [sys.executable, VERIFY, record, "--log", log], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every game stands in the public log" in done.stdout
    assert audit_findings() == {}


def test_what_is_not_committed_is_not_in_the_log(hands):
    with transaction.atomic():
        Game.objects.update(open_hash=b"\x01" * 32, signature=b"\x02" * 64)
        assert len(lines()) == 1
        transaction.set_rollback(True)
    assert lines() == []


def test_a_log_that_is_held_makes_the_table_busy_and_changes_nothing(hands, monkeypatch):
    monkeypatch.setattr(commit, "LOCK_TIMEOUT", "50ms")
    before = hands.row().seq
    holder = connections.create_connection("default")
    hold = "SELECT pg_advisory_{}(hashtextextended('dice log', 0))"
    try:
        with holder.cursor() as cursor:
            cursor.execute(hold.format("lock"))
            with pytest.raises(Busy):
                opened(hands)
            with pytest.raises(Busy):
                hands.later(LONG_MS + FIRST_ROLL_MS)
    finally:
        with holder.cursor() as cursor:
            cursor.execute(hold.format("unlock"))
        holder.close()
    assert (hands.row().seq, lines(), Roll.objects.count()) == (before, [], 0)
    assert chouette_move_on(hands.circle.pk)
    assert len(lines()) == 1


#: changes that the database refuses to everybody.
REFUSED = [
    "UPDATE chouette_game SET log_entry_id = NULL",
    "UPDATE chouette_game SET open_hash = NULL, signature = NULL, log_entry_id = NULL",
    "DELETE FROM games_dicelogentry",
    "UPDATE games_dicelogentry SET open_hash = hash",
    "SELECT games_opening_append(NULL, '\\x00')",
    "INSERT INTO games_dicelogentry SELECT 7, NULL, open_hash, previous, hash, now()"
    " FROM games_dicelogentry",
]


@pytest.mark.parametrize("change", REFUSED)
def test_the_database_keeps_each_opening_with_its_line(hands, change):
    opened(hands)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)


def test_a_game_takes_no_line_of_another(hands):
    two_open()
    with pytest.raises(DatabaseError), transaction.atomic():
        Game.objects.update(
            open_hash=b"\x01" * 32, signature=b"\x02" * 64, log_entry=DiceLogEntry.objects.get()
        )


DROP_CHECK = "ALTER TABLE chouette_game DROP CONSTRAINT chouette_game_logged_before_rolls"
#: a change past the guards, and what the audit says of it.
TAMPERED = [
    ("DELETE FROM games_dicelogentry", "D2", "the log has no entry of it"),
    ("UPDATE chouette_game SET log_entry_id = NULL", "D2", "it is the opening of 0 games"),
    ("UPDATE games_dicelogentry SET open_hash = hash", "D2", "it is not the opening of game"),
    ("UPDATE games_dicelogentry SET previous = open_hash", "K1", "public log"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("change", "code", "said"), TAMPERED)
def test_the_audit_compares_chouettes_with_the_log(hands, change, code, said):
    opened(hands)
    assert audit_findings() == {}
    with transaction.atomic():
        with guards_off() as cursor:
            cursor.execute(f"{DROP_CHECK}; {change}")
            found = audit_findings()
        transaction.set_rollback(True)
    assert said in " ".join(found[code]), found


def audit_findings() -> dict[str, list[str]]:
    """What the audit says about dice and chouettes, by check."""
    return {
        result.code: [finding.message for finding in result.findings]
        for result in audit().results
        if result.findings and result.code[0] in "DK"
    }
