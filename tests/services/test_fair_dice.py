"""Dice at real tables: requested, combined, stored once, published, and checked by anybody."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, connections, transaction

from accounts.models import User
from backgammon.dice.record import records_of_json
from backgammon.dice.signed_match import verify_dice
from backgammon.dice.verify import verify_match
from backgammon.formats.registry import parse_match
from backgammon.tests.amounts import amount
from games.models import ChatMessage, DiceLogEntry, DiceRoll, GameDice, Match, TableEvent
from games.services import archive, commit
from games.services.chat import MESSAGES_MAX, TalksTooFast, message_say
from games.services.dice.keys import public_key, secret_show
from games.services.dice.parts import ROLL_WAIT_MS, DiceRefused
from games.services.dice.records import match_record
from games.services.tables import table_join, table_open, table_wake
from games.table import commands as cmd
from games.table.errors import Busy, MayNotDouble, NotSeated, WrongPhase
from games.wire import DiceElement
from harness.chains import Client
from harness.sitting import Sitting, play_on, seated
from tests.racing import RACERS, racers

pytestmark = pytest.mark.django_db(transaction=True)

OFFLINE = Path(__file__).resolve().parents[2] / "static" / "fairness" / "verify.py"


@pytest.fixture
def table(magriel: User, hilde: User) -> Sitting:
    """A prize match, where both keep chains."""
    return seated(magriel, hilde)


@pytest.fixture
def clients(magriel: User, hilde: User) -> tuple[Client, Client]:
    """The programs of the two players."""
    return Client(magriel, 0), Client(hilde, 1)


def failures(match: Match) -> list[str]:
    """The errors of the record of a match, by name."""
    records = records_of_json(match_record(match))
    return [failure.name for failure in verify_match(records, public_key=public_key())]


# --- a game --------------------------------------------------------------------------------------


def test_the_house_is_bound_before_anybody_has_given_anything(table):
    dice = GameDice.objects.get()
    assert table.table.fair["house"] == bytes(dice.house_tip).hex()
    assert [side["value"] for side in dice.sides] == [None, None]
    assert dice.open_hash is None
    assert secret_show(dice.id, bytes(dice.house_secret)) not in bytes(dice.house_secret)


@pytest.mark.slow
def test_a_roll_waits_for_the_opponents_part_and_then_falls(table, clients):
    for client in clients:
        client.begin(table.table)
    assert table.table.fair["open"] is not None
    table.give(0, clients[0].roll(table.table))
    assert table.state.phase == "rolling"
    assert table.table.fair["wanted"] == [False, True]
    assert table.state.clock.running is None
    assert DiceRoll.objects.count() == 0
    clients[1].answer(table.table)
    roll = DiceRoll.objects.get()
    assert (roll.n, roll.flags) == (0, 0)
    assert table.state.game.dice == tuple(roll.dice)
    assert table.state.phase == "play"
    assert failures(Match.objects.get()) == []


@pytest.mark.slow
def test_while_a_roll_waits_nothing_else_can_be_done_but_leave(table, clients):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    for command in (cmd.Roll(), cmd.OfferResignation(level=1), cmd.StandUp()):
        with pytest.raises(WrongPhase):
            table.give(0, command)
    with pytest.raises(MayNotDouble) as refused:  # which holds for the whole turn
        table.give(0, cmd.Double())
    assert refused.value.fields["reason"] == "first_turn"
    table.give(0, cmd.Leave())
    assert table.state.phase == "over"
    assert table.state.match.result.winner == 1


@pytest.mark.slow
def test_the_record_of_many_turns_is_believed_here_and_offline(table, clients, tmp_path):
    for client in clients:
        client.begin(table.table)
    turns = amount(10, long=24)
    play_on(table, clients, turns)
    match = Match.objects.get()
    told = match_record(match)
    assert len(told["games"][0]["rolls"]) >= turns
    assert {roll["flags"] for roll in told["games"][0]["rolls"]} == {0}
    assert failures(match) == []
    path = tmp_path / "record.json"
    path.write_text(json.dumps(told))
    assert subprocess.run([sys.executable, OFFLINE, path], capture_output=True).returncode == 0
    told["games"][0]["rolls"][3]["dice"].reverse()
    told["games"][0]["rolls"][3]["dice"][0] = told["games"][0]["rolls"][3]["dice"][0] % 6 + 1
    path.write_text(json.dumps(told))
    assert subprocess.run([sys.executable, OFFLINE, path], capture_output=True).returncode == 1


def test_the_file_of_a_match_that_ended_is_signed_with_its_dice(table, client, magriel, tmp_path):
    for _ in range(4):
        table.turn()
    table.give(0, cmd.Leave())
    match = Match.objects.get()
    client.force_login(magriel)
    text = client.get(f"/match/{match.pk}/json/").content.decode()
    assert parse_match(text) == archive.match_record(match)
    assert verify_dice(text, public_key=public_key()) == []
    path = tmp_path / "match.json"
    command = [sys.executable, OFFLINE, path, "--key", public_key().hex()]
    path.write_text(text)
    assert subprocess.run(command, capture_output=True).returncode == 0
    path.write_text(text.replace("hilde", "eve"))
    assert subprocess.run(command, capture_output=True).returncode == 1


def test_without_any_client_dice_fall_at_once_and_say_so(table):
    table.turn()
    assert DiceRoll.objects.order_by("n").first().flags == 3
    assert failures(Match.objects.get()) == []


@pytest.mark.slow
def test_seeds_are_bound_revealed_and_used(magriel, hilde, clients):
    table = seated(magriel, hilde, mode="normal", stake_cents=0)
    assert table.table.fair["mode"] == "K"
    clients[0].begin(table.table)
    with pytest.raises(DiceRefused):
        clients[0].reveal(table.table)  # the other player is not bound yet
    clients[1].begin(table.table)
    for client in clients:
        client.reveal(table.table)
    table.turn()
    assert DiceRoll.objects.first().flags == 4
    assert failures(Match.objects.get()) == []


@pytest.mark.slow
def test_a_seed_told_late_counts_from_then_on(magriel, hilde, clients):
    table = seated(magriel, hilde, mode="normal", stake_cents=0)
    for client in clients:
        client.begin(table.table)
    clients[0].reveal(table.table)
    table.give(0, cmd.Roll())
    table_wake(table.pk, now_ms=table.state.game.dice_asked.due_ms)
    clients[1].reveal(table.table)
    table.turn()
    table.turn()
    assert [roll.flags for roll in DiceRoll.objects.order_by("n")][:2] == [6, 4]
    assert failures(Match.objects.get()) == []


@pytest.mark.parametrize("variant", ["tabula", "long_nardi"])
def test_every_count_of_dice_is_believed(magriel, hilde, clients, variant):
    table = seated(magriel, hilde, mode="stake", stake_cents=100, variant=variant, has_cube=False)
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    clients[1].answer(table.table)
    assert len(DiceRoll.objects.get().dice) == table.state.variant.dice_count
    assert failures(Match.objects.get()) == []


# --- absence -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_who_does_not_answer_is_absent_openly_and_waited_for_once(table, clients):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    asked = table.state.game.dice_asked
    assert not table_wake(table.pk, now_ms=asked.due_ms - 1)
    assert table_wake(table.pk, now_ms=asked.due_ms)
    assert DiceRoll.objects.get().flags == 2
    assert table.table.fair["wanted"] == [True, False]
    table.turn()  # hilde rolls next, and magriel's client is the only one waited for
    assert failures(Match.objects.get()) == []


@pytest.mark.slow
def test_who_comes_back_is_waited_for_again(table, clients):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    table_wake(table.pk, now_ms=table.state.game.dice_asked.due_ms)
    clients[1].begin(table.table)  # the same tip once more: the player is present
    assert table.table.fair["wanted"] == [True, True]
    play_on(table, clients, 4)
    flags = [roll.flags for roll in DiceRoll.objects.order_by("n")]
    assert flags == [2] + [0] * (len(flags) - 1)
    assert failures(Match.objects.get()) == []


def test_the_first_roll_waits_for_whoever_is_still_coming(table, clients):
    clients[0].begin(table.table)
    table.give(0, cmd.Roll())
    assert table.state.phase == "rolling"
    clients[0].answer(table.table)
    clients[1].begin(table.table)
    assert table.table.fair["wanted"] == [False, True]
    clients[1].answer(table.table)
    assert table.state.phase == "play"
    assert DiceRoll.objects.get().flags == 0
    assert failures(Match.objects.get()) == []


def test_who_never_comes_is_absent_and_not_waited_for_again(table, clients):
    clients[0].begin(table.table)
    table.give(0, cmd.Roll())
    table_wake(table.pk, now_ms=table.state.game.dice_asked.due_ms)
    assert DiceRoll.objects.get().flags == 3
    assert table.table.fair["wanted"] == [False, False]
    assert failures(Match.objects.get()) == []


def test_a_second_device_cannot_take_over_a_chain(table, clients, hilde):
    clients[1].begin(table.table)
    with pytest.raises(DiceRefused):
        Client(hilde, 1).begin(table.table)


# --- what is refused -----------------------------------------------------------------------------


def test_parts_that_do_not_fit_change_nothing(table, clients, tilo, magriel):
    for client in clients:
        client.begin(table.table)
    with pytest.raises(DiceRefused):
        clients[1].answer(table.table)  # no roll waits
    table.give(0, clients[0].roll(table.table))
    before = GameDice.objects.get().sides
    fair = table.table.fair
    for n, element in ((0, "00" * 32), (1, clients[1].element(fair, 1)), (0, fair["given"][1])):
        frame = DiceElement(game=GameDice.objects.get().id, n=n, element=element)
        with pytest.raises(DiceRefused):
            clients[1].give(table.table, frame)
    with pytest.raises(NotSeated):
        Client(tilo, 1).begin(table.table)
    assert GameDice.objects.get().sides == before
    assert table.state.phase == "rolling"


def test_once_open_nobody_can_join(table, clients):
    table.turn()
    with pytest.raises(DiceRefused):
        clients[0].begin(table.table)


def test_the_wrong_element_with_a_roll_refuses_the_roll(table, clients):
    for client in clients:
        client.begin(table.table)
    seq = table.table.seq
    with pytest.raises(DiceRefused):
        table.give(0, cmd.Roll(element="ab" * 32))
    assert table.table.seq == seq


# --- what stays ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games_diceroll SET dice = '[6, 6]'",
        "DELETE FROM games_diceroll",
        "UPDATE games_gamedice SET house_tip = '\\x00'",
        "UPDATE games_gamedice SET open_hash = '\\x00'",
        "UPDATE games_gamedice SET terms = '{}'",
        "UPDATE games_gamedice SET next_roll = 0",
        "UPDATE games_gamedice SET sides = jsonb_set(sides, '{0,value}', '\"00\"')",
        "DELETE FROM games_gamedice",
        "UPDATE games_dicelogentry SET hash = '\\x00'",
        "DELETE FROM games_dicelogentry",
    ],
)
def test_the_database_keeps_what_was_fixed(table, clients, change):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    clients[1].answer(table.table)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)


def test_openings_are_linked_in_one_log(magriel, hilde, tilo):
    for guest in (hilde, tilo):
        seated(magriel, guest).turn()
    one, two = DiceLogEntry.objects.order_by("number")
    assert (one.number, two.number) == (1, 2)
    assert bytes(two.previous) == bytes(one.hash)
    for match in Match.objects.all():
        assert failures(match) == []


def test_nothing_of_a_coming_roll_can_be_read(table, clients):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    dice = GameDice.objects.get()
    secret = secret_show(dice.id, bytes(dice.house_secret))
    told = json.dumps([table.table.fair, table.table.state, match_record(Match.objects.get())])
    assert secret.hex() not in told
    assert clients[0].element(table.table.fair, 0) not in told


def test_a_game_without_end_counts_for_nothing(table, magriel, hilde):
    """The chains have 1,024 elements; no game has been that long."""
    table.turn()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_gamedice SET next_roll = 1024")
    state = table.state
    if state.phase == "play":  # the dice of the last roll are still to be played
        table.turn()
    if table.state.phase == "roll":
        table.give(table.state.game.on_roll, cmd.Roll())
    assert table.state.match.result.ending == "voided"
    assert table.balances() == (10_000, 10_000)
    assert not DiceRoll.objects.filter(n__gte=1024).exists()


def test_the_wait_is_no_longer_than_said(table, clients):
    for client in clients:
        client.begin(table.table)
    table.give(0, clients[0].roll(table.table))
    asked = [e for e in table.table.events.all() if e.type == "dice_asked_for"][-1].payload
    assert asked["due_ms"] - asked["at_ms"] == ROLL_WAIT_MS


# --- locks besides that of the table --------------------------------------------------------------
#: the lock of the dice log (games/migrations/sql/dice.sql)
HOLD = "SELECT pg_advisory_{}(hashtextextended('dice log', 0))"


def test_who_speaks_at_two_tables_at_once_is_counted_once(sitting, tilo):
    """The limit counts per author, over all their connections."""
    other = table_open(user=tilo, mode="prize5", stake_cents=250).pk
    tables = (sitting.pk, other)

    def say(number: int) -> object:
        return message_say(
            table_id=tables[number % 2], user_id=tilo.pk, client_id=str(number), text="hello"
        )

    with racers() as race:
        said = race([partial(say, number) for number in range(RACERS)])
    refused = [each for each in said if isinstance(each, TalksTooFast)]
    assert len(refused) == RACERS - MESSAGES_MAX
    assert ChatMessage.objects.count() == MESSAGES_MAX


def test_a_log_of_dice_that_is_held_makes_the_table_busy_and_changes_nothing(
    magriel, hilde, monkeypatch
):
    monkeypatch.setattr(commit, "LOCK_TIMEOUT", "50ms")
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    sitting, before = Sitting(table, (magriel, hilde)), TableEvent.objects.count()
    holder = connections.create_connection("default")
    try:
        with holder.cursor() as cursor:
            cursor.execute(HOLD.format("lock"))
            with pytest.raises(Busy):
                sitting.turn()
            cursor.execute(HOLD.format("unlock"))
    finally:
        holder.close()
    assert TableEvent.objects.count() == before
    sitting.turn()
    assert TableEvent.objects.count() > before
