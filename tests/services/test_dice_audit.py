"""The audit finds nothing in honest dice, and names tampered rows."""

from typing import Any

import pytest
from django.db import transaction

from harness.chains import Client
from harness.fair_tables import play_on, seated
from harness.sitting import Sitting
from ledger.audit import run
from tests.aging import guards_off
from tests.services.test_match_audit import said_in_turns

#: dice that are not the ones that fell.
OTHER = "CASE WHEN dice = '[6, 6]' THEN '[1, 1]'::jsonb ELSE '[6, 6]'::jsonb END"

pytestmark = pytest.mark.django_db(transaction=True)


def findings() -> dict[str, str]:
    """The audit's first finding about the dice, by check; a round in turns must find it, too."""
    found = {
        result.code: result.findings[0].message
        for result in run().results
        if result.findings and result.code.startswith("D")
    }
    in_turns = said_in_turns()
    assert {code for code in in_turns if code.startswith("D")} == set(found)
    assert all(any(message in said for said in in_turns[code]) for code, message in found.items())
    return found


def tamper(statement: str) -> None:
    """Make a change that the database refuses to everybody."""
    with guards_off() as cursor:
        cursor.execute(statement)


@pytest.fixture
def table(magriel, hilde) -> Sitting:
    """A match in which six turns were rolled by both."""
    sitting = seated(magriel, hilde)
    clients = Client(magriel, 0), Client(hilde, 1)
    for client in clients:
        client.begin(sitting.table)
    play_on(sitting, clients, 6)
    return sitting


@pytest.mark.slow
def test_honest_dice_are_in_order(table):
    assert findings() == {}


#: a change, the check that finds it, and the text of the finding
TAMPERED = [
    (f"UPDATE games_diceroll SET dice = {OTHER} WHERE n = 2", "D1", "dice: Roll 2"),
    ("UPDATE games_diceroll SET white = black WHERE n = 1", "D1", "chain_W: Roll 1"),
    ("DELETE FROM games_diceroll WHERE n = 3", "D1", "n_order: Roll 4"),
    ("UPDATE games_gamedice SET house_tip = open_hash", "D1", "open_hash"),
    ("UPDATE games_gamedice SET next_roll = 900", "D1", "rolls are kept of 900"),
    (
        "UPDATE games_tableevent SET payload = jsonb_set(payload, '{dice}', '[7, 7]') "
        "WHERE seq = (SELECT seq FROM games_diceroll WHERE n = 4)",
        "D1",
        "roll 4 is",
    ),
    ("UPDATE games_dicelogentry SET previous = open_hash", "D2", "does not hold the hash"),
    ("UPDATE games_dicelogentry SET number = 7", "D2", "entry 1 is missing"),
]


@pytest.mark.slow
def test_tampering_is_named(table, subtests: Any):
    for change, code, said in TAMPERED:
        with subtests.test(change), transaction.atomic():
            tamper(change)
            assert said in findings()[code]
            transaction.set_rollback(True)
    assert findings() == {}, "nothing of it has stayed"
