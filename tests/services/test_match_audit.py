"""The audit finds nothing in an honest house, and names tampered rows."""

import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Table, TableEvent
from games.table import commands as cmd
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
