"""Packs of rolls give back every roll of every kind of game to the letter, and no other."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.models import User
from games.models import DiceRoll, GameDice, Match, RollPack, StoredDiceRoll
from games.services.dice.records import match_record
from games.services.packing import game_pack, table_pack, tables_pack
from games.services.tables import table_wake
from games.table import commands as cmd
from harness.chains import Client
from harness.sitting import Sitting, play_on, seated
from ledger.audit import run
from ledger.seals import books_seal
from tests.aging import guards_off
from tests.racing import racers
from tests.services.packs import (
    NOW,
    as_the_application,
    changes_are_found,
    close,
    execute,
    findings,
    killed,
    rows,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

Clients = tuple[Client, Client]


def both_with_chains(sitting: Sitting, clients: Clients) -> None:
    for client in clients:
        client.begin(sitting.table)
    play_on(sitting, clients, 5)


def nobody(sitting: Sitting, clients: Clients) -> None:
    for _ in range(4):
        sitting.turn()


def only_one_and_that_late(sitting: Sitting, clients: Clients) -> None:
    clients[1].begin(sitting.table)
    sitting.give(0, cmd.Roll())
    table_wake(sitting.pk, now_ms=sitting.state.game.dice_asked.due_ms)
    sitting.turn()
    clients[1].begin(sitting.table)
    for _ in range(4):
        state = sitting.state
        if state.phase == "roll":
            last = state.game.on_roll == 1
            sitting.give(state.game.on_roll, clients[1].roll(sitting.table) if last else cmd.Roll())
        if sitting.state.phase == "rolling":
            clients[1].answer(sitting.table)
        sitting.turn()


def tips_and_nothing_else(sitting: Sitting, clients: Clients) -> None:
    for client in clients:
        client.begin(sitting.table)
    for _ in range(4):
        if sitting.state.phase == "roll":
            sitting.give(sitting.state.game.on_roll, cmd.Roll())
        if sitting.state.phase == "rolling":
            table_wake(sitting.pk, now_ms=sitting.state.game.dice_asked.due_ms)
        sitting.turn()


def one_who_is_away_in_between(sitting: Sitting, clients: Clients) -> None:
    both_with_chains(sitting, clients)
    for _ in range(2):
        while sitting.state.phase != "roll" or sitting.state.game.on_roll != 0:
            play_on(sitting, clients, 1)
        sitting.give(0, clients[0].roll(sitting.table))
        if sitting.state.phase == "rolling":
            table_wake(sitting.pk, now_ms=sitting.state.game.dice_asked.due_ms)
        sitting.turn()
    clients[1].begin(sitting.table)
    play_on(sitting, clients, 3)


def seeds(sitting: Sitting, clients: Clients) -> None:
    for client in clients:
        client.begin(sitting.table)
    for client in clients:
        client.reveal(sitting.table)
    for _ in range(3):
        sitting.turn()


def a_seed_shown_late(sitting: Sitting, clients: Clients) -> None:
    for client in clients:
        client.begin(sitting.table)
    clients[0].reveal(sitting.table)
    sitting.give(0, cmd.Roll())
    table_wake(sitting.pk, now_ms=sitting.state.game.dice_asked.due_ms)
    sitting.turn()
    clients[1].reveal(sitting.table)
    for _ in range(3):
        sitting.turn()


FREE = {"mode": "normal", "stake_cents": 0}
THREE = {"mode": "stake", "stake_cents": 100, "variant": "tabula", "has_cube": False}

#: what happens, the wishes for the table, and the flags of its rolls
KINDS: list[tuple[Callable[[Sitting, Clients], None], dict[str, Any], set[int]]] = [
    (both_with_chains, {}, {0}),
    (both_with_chains, THREE, {0}),
    (nobody, {}, {3}),
    (only_one_and_that_late, {}, {1, 3}),
    (tips_and_nothing_else, {}, {3}),
    (one_who_is_away_in_between, {}, {0, 2}),
    (nobody, FREE, {7}),
    (seeds, FREE, {4}),
    (a_seed_shown_late, FREE, {4, 6}),
]


@pytest.fixture
def fair(magriel: User, hilde: User) -> Sitting:
    """A closed table after some turns with the dice of the house, its rolls under a seal."""
    sitting = seated(magriel, hilde)
    both_with_chains(sitting, (Client(magriel, 0), Client(hilde, 1)))
    close(sitting)
    return sitting


def read() -> Any:
    """The rows, the canonical texts and the records of all rolls."""
    return (
        list(StoredDiceRoll.objects.order_by("id").values()),
        rows("SELECT * FROM ledger_seal_leaves('roll', 0, 1000000) ORDER BY 1"),
        [match_record(match) for match in Match.objects.order_by("started_at")],
    )


@pytest.mark.parametrize(("played", "wishes", "flags"), KINDS)
def test_rolls_of_every_kind_are_the_same_before_and_after(magriel, hilde, played, wishes, flags):
    sitting = seated(magriel, hilde, **wishes)
    played(sitting, (Client(magriel, 0), Client(hilde, 1)))
    close(sitting)
    assert set(DiceRoll.objects.values_list("flags", flat=True)) == flags
    before = read()
    tables_pack(older_than=timedelta(days=-1))  # waiting for parts took the table's clock ahead
    assert RollPack.objects.count() == 1
    assert not DiceRoll.objects.exists()
    assert read() == before
    assert not any(result.findings for result in run(("A11", "D1")).results)


# --- what is packed, and what is not --------------------------------------------------------------


def test_rolls_wait_for_the_pack_of_the_events_and_for_their_seal(magriel, hilde, caplog):
    sitting = seated(magriel, hilde)
    nobody(sitting, (Client(magriel, 0), Client(hilde, 1)))
    game = GameDice.objects.get(next_roll__gt=0)
    assert not game_pack(game.pk)
    assert "the events of its table are not packed" in caplog.text
    close(sitting)
    with guards_off():
        execute("DELETE FROM ledger_seal WHERE stream = 'roll'")
    tables_pack(older_than=NOW)
    assert not RollPack.objects.exists()
    assert not game_pack(game.pk)
    assert "not all of its rolls are sealed" in caplog.text
    books_seal()
    tables_pack(older_than=NOW)
    assert RollPack.objects.get().game == game


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM games_diceroll WHERE n = 2", "not all of its rolls are there"),
        ("UPDATE games_diceroll SET white = black WHERE n = 2", "do not follow"),
        ("UPDATE games_diceroll SET house = white WHERE n = 1", "do not follow"),
        ("UPDATE games_diceroll SET n = 900 WHERE n = 2", "do not follow"),
        ("UPDATE games_diceroll SET flags = 2 WHERE n = 2", "do not follow"),
    ],
)
def test_rolls_that_do_not_fit_stay_in_rows_and_the_log_says_so(fair, caplog, change, said):
    with guards_off():
        execute(change)
    count = DiceRoll.objects.count()
    assert tables_pack(older_than=NOW) == 1
    game_pack(GameDice.objects.get(next_roll__gt=0).pk)
    assert said in caplog.text
    assert DiceRoll.objects.count() == count
    assert "D1" in findings()


# --- the guards -----------------------------------------------------------------------------------

INTO = "INSERT INTO games_rollpack"
MADE = "FROM games_gamedice g, games_roll_pack_of(g.id) made"
FORGED = (
    f"{INTO} SELECT g.id, first_id, last_id, last_at, replace(rolls, '[', '[ '), house, white,"
    f" black {MADE}",
    f"{INTO} SELECT g.id, first_id, last_id, last_at, (rolls::jsonb - -1)::text, house, white,"
    f" black {MADE}",
    f"{INTO} SELECT g.id, first_id, last_id, last_at, rolls, house, black, white {MADE}",
    f"{INTO} SELECT g.id, first_id, last_id + 1, last_at, rolls, house, white, black {MADE}",
)


@pytest.fixture
def unpacked(fair: Sitting) -> Sitting:
    """The same, with the events packed and the rolls in rows."""
    assert table_pack(fair.pk, timezone.now() + timedelta(days=1))
    assert DiceRoll.objects.exists()
    return fair


def test_a_pack_that_differs_from_the_rolls_is_refused(unpacked):
    for statement in FORGED:
        with pytest.raises(DatabaseError, match="differs from its rolls"):
            execute(statement)
    with pytest.raises(DatabaseError, match="still in rows"):
        execute(f"{INTO} SELECT g.id, made.* {MADE}")
    assert not RollPack.objects.exists()


def test_rolls_that_no_pack_holds_are_not_deleted(unpacked):
    with pytest.raises(DatabaseError, match="is in no pack"):
        execute("DELETE FROM games_diceroll")
    with guards_off():
        execute(FORGED[2])
    with pytest.raises(DatabaseError, match="is in no pack"):
        execute("DELETE FROM games_diceroll")
    assert {"A11", "D1"} <= findings().keys()


def test_packs_stay_and_their_rolls_are_not_written_again(fair):
    roll = DiceRoll.objects.order_by("n").values().last()
    tables_pack(older_than=NOW)
    for statement in ("DELETE FROM games_rollpack", "UPDATE games_rollpack SET rolls = '[]'"):
        with pytest.raises(DatabaseError, match="refused"):
            execute(statement)
    for n in (roll["n"], roll["n"] + 1):
        with pytest.raises(DatabaseError, match="still in rows"):
            DiceRoll.objects.create(**{**roll, "id": None, "n": n})
    assert not DiceRoll.objects.exists()


def test_the_application_packs_by_the_function_alone(unpacked):
    with as_the_application():
        for statement in (
            "DELETE FROM games_diceroll",
            "UPDATE games_diceroll SET seq = seq",
            f"{INTO} SELECT g.id, made.* {MADE}",
        ):
            with pytest.raises(DatabaseError, match="permission denied"):
                execute(statement)
        tables_pack(older_than=NOW)
    assert not DiceRoll.objects.exists()


SET_ROLL = "UPDATE games_rollpack SET rolls = jsonb_set(rolls::jsonb, '{2,%s}', '%s')::text"
CHANGES = {
    SET_ROLL % (5, "[7, 7]"): {"A11", "D1"},
    SET_ROLL % (2, "1"): {"A11", "D1"},
    "UPDATE games_rollpack SET white = black": {"A11", "D1"},
    "DELETE FROM games_rollpack": {"A11", "D1"},
}


def test_the_ids_and_the_last_moment_of_a_pack_are_those_of_its_rolls(fair):
    tables_pack(older_than=NOW)
    with guards_off():
        for change in (
            "first_id = first_id + 1",
            "last_id = last_id + 1",
            "last_at = now()",
            "rolls = '[]'",
            "rolls = (rolls::jsonb - -1)::text",
        ):
            with pytest.raises(DatabaseError, match="roll_pack_has_its_span"):
                execute(f"UPDATE games_rollpack SET {change}")


def test_a_changed_pack_is_found(fair):
    tables_pack(older_than=NOW)
    changes_are_found(CHANGES, ("A11", "D1"))


# --- crashes and races ----------------------------------------------------------------------------

DYING = """
import os, sys, psycopg
with psycopg.connect(sys.argv[1]) as house:
    packed = house.execute("SELECT games_rolls_pack(%s)", [sys.argv[2]]).fetchone()
    print(packed, house.execute("SELECT count(*) FROM games_diceroll").fetchone(), flush=True)
    os.kill(os.getpid(), 9)
"""


def test_a_process_that_is_killed_in_the_middle_leaves_the_rows(unpacked):
    before = read()
    game = DiceRoll.objects.values_list("game", flat=True).first()
    assert killed(DYING, game) == "(True,) (0,)\n"
    assert not RollPack.objects.exists()
    with transaction.atomic():  # until the server has noticed the death
        GameDice.objects.select_for_update().get(pk=game)
    tables_pack(older_than=NOW)
    assert RollPack.objects.exists()
    assert read() == before


def test_two_that_pack_at_once_pack_every_game_once(unpacked):
    game = DiceRoll.objects.values_list("game", flat=True).first()
    before = read()
    with racers() as race:
        assert sorted(race([lambda: game_pack(game)] * 2)) == [False, True]
    assert read() == before
    assert findings() == {}


def test_a_game_whose_rolls_are_being_written_is_passed_over(unpacked):
    game = DiceRoll.objects.values_list("game", flat=True).first()
    with racers() as race, transaction.atomic():
        execute("SELECT FROM games_gamedice WHERE id = %s FOR KEY SHARE", game)
        assert race([lambda: game_pack(game)]) == [False]
    assert game_pack(game)


def test_a_roll_that_was_written_beside_the_pack_is_refused_when_it_ends(unpacked):
    roll = DiceRoll.objects.order_by("n").values().last()
    before = read()

    def written_while_packed() -> list[Any]:
        with racers() as race, transaction.atomic():
            DiceRoll.objects.create(**{**roll, "id": None, "n": roll["n"] + 1})
            return race([lambda: game_pack(roll["game_id"])])

    with pytest.raises(DatabaseError, match="still in rows"):
        written_while_packed()
    assert RollPack.objects.exists()
    assert read() == before


def test_a_roll_that_is_looked_at_early_keeps_the_pack_away(unpacked):
    roll = DiceRoll.objects.order_by("n").values().last()
    with racers() as race, transaction.atomic():
        execute("SET CONSTRAINTS games_roll_pack_alone IMMEDIATE")
        DiceRoll.objects.create(**{**roll, "id": None, "n": roll["n"] + 1})
        assert race([lambda: game_pack(roll["game_id"])]) == [False]
    assert not RollPack.objects.exists()


def test_no_roll_is_written_by_an_old_snapshot(unpacked):
    roll = DiceRoll.objects.order_by("n").values().last()

    def written_by_an_old_snapshot() -> None:
        with racers() as race, transaction.atomic():
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            assert DiceRoll.objects.count()
            assert race([lambda: game_pack(roll["game_id"])]) == [True]
            DiceRoll.objects.create(**{**roll, "id": None})

    with pytest.raises(DatabaseError, match="READ COMMITTED"):
        written_by_an_old_snapshot()


def test_rolls_that_were_left_are_packed_by_the_next_run(unpacked):
    assert tables_pack(older_than=NOW) == 0
    assert (RollPack.objects.count(), DiceRoll.objects.count()) == (1, 0)


def test_a_query_for_one_game_unpacks_no_other(fair):
    tables_pack(older_than=NOW)
    game = GameDice.objects.get(next_roll__gt=0)
    with transaction.atomic():
        execute("SET LOCAL enable_seqscan = off")
        plan = game.rolls.order_by("n").explain()
    assert "games_rollpack_pkey" in plan
    assert "roll_number_once" in plan
