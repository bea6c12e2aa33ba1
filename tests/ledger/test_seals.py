"""Seals leave nothing out, and find a change that leaves every sum correct."""

import io
import json
import logging
import threading
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction

from accounts.models import User
from harness.waiting import WAIT_SECONDS
from ledger.audit import run
from ledger.models import AuditRun, Change, JournalEntry, Seal, Transfer
from ledger.seals import books_seal
from ledger.services.books import credits_issue, escrow_resolve, stakes_escrow
from ledger.tasks import audit, seal, snapshot

pytestmark = pytest.mark.django_db(transaction=True)

Maker = Callable[..., User]


@pytest.fixture
def anchors(tmp_path: Path, settings: Any) -> Path:
    settings.LEDGER_SEAL_FILE = str(tmp_path / "outside" / "seals.log")
    return Path(settings.LEDGER_SEAL_FILE)


def found(code: str = "A11") -> list[str]:
    """The audit's findings about the seals."""
    (result,) = [result for result in run().results if result.code == code]
    return [f"{finding.row}: {finding.message}" for finding in result.findings]


def forge(*statements: str) -> None:
    """Change rows as a superuser, with the triggers off."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement)


FORGERY = (
    # Fifty cents from one player to the other, every sum and running balance repaired.
    "UPDATE ledger_entry e SET amount_cents = e.amount_cents + s.by,"
    " balance_after_cents = e.balance_after_cents + s.by FROM ledger_account a, accounts_user u,"
    " (VALUES ('magriel', 50), ('hilde', -50)) s(name, by)"
    " WHERE a.id = e.account_id AND u.id = a.owner_id AND u.username = s.name"
    " AND e.account_version = a.version",
    "UPDATE ledger_account a SET balance_cents = a.balance_cents + s.by FROM accounts_user u,"
    " (VALUES ('magriel', 50), ('hilde', -50)) s(name, by)"
    " WHERE u.id = a.owner_id AND u.username = s.name",
    "UPDATE ledger_transfer t SET digest = (SELECT ledger_digest(t.kind, t.reference,"
    " array_agg(a.key::text), array_agg(e.amount_cents)) FROM ledger_entry e"
    " JOIN ledger_account a ON a.id = e.account_id WHERE e.transfer_id = t.id)",
)


def played(first: User, second: User, reference: str = "match:1") -> None:
    stakes_escrow(reference=reference, stakes={first.pk: 250, second.pk: 250})
    escrow_resolve(
        reference=reference,
        payouts={first.pk: 300, second.pk: 150},
        rake_cents=50,
        kind="result",
    )


def test_a_root_is_what_the_page_about_it_says(magriel: User) -> None:
    """The hash, computed again in Python from the rows alone; memos may contain anything."""
    credits_issue(user=magriel, amount_cents=7, key="grant:1", memo='"Grüße"\n\\ | ♞ \x07')
    (made,) = [made for made in books_seal() if made.stream == "transfer"]
    leaves = b"".join(sha256(_canonical(t).encode()).digest() for t in _transfers())
    assert bytes(made.root) == sha256(bytes(32) + leaves).digest()
    assert made.row_count == Transfer.objects.count()


def _transfers() -> list[Transfer]:
    return list(Transfer.objects.order_by("id").prefetch_related("entries__account"))


def _canonical(t: Transfer) -> str:
    lines = [
        [e.line, e.account.key, e.amount_cents, e.balance_after_cents, e.account_version]
        for e in t.entries.order_by("line")
    ]
    micros = int(t.created_at.timestamp()) * 1_000_000 + t.created_at.microsecond
    head = ["pasch.transfer.1", t.pk, t.key, t.kind, t.reference, bytes(t.digest).hex()]
    tail = [t.actor_id, t.approver_id, t.memo, t.reverses_id, micros, lines]
    return json.dumps([*head, *tail], ensure_ascii=False)


def test_seals_chain_and_cover_everything_once(magriel: User, hilde: User) -> None:
    for number in range(3):
        played(magriel, hilde, f"match:{number}")
        books_seal()
    assert books_seal() == []  # nothing new
    seals = list(Seal.objects.filter(stream="transfer").order_by("number"))
    assert [made.number for made in seals] == [1, 2, 3]
    assert sum(made.row_count for made in seals) == Transfer.objects.count()
    assert all(bytes(b.previous_root) == bytes(a.root) for a, b in pairwise(seals))
    assert found() == []


def test_a_forgery_that_every_sum_forgives_is_seen_by_the_seal(magriel: User, hilde: User) -> None:
    played(magriel, hilde)
    books_seal()
    forge(*FORGERY)
    others = [r.code for r in run().results if r.findings and r.code != "A11"]
    assert others == []
    assert any("were changed since" in line for line in found())


def test_one_changed_row_of_many_is_seen(magriel: User, hilde: User) -> None:
    played(magriel, hilde)
    books_seal()
    forge(
        "UPDATE ledger_transfer SET memo = 'other' WHERE id = (SELECT min(id) FROM ledger_transfer)"
    )
    assert len(found()) == 1


def test_forged_rows_under_forged_seals_differ_from_their_anchors(
    magriel: User, hilde: User, anchors: Path
) -> None:
    played(magriel, hilde)
    books_seal()
    forge(*FORGERY, "DELETE FROM ledger_seal WHERE stream = 'transfer'")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
    assert [line.split(": ", 1)[1] for line in found()] == [
        "seal transfer 1 is another in the database, or gone"
    ]


def test_a_seal_that_is_gone_is_missed(magriel: User, hilde: User, anchors: Path) -> None:
    played(magriel, hilde)
    books_seal()
    forge("DELETE FROM ledger_seal WHERE stream = 'transfer'")
    assert found() == [f"{anchors}:2: seal transfer 1 is another in the database, or gone"]


def test_a_changed_anchor_is_no_line_of_ours(magriel: User, hilde: User, anchors: Path) -> None:
    played(magriel, hilde)
    books_seal()
    anchors.write_text(anchors.read_text().replace('"rows": 4', '"rows": 3'))
    assert found() == [f"{anchors}:2: is not a line this site wrote"]
    anchors.write_text("nonsense\n")
    assert found() == [f"{anchors}:1: is not a line this site wrote"]


def test_a_lost_anchor_is_missed_once_it_is_not_just_late(
    magriel: User, hilde: User, anchors: Path
) -> None:
    played(magriel, hilde)
    books_seal()
    anchors.unlink()
    assert found() == []
    forge("UPDATE ledger_seal SET created_at = created_at - interval '2 minutes'")
    assert found() == [
        f"seal {stream} 1: has no anchor in {anchors}" for stream in ("change", "transfer")
    ]


def test_an_anchor_that_a_crash_left_out_is_written_by_the_next_run(
    magriel: User, hilde: User, anchors: Path
) -> None:
    played(magriel, hilde)
    books_seal()
    anchors.unlink()
    books_seal()
    assert len(anchors.read_text().splitlines()) == 2
    assert found() == []


def test_the_roots_are_logged_too(
    magriel: User, hilde: User, caplog: pytest.LogCaptureFixture
) -> None:
    played(magriel, hilde)
    with caplog.at_level(logging.INFO, "ledger.seals"):
        (made,) = [made for made in books_seal() if made.stream == "transfer"]
    assert bytes(made.root).hex() in caplog.text


def test_the_journal_is_sealed_as_well(magriel: User) -> None:
    JournalEntry.objects.create(
        actor=magriel, verb="player.freeze", subject="user:1", before={}, after={}, reason="test"
    )
    assert {made.stream for made in books_seal()} == {"transfer", "journal", "change"}
    forge("UPDATE ledger_journalentry SET reason = 'another'")
    assert [line.split(":")[0] for line in found()] == ["seal journal 1"]


@pytest.mark.slow
def test_sealing_beside_writers_leaves_nothing_out(person: Maker) -> None:
    """Ids are drawn before the commit, so the cut waits for transactions in progress."""
    writers = [person(f"writer{number}", 1_000_000) for number in range(4)]
    done = threading.Event()

    def write(writer: User) -> None:
        for number in range(40):
            with transaction.atomic():
                credits_issue(
                    user=writer, amount_cents=1, key=f"grant:{writer.pk}:{number}", memo="one"
                )
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_sleep(0.002)")
        connections.close_all()

    def keep_sealing() -> None:
        while not done.is_set():
            books_seal()
        connections.close_all()

    threads = [threading.Thread(target=write, args=[writer]) for writer in writers]
    sealer = threading.Thread(target=keep_sealing)
    for thread in [*threads, sealer]:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    sealer.join()
    books_seal()
    seals = Seal.objects.filter(stream="transfer")
    assert seals.count() > 3
    assert sum(made.row_count for made in seals) == Transfer.objects.count()
    logged = Seal.objects.filter(stream="change")
    assert sum(made.row_count for made in logged) == Change.objects.count() > len(writers) * 40
    assert found() == []


def test_the_cut_waits_for_a_writer_and_nobody_waits_for_the_cut(person: Maker) -> None:
    """A row whose id was drawn first and whose commit comes last is sealed, too."""
    slow, quick = person("slow"), person("quick")
    credits_issue(user=quick, amount_cents=1, key="grant:first", memo="opens the accounts")
    books_seal()
    waits = threading.Event()
    sealed: list[Seal] = []

    def write_slowly() -> None:
        with transaction.atomic():
            credits_issue(user=slow, amount_cents=1, key="grant:slow", memo="one")
            begun.set()
            assert waits.wait(10)
        connections.close_all()

    def cut() -> None:
        sealed.extend(books_seal())
        connections.close_all()

    begun = threading.Event()
    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert begun.wait(10)
    credits_issue(user=quick, amount_cents=1, key="grant:quick", memo="one")
    sealer = threading.Thread(target=cut)
    sealer.start()
    for number in range(20):  # none of them is delayed
        credits_issue(user=quick, amount_cents=1, key=f"grant:quick-{number}", memo="one")
    assert sealer.is_alive()
    waits.set()
    writer.join(WAIT_SECONDS)
    sealer.join(WAIT_SECONDS)
    (transfers,) = [made for made in sealed if made.stream == "transfer"]
    covered = Transfer.objects.filter(id__gt=transfers.from_id, id__lte=transfers.to_id)
    assert covered.filter(key="grant:slow").exists()
    assert transfers.row_count == covered.count()
    books_seal()
    assert found() == []


def test_the_cut_does_not_wait_for_vacuum(person: Maker) -> None:
    """It may take hours, in which nothing would be sealed."""
    credits_issue(user=person("magriel"), amount_cents=1, key="grant:first", memo="one")
    begun, over = threading.Event(), threading.Event()

    def vacuum() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE ledger_transfer IN SHARE UPDATE EXCLUSIVE MODE")
            begun.set()
            assert over.wait(30)
        connections.close_all()

    cleaner = threading.Thread(target=vacuum)
    cleaner.start()
    assert begun.wait(10)
    sealed = [made.stream for made in books_seal()]
    over.set()
    cleaner.join(WAIT_SECONDS)
    assert "transfer" in sealed


def test_the_command_seals_and_says_where_the_roots_are(
    magriel: User, hilde: User, anchors: Path
) -> None:
    played(magriel, hilde)
    out = io.StringIO()
    call_command("ledger_seal", stdout=out)
    assert "transfer 1: 4 rows" in out.getvalue()
    assert str(anchors) in out.getvalue()


def test_the_nightly_tasks_seal_snapshot_and_keep_the_result(magriel: User, hilde: User) -> None:
    played(magriel, hilde)
    assert seal() == 2
    assert snapshot() == 2
    assert audit() == 0
    kept = AuditRun.objects.get()
    assert kept.finding_count == 0
    assert kept.report["ok"] is True
    forge("UPDATE ledger_account SET balance_cents = 1 WHERE key = 'escrow:match:1'")
    assert audit() > 0
    assert AuditRun.objects.count() == 2
