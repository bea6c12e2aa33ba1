"""The audit of new rows finds what the full one finds there, and advances only without findings."""

import io
import logging

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from ledger.audit import AuditReport, run
from ledger.models import Transfer
from ledger.seal_places import streams
from ledger.seals import books_seal
from ledger.selectors_desk import audit_latest, audit_latest_recent, mark_reached
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.tasks import audit, audit_recent
from tests.ledger.proof import BOOKS
from tests.ledger.test_audit import DAMAGE, faulted, unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: damage that an audit of new rows leaves to the nightly audit, and why
BY_NIGHT = {"A12": "sums whole histories"}


@pytest.fixture
def played(magriel: User, hilde: User) -> None:
    """An old match that was audited and sealed; since then one was settled and one begun."""
    stakes_escrow(reference="match:old", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:old", payouts={hilde.pk: 450}, rake_cents=50, kind="result")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_seal_append(s, 1000000000000) FROM unnest(%s::text[]) s",
            [[stream.name for stream in streams()]],
        )
    audit()
    for number in (1, 2):
        stakes_escrow(reference=f"match:{number}", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")


def recent() -> AuditReport:
    mark = mark_reached()
    assert mark is not None
    return run(since=mark)


def test_honest_news_has_no_findings_and_the_same_totals(played: None) -> None:
    report = recent()
    assert report.finding_count == 0
    assert report.since is not None
    assert report.totals == run().totals
    assert report.totals.difference_cents == 0


def test_every_check_of_the_books_but_snapshots_is_made(played: None) -> None:
    made = {result.code for result in recent().results}
    assert set(BOOKS) - made == set(BY_NIGHT)


@pytest.mark.parametrize(
    ("code", "statement"), [(code, sql) for code, each in DAMAGE.items() for sql in each]
)
def test_damage_to_what_is_new_is_found(code: str, statement: str, played: None) -> None:
    with unguarded() as execute:
        execute(statement)
    assert code in faulted(recent())


def test_it_looks_at_what_is_new_alone(played: None) -> None:
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:old:open'")
        execute("UPDATE ledger_transfer SET line_count = 9 WHERE key = 'match:old:resolve'")
    assert faulted(recent()) == {"A11"}  # the seal over them is not a minute old
    assert {"A2", "A11", "A14"} <= faulted(run())


def test_what_was_not_sealed_yet_is_looked_at_again(played: None) -> None:
    """A commit that was in progress during the last audit is checked by the next one."""
    assert audit_recent() == 0
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET line_count = 9 WHERE key = 'match:1:resolve'")
    assert "A2" in faulted(recent())


@pytest.mark.django_db(transaction=True)
def test_the_mark_moves_with_the_seals(magriel: User, hilde: User) -> None:
    assert audit_recent() == 0
    assert audit_latest() is not None  # without a mark everything is checked
    assert audit_latest_recent() is None
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    books_seal()
    assert audit_recent() == 0
    mark = mark_reached()
    assert mark is not None
    assert mark.transfer_id == Transfer.objects.latest("pk").pk


def test_a_finding_is_logged_and_found_again_until_it_is_mended(
    played: None, caplog: pytest.LogCaptureFixture
) -> None:
    mark = mark_reached()
    with unguarded() as execute:
        execute("UPDATE ledger_account SET balance_cents = 1 WHERE key = 'escrow:match:2'")
    for _hour in range(2):
        caplog.clear()
        assert audit_recent() > 0
        assert mark_reached() == mark
        errors = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
        assert "audit A4: account escrow:match:2: stores 1, its entries sum to 500" in errors
    with unguarded() as execute:
        execute("UPDATE ledger_account SET balance_cents = 500 WHERE key = 'escrow:match:2'")
    assert audit_recent() == 0
    assert mark_reached() != mark


def test_the_command_audits_what_is_new(played: None) -> None:
    out = io.StringIO()
    call_command("audit", "--recent", stdout=out)
    assert "0 findings" in out.getvalue()
    assert "A12" not in out.getvalue()
