"""The audits, whole and of new rows, find nothing in honest books and each damage there is."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import User
from ledger import seals
from ledger.audit import AuditReport, run
from ledger.models import Seal, Transfer
from ledger.seal_places import streams
from ledger.seals import books_seal
from ledger.selectors_desk import audit_latest, audit_latest_recent, mark_reached
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.tasks import audit, audit_recent
from tests.ledger.proof import BOOKS

pytestmark = pytest.mark.django_db


@contextmanager
def unguarded() -> Iterator[Callable[[str], None]]:
    """Write as a superuser, with every trigger and foreign key off."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # checks the honest rows so far
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor.execute
        cursor.execute("SET LOCAL session_replication_role = origin")


def faulted(report: AuditReport) -> set[str]:
    """The codes of the checks of the books with findings."""
    return {r.code for r in report.results if r.findings and r.code in BOOKS}


@pytest.fixture
def played(magriel: User, hilde: User) -> None:
    """One match is settled, another is running."""
    for number in (1, 2):
        stakes_escrow(reference=f"match:{number}", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")


def test_a_database_whose_migrations_have_not_run_is_one_sentence(db):
    recorder = MigrationRecorder(connection)
    last = MigrationLoader(connection).graph.leaf_nodes()[0]
    recorder.record_unapplied(*last)
    with pytest.raises(CommandError, match=r"^1 migrations have not run .*: run"):
        call_command("audit")


def test_honest_books_have_no_findings(played: None) -> None:
    report = run()
    assert faulted(report) == set()
    assert report.totals.issued_cents == 20_000
    assert report.totals.rake_cents == 50
    assert report.totals.escrows_cents == 500


DAMAGE = {
    "A1": ["UPDATE ledger_entry SET amount_cents = amount_cents + 1 WHERE account_version IS NULL"],
    "A2": ["UPDATE ledger_transfer SET line_count = 9 WHERE key = 'match:1:resolve'"],
    "A3": ["DELETE FROM ledger_entry WHERE transfer_id = (SELECT max(id) FROM ledger_transfer)"],
    "A4": ["UPDATE ledger_account SET balance_cents = balance_cents + 1 WHERE kind = 'wallet'"],
    "A5": ["UPDATE ledger_account SET version = version + 1 WHERE kind = 'wallet'"],
    "A6": [
        "UPDATE ledger_entry e SET amount_cents = -amount_cents FROM ledger_account a"
        " WHERE a.id = e.account_id AND a.kind = 'house_rake'"
    ],
    "A7": ["UPDATE ledger_entry SET balance_after_cents = 7 WHERE account_version = 1"],
    "A8": ["UPDATE ledger_account SET key = 'escrow:match:9' WHERE key = 'escrow:match:2'"],
    "A13": ["UPDATE ledger_account SET balance_cents = balance_cents + 1 WHERE kind = 'escrow'"],
    "A14": ["UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:1:resolve'"],
    "A15": ["UPDATE ledger_transfer SET kind = 'stake' WHERE key = 'match:1:resolve'"],
    "A0": [
        "ALTER TABLE ledger_entry DISABLE TRIGGER refuse_change",
        "ALTER TABLE ledger_account DROP CONSTRAINT account_never_below_zero",
        "CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NEW; END'",
    ],
}


@pytest.mark.parametrize(
    ("code", "statement"), [(code, sql) for code, each in DAMAGE.items() for sql in each]
)
def test_every_check_finds_the_damage_it_is_there_for(
    code: str, statement: str, played: None
) -> None:
    with unguarded() as execute:
        execute(statement)
    report = run()
    assert code in faulted(report)
    assert all(f.row and f.message for result in report.results for f in result.findings)


def test_a_wrong_snapshot_is_found(played: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
        cursor.execute("SELECT ledger_snapshot_take()")
    assert faulted(run()) == set()
    with unguarded() as execute:
        execute("UPDATE ledger_snapshot SET balance_cents = balance_cents + 1")
    assert "A12" in faulted(run())


def test_the_command_speaks_to_people_and_to_machines(played: None) -> None:
    text, machine = io.StringIO(), io.StringIO()
    call_command("audit", stdout=text)
    assert "0 findings" in text.getvalue()
    call_command("audit", "--json", stdout=machine)
    assert json.loads(machine.getvalue())["ok"] is True


def test_a_finding_ends_the_command_with_status_one_and_names_the_row(played: None) -> None:
    with unguarded() as execute:
        execute("UPDATE ledger_account SET balance_cents = 1 WHERE key = 'escrow:match:2'")
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", "--json", stdout=out)
    assert ended.value.code == 1
    report = json.loads(out.getvalue())
    rows = {f["row"] for check in report["checks"] for f in check["findings"]}
    assert report["ok"] is False
    assert "account escrow:match:2" in rows


# --- what is not sealed ---------------------------------------------------------------------------
def left_out() -> list[str]:
    (result,) = run(["A22"]).results
    return [f"{finding.row}: {finding.message}" for finding in result.findings]


def years_pass(**interval: int) -> None:
    """Move all rows into the past by this much."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, column in [("transfer", "created_at"), ("change", "made_at")]:
            cursor.execute(
                f"UPDATE ledger_{table} SET {column} = {column} - %s", [timedelta(**interval)]
            )


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_is_left_out_is_named(magriel: User, monkeypatch: Any) -> None:
    years_pass(minutes=10)
    kept = [stream for stream in streams() if stream.name != "transfer"]
    monkeypatch.setattr(seals, "streams", lambda: kept)
    assert books_seal()
    (found,) = left_out()
    assert found.startswith("stream transfer: 1 rows since")


@pytest.mark.django_db(transaction=True)
def test_nothing_is_found_when_everything_is_sealed(magriel: User) -> None:
    years_pass(minutes=10)
    assert {seal.stream for seal in books_seal()} >= {"transfer", "change"}
    assert left_out() == []


@pytest.mark.django_db(transaction=True)
def test_a_sealer_that_does_not_run_is_no_finding(magriel: User) -> None:
    years_pass(minutes=10)
    assert not Seal.objects.exists()
    assert left_out() == []


# --- of new rows ----------------------------------------------------------------------------------
#: damage that an audit of new rows leaves to the nightly audit, and why
BY_NIGHT = {"A12": "sums whole histories"}


@pytest.fixture
def played_lately(magriel: User, hilde: User) -> None:
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


@pytest.mark.slow
def test_honest_news_has_no_findings_and_the_same_totals(played_lately: None) -> None:
    report = recent()
    assert report.finding_count == 0
    assert report.since is not None
    assert report.totals == run().totals
    assert report.totals.difference_cents == 0


@pytest.mark.slow
def test_every_check_of_the_books_but_snapshots_is_made(played_lately: None) -> None:
    made = {result.code for result in recent().results}
    assert set(BOOKS) - made == set(BY_NIGHT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "statement"), [(code, sql) for code, each in DAMAGE.items() for sql in each]
)
def test_damage_to_what_is_new_is_found(code: str, statement: str, played_lately: None) -> None:
    with unguarded() as execute:
        execute(statement)
    assert code in faulted(recent())


@pytest.mark.slow
def test_it_looks_at_what_is_new_alone(played_lately: None) -> None:
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET digest = sha256('x') WHERE key = 'match:old:open'")
        execute("UPDATE ledger_transfer SET line_count = 9 WHERE key = 'match:old:resolve'")
    assert faulted(recent()) == {"A11"}  # the seal over them is not a minute old
    assert {"A2", "A11", "A14"} <= faulted(run())


@pytest.mark.slow
def test_what_was_not_sealed_yet_is_looked_at_again(played_lately: None) -> None:
    """A commit that was in progress during the last audit is checked by the next one."""
    assert audit_recent() == 0
    with unguarded() as execute:
        execute("UPDATE ledger_transfer SET line_count = 9 WHERE key = 'match:1:resolve'")
    assert "A2" in faulted(recent())


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_finding_is_logged_and_found_again_until_it_is_mended(
    played_lately: None, caplog: pytest.LogCaptureFixture
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


@pytest.mark.slow
def test_the_command_audits_what_is_new(played_lately: None) -> None:
    out = io.StringIO()
    call_command("audit", "--recent", stdout=out)
    assert "0 findings" in out.getvalue()
    assert "A12" not in out.getvalue()
