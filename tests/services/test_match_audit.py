"""The audit finds nothing in an honest house, and names tampered rows."""

import sys
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Match, Table, TableEvent
from games.table import commands as cmd
from harness.chains import Client
from harness.sitting import Sitting, play_on, seated
from ledger.audit import AuditMark, AuditReport, AuditTurn, run
from ledger.models import Transfer
from ratings.models import RatingChange
from tests.aging import guards_off

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def findings() -> dict[str, list[str]]:
    """The audit's findings about tables, matches and ratings, by check.

    Everything here has just happened, so the audit of new rows must find the same; and a round of
    audits in turns must find it among old rows.
    """
    everything, news = run(), run(since=AuditMark(0, timezone.now()))
    assert _said(news) == _said(everything)
    assert said_in_turns() == {code: set(said) for code, said in _said(everything).items()}
    return _said(everything)


def said_in_turns() -> dict[str, set[str]]:
    """What a round of three nights finds where nothing is new."""
    nothing_new = AuditMark(sys.maxsize, timezone.now() + timedelta(days=1))
    found: dict[str, set[str]] = {}
    for part in range(3):
        for code, said in _said(run(since=nothing_new, turn=AuditTurn((part,), 3))).items():
            found.setdefault(code, set()).update(said)
    return found


def _said(report: AuditReport) -> dict[str, list[str]]:
    found = {}
    for result in report.results:
        if result.findings:
            found[result.code] = [f"{f.row}: {f.message}" for f in result.findings]
    return found


@pytest.fixture
def left(sitting, dice):
    """A match that the guest left."""
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    return sitting


def test_running_voided_and_ended_matches_are_in_order(sitting):
    assert findings() == {}
    sitting.give(0, cmd.StandUp())
    assert findings() == {}


def test_an_ended_match_is_in_order(left):
    assert findings() == {}


def test_a_forged_state_is_named(left):
    Table.objects.filter(pk=left.pk).update(state={"seq": 7})
    assert findings() == {"M1": [f"table {left.pk}: its stored state differs from its events"]}


def test_a_forged_event_is_named(left):
    with guards_off():
        row = TableEvent.objects.get(table_id=left.pk, type="player_left")
        TableEvent.objects.filter(pk=row.pk).update(payload={**row.payload, "type": "nonsense"})
    assert list(findings()) == ["M1", "M5"]


def test_a_missing_event_is_named(left):
    with guards_off():
        TableEvent.objects.filter(table_id=left.pk, seq=5).delete()
    assert list(findings()) == ["M1"]


def test_another_winner_is_named(left):
    match = Match.objects.get()
    Match.objects.update(winner_seat=1)
    found = findings()
    assert set(found) == {"M2", "M3", "M5"}
    assert all(line.startswith(match.reference) for lines in found.values() for line in lines)


def test_a_match_that_never_moved_credits_is_named(left):
    match = Match.objects.get()
    match.pk, match.number = "00000000-0000-4000-8000-00000000dead", 2
    match.save(force_insert=True)
    assert set(findings()) == {"M2", "M3", "M5"}


def test_a_rating_without_a_match_is_named(left):
    with guards_off():
        RatingChange.objects.update(reference="match:nobody-knows-it")
    assert "M3" in findings()


def test_old_matches_are_left_to_the_night_until_somebody_books_about_them(left):
    with guards_off():
        RatingChange.objects.update(reference="match:nobody-knows-it")
        Table.objects.update(state={"seq": 7})
    tomorrow = AuditMark(Transfer.objects.latest("pk").pk, timezone.now() + timedelta(days=1))
    assert _said(run(since=tomorrow)) == {}
    assert set(_said(run(since=AuditMark(0, tomorrow.moment)))) == {"M3", "M5"}


# --- dice -----------------------------------------------------------------------------------------
#: dice that are not the ones that fell.
OTHER = "CASE WHEN dice = '[6, 6]' THEN '[1, 1]'::jsonb ELSE '[6, 6]'::jsonb END"


def dice_findings() -> dict[str, str]:
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


def test_honest_dice_are_in_order(table):
    assert dice_findings() == {}


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


def test_tampering_is_named(table, subtests: Any):
    for change, code, said in TAMPERED:
        with subtests.test(change), transaction.atomic():
            tamper(change)
            assert said in dice_findings()[code]
            transaction.set_rollback(True)
    assert dice_findings() == {}, "nothing of it has stayed"
