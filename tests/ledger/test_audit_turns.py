"""The audit in turns: new damage is found at once, old damage within a round."""

import io
from datetime import UTC, date, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import User
from kit.periodic import PERIODIC
from ledger.audit import AuditMark, AuditReport, AuditTurn, run
from ledger.audit_turns import turn_due, turn_of
from ledger.models import AuditRun, Seal, Transfer
from ledger.seal_places import streams
from ledger.selectors_desk import audit_latest, audit_latest_in_turns, audit_latest_recent
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.tasks import audit, audit_in_turns
from tests.ledger.test_audit import DAMAGE, faulted, unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROUND = 3
DAY = timedelta(days=1)
HISTORIC = 12
"""Matches of each kind that are old."""


def seal() -> None:
    """Seal all streams inside the test's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_seal_append(s, 1000000000000) FROM unnest(%s::text[]) s",
            [[stream.name for stream in streams()]],
        )


def aged(days: int) -> None:
    """Move every seal and every audit into the past."""
    with unguarded() as execute:
        execute(f"UPDATE ledger_seal SET created_at = created_at - interval '{days} days'")
        execute(f"UPDATE ledger_auditrun SET started_at = started_at - interval '{days} days'")
        execute("DELETE FROM ledger_seal WHERE stream = 'audit'")
    seal()


@pytest.fixture
def old(magriel: User, hilde: User, settings: pytest.FixtureRequest) -> None:
    """Many old matches that were audited, one that is still played, and a round of three days."""
    settings.LEDGER_AUDIT_ROUND_DAYS = ROUND
    for number in range(HISTORIC):
        reference = f"match:{number}"
        stakes_escrow(reference=reference, stakes={magriel.pk: 250, hilde.pk: 250})
        escrow_resolve(reference=reference, payouts={hilde.pk: 450}, rake_cents=50, kind="result")
    stakes_escrow(reference="match:running", stakes={magriel.pk: 250, hilde.pk: 250})


def mark() -> AuditMark:
    """All of the books is old."""
    return AuditMark(Transfer.objects.latest("pk").pk, timezone.now() + DAY)


def in_turns(parts: tuple[int, ...], since: AuditMark | None = None) -> AuditReport:
    return run(since=since or mark(), turn=AuditTurn(parts, ROUND))


def test_every_part_of_an_honest_house_is_without_findings(old: None) -> None:
    for part in range(ROUND):
        report = in_turns((part,))
        assert report.finding_count == 0
        assert report.totals == run().totals


def test_every_check_is_made(old: None) -> None:
    assert [each.code for each in in_turns((0,)).results] == [each.code for each in run().results]


@pytest.mark.parametrize(
    ("code", "statement"), [(code, sql) for code, each in DAMAGE.items() for sql in each]
)
def test_damage_to_an_old_row_is_found_within_a_round(
    code: str, statement: str, magriel: User, hilde: User, settings: pytest.FixtureRequest
) -> None:
    for number in (1, 2):
        stakes_escrow(reference=f"match:{number}", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    with unguarded() as execute:
        execute(statement)
    found = [faulted(in_turns((part,))) for part in range(ROUND)]
    assert code in set().union(*found)


def test_damage_to_an_old_row_waits_for_its_part(old: None) -> None:
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:1:resolve'")
    found = ["A14" in faulted(in_turns((part,))) for part in range(ROUND)]
    assert sorted(found) == [False, False, True]


def test_damage_to_a_new_row_is_found_at_once(old: None) -> None:
    before = mark().transfer_id
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:running:open'")
    since = AuditMark(before - 1, timezone.now() - DAY)
    assert all("A14" in faulted(in_turns((part,), since)) for part in range(ROUND))


# --- what an audit goes on from ------------------------------------------------------------------


def test_without_an_earlier_audit_everything_is_due(old: None) -> None:
    assert turn_due(timezone.now()) is None
    audit_in_turns()
    latest = audit_latest()
    assert latest is not None
    assert latest.since_at is None


def test_the_row_says_what_it_covered(old: None) -> None:
    audit()
    aged(1)
    assert audit_in_turns() == 0
    row = audit_latest_in_turns()
    assert row is not None
    today = timezone.now().astimezone(UTC).date().toordinal() % ROUND
    assert row.report["turn"] == {"parts": [today], "of": ROUND}
    assert row.since_at is not None
    assert audit_latest_recent() is None
    whole = audit_latest()
    assert whole is not None
    assert "turn" not in whole.report


def test_each_day_has_its_part_and_missed_days_are_made_up(settings: pytest.FixtureRequest) -> None:
    settings.LEDGER_AUDIT_ROUND_DAYS = 7
    today = date(2026, 11, 20)
    own = today.toordinal() % 7
    assert turn_of(today - DAY, today) == AuditTurn((own,), 7)
    assert turn_of(today, today) == AuditTurn((own,), 7)
    assert turn_of(today - 3 * DAY, today).parts == tuple(
        sorted({own, (own - 1) % 7, (own - 2) % 7})
    )
    assert turn_of(today - 30 * DAY, today).parts == tuple(range(7))
    assert {turn_of(today, today + n * DAY).parts[-1] for n in range(7)} >= {own}


def test_an_audit_that_was_changed_or_never_sealed_is_none_to_go_on_from(old: None) -> None:
    audit()
    assert turn_due(timezone.now()) is None, "its row has no seal yet"
    aged(1)
    assert turn_due(timezone.now()) is not None
    with unguarded() as execute:
        execute("UPDATE ledger_auditrun SET sealed_to = 1000000")
    assert turn_due(timezone.now()) is None, "its seal does not fit any more"


def test_a_forged_audit_hides_nothing_of_the_last_day(old: None, magriel: User) -> None:
    """The row is forged and sealed by the house itself, after a transfer of today was changed."""
    seal()
    audit()
    stakes_escrow(reference="match:today", stakes={magriel.pk: 250})
    aged(2)
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:today:open'")
    AuditRun.objects.create(
        started_at=timezone.now(), duration_ms=1, finding_count=0, report={}, sealed_to=1_000_000
    )
    seal()
    due = turn_due(timezone.now())
    assert due is not None
    since, turn = due
    assert since.transfer_id < Transfer.objects.get(key="match:today:open").pk
    assert timezone.now() - since.moment >= DAY
    assert "A14" in faulted(run(since=since, turn=turn))


def test_an_audit_with_findings_is_repeated_with_its_parts(old: None) -> None:
    audit()
    aged(2)
    with unguarded() as execute:
        execute("UPDATE ledger_account SET balance_cents = 1 WHERE key = 'escrow:match:running'")
    for _ in range(2):
        due = turn_due(timezone.now())
        assert due is not None
        assert len(due[1].parts) == 2, "today's, and that of the night that is missing"
        assert due[0].moment < timezone.now() - DAY
        audit_in_turns()
        seal()


def test_the_command_says_what_it_looked_at(old: None) -> None:
    audit()
    aged(1)
    out = io.StringIO()
    call_command("audit", "--in-turns", stdout=out)
    today = timezone.now().astimezone(UTC).date().toordinal() % ROUND + 1
    assert f"of old rows parts {today} of {ROUND}." in out.getvalue()


def test_every_night_has_an_audit_and_each_week_a_whole_one() -> None:
    nights, weekly = (PERIODIC[task.name].when.day_of_week for task in (audit_in_turns, audit))
    assert nights | weekly == set(range(7))
    assert len(weekly) == 1


def test_a_deleted_seal_is_missed_whatever_the_turn(old: None) -> None:
    seal()
    stakes_escrow(reference="match:later", stakes={User.objects.earliest("pk").pk: 100})
    seal()
    assert Seal.objects.filter(stream="transfer").count() == 2
    with unguarded() as execute:
        execute("DELETE FROM ledger_seal WHERE stream = 'transfer' AND number = 1")
    assert all("A11" in faulted(in_turns((part,))) for part in range(ROUND))
