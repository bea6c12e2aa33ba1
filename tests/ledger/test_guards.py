"""What the database refuses to everybody, and what Django's administration lets nobody change."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from ledger.errors import BooksGuarded, LedgerError
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create, role_exists
from ledger.seals import books_seal
from ledger.selectors import wallet_balance
from ledger.services.adjustments import adjustment_make
from ledger.services.books import (
    credits_issue,
    escrow_resolve,
    stakes_escrow,
    wallet_freeze,
    wallet_open,
)
from ledger.services.database import refusal_of
from ledger.services.limits import break_start, limit_set, stakes_stop
from ledger.services.payouts import payout_request
from ledger.services.vouchers import voucher_make
from ledger.tasks import audit

NO_RIGHT = "42501"
GUARD = "LG009"
CHECK = "23514"

CHANGES = [
    # raw SQL, and the error that the owner of the tables gets (the application lacks the right)
    ("UPDATE ledger_entry SET amount_cents = amount_cents + 1", GUARD),
    ("DELETE FROM ledger_entry", GUARD),
    ("UPDATE ledger_transfer SET memo = 'other'", GUARD),
    ("DELETE FROM ledger_transfer", GUARD),
    ("UPDATE ledger_account SET balance_cents = balance_cents + 1", GUARD),
    ("UPDATE ledger_account SET version = version + 1", GUARD),
    (
        "UPDATE ledger_account SET balance_cents = 1 + balance_cents, version = 1 + version"
        " WHERE bounded",
        GUARD,
    ),
    ("UPDATE ledger_account SET balance_cents = balance_cents + 1, version = version + 2", GUARD),
    ("UPDATE ledger_account SET key = 'escrow:match:9' WHERE kind = 'escrow'", GUARD),
    ("UPDATE ledger_account SET bounded = false", GUARD),
    ("DELETE FROM ledger_account", GUARD),
    (
        "INSERT INTO ledger_account (key, kind, bounded, balance_cents, version)"
        " VALUES ('escrow:match:8', 'escrow', true, 500, 1)",
        GUARD,
    ),
    ("INSERT INTO ledger_account (key, kind, bounded) VALUES ('escrow:x', 'escrow', false)", CHECK),
    ("INSERT INTO ledger_account (key, kind, bounded) VALUES ('wallet:1', 'escrow', true)", GUARD),
    ("INSERT INTO ledger_account (key, kind, bounded) VALUES ('wallet:1', 'wallet', true)", CHECK),
    (
        "INSERT INTO ledger_account (key, kind, bounded, owner_id)"
        " SELECT 'wallet:0', 'wallet', true, id FROM accounts_user",
        CHECK,
    ),
    (
        "INSERT INTO ledger_transfer (key, digest, kind, reference, line_count)"
        " VALUES ('x', sha256('x'), 'grant', 'x', 2)",
        GUARD,
    ),
    (
        "INSERT INTO ledger_transfer (key, digest, kind, reference, line_count)"
        " VALUES ('x', sha256('x'), 'gift', 'x', 2)",
        CHECK,
    ),
    (
        "INSERT INTO ledger_transfer (key, digest, kind, reference, line_count)"
        " VALUES ('x', sha256('x'), 'adjust', 'x', 2)",
        CHECK,
    ),
    (
        "INSERT INTO ledger_entry (transfer_id, line, account_id, amount_cents)"
        " SELECT max(t.id), 9, max(a.id), 100 FROM ledger_transfer t, ledger_account a"
        " WHERE a.kind = 'house_rake'",
        GUARD,
    ),
    (
        # a late, balanced pair of entries on an old transfer
        "INSERT INTO ledger_entry (transfer_id, line, account_id, amount_cents)"
        " SELECT t.id, 8 + n, a.id, 200 * n - 300 FROM ledger_account a, generate_series(1, 2) n,"
        " (SELECT max(id) AS id FROM ledger_transfer) t WHERE a.kind = 'house_rake'",
        GUARD,
    ),
    ("UPDATE ledger_seal SET row_count = 0", GUARD),
    ("DELETE FROM ledger_seal", GUARD),
    ("DELETE FROM ledger_snapshot", GUARD),
    ("UPDATE ledger_journalentry SET reason = 'other'", GUARD),
    ("DELETE FROM ledger_journalentry", GUARD),
]

BOOKS = ["account", "transfer", "entry", "snapshot", "seal", "journalentry"]


@pytest.fixture
def played(magriel: User, hilde: User) -> None:
    """Books with a row in every table."""
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    stakes_escrow(reference="match:2", stakes={magriel.pk: 250, hilde.pk: 250})
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "INSERT INTO ledger_journalentry (actor_id, verb, subject, before, after, reason)"
            " VALUES (%s, 'player.freeze', 'user:1', '{}', '{}', 'for the test')",
            [magriel.pk],
        )
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
        cursor.execute("SELECT ledger_snapshot_take()")


@pytest.fixture
def as_application() -> Iterator[None]:
    """The statements of this test run as the application's role."""
    assert role_create()
    rights_grant()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def sqlstate_of(statement: str) -> str:
    """The database's refusal of this statement; empty if there is none."""
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"{statement}; SET CONSTRAINTS ALL IMMEDIATE")
    return str(refused.value.__cause__.sqlstate)  # type: ignore[union-attr]


@pytest.mark.parametrize(("statement", "sqlstate"), CHANGES)
def test_the_owner_of_the_tables_cannot_change_the_books(
    played: None, statement: str, sqlstate: str
) -> None:
    assert sqlstate_of(statement) == sqlstate


@pytest.mark.parametrize("statement", [statement for statement, _ in CHANGES])
def test_the_application_has_no_right_to_write_the_books(
    played: None, as_application: None, statement: str
) -> None:
    assert sqlstate_of(statement) == NO_RIGHT


@pytest.mark.parametrize("table", BOOKS)
def test_nobody_empties_a_table_of_the_books(played: None, table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ledger.allow_truncate = ''")
    assert sqlstate_of(f"TRUNCATE ledger_{table} CASCADE") == GUARD
    with connection.cursor() as cursor:
        role_create()
        rights_grant()
        cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
    assert sqlstate_of(f"TRUNCATE ledger_{table} CASCADE") == NO_RIGHT


def test_an_unbalanced_post_is_refused_by_the_database_alone(magriel: User) -> None:
    """Call the function itself, without the pure code."""
    post = (
        "SELECT ledger_post('x:1', 'grant', 'x', ARRAY['promo_issue:x', 'wallet:{}'], ARRAY[-1, 2])"
    )
    assert sqlstate_of(post.format(magriel.pk)) == GUARD


def test_the_application_can_do_its_work_through_the_functions(
    magriel: User, hilde: User, as_application: None
) -> None:
    wallet_open(user=magriel)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    wallet_freeze(user=hilde)
    assert wallet_balance(magriel.pk) == 10_000 - 250 + 450
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal_cut('transfer')")
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
        cursor.execute("SELECT ledger_snapshot_take()")


def test_the_application_issues_no_credits(magriel: User, as_application: None) -> None:
    with pytest.raises(Error, match="ledger_warrant"):
        credits_issue(user=magriel, amount_cents=100, key="promo:test:1", memo="a test")


def test_the_application_writes_other_tables_as_usual(hilde: User, as_application: None) -> None:
    User.objects.filter(pk=hilde.pk).update(first_name="Hilde")
    hilde.refresh_from_db()
    assert hilde.first_name == "Hilde"


def test_nobody_else_may_call_the_functions_that_write(magriel: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE stranger")
        cursor.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO stranger")
        cursor.execute("SET LOCAL ROLE stranger")
    for call in (
        "SELECT ledger_post('x:1', 'grant', 'x', ARRAY['promo_issue:x'], ARRAY[-1])",
        f"SELECT ledger_wallet_open({magriel.pk})",
        f"SELECT ledger_account_freeze('wallet:{magriel.pk}', true)",
        "SELECT ledger_seal_cut('transfer')",
        "SELECT ledger_seal_append('transfer', 1)",
        "SELECT ledger_snapshot_take()",
    ):
        assert sqlstate_of(call) == NO_RIGHT


@pytest.mark.django_db
def test_a_role_that_may_not_make_roles_is_told_so() -> None:
    assert not role_exists() or role_create()
    with connection.cursor() as cursor:
        cursor.execute(f"DROP OWNED BY {APPLICATION_ROLE}") if role_exists() else None
        cursor.execute(f"DROP ROLE IF EXISTS {APPLICATION_ROLE}")
        cursor.execute("CREATE ROLE modest")
        cursor.execute("SET LOCAL ROLE modest")
    assert role_create() is False


def test_a_guard_speaks_as_an_error_of_the_ledger(played: None) -> None:
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM ledger_entry")
    refusal = refusal_of(refused.value)
    assert isinstance(refusal, BooksGuarded)
    assert isinstance(refusal, LedgerError)
    assert refusal.code == "books_guarded"


# --- the administration of Django -----------------------------------------------------------------
MODELS = [
    model for model in apps.get_app_config("ledger").get_models() if admin.site.is_registered(model)
]


@pytest.fixture
def books(magriel: User, hilde: User, anna: User) -> None:
    """A row in every table."""
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    payout_request(
        user=magriel, amount_cents=500, destination="x", client_key="1", verified_at=timezone.now()
    )
    voucher_make(verified_at=timezone.now(), actor=anna, amount_cents=5, note="x")
    adjustment_make(
        verified_at=timezone.now(),
        actor=anna,
        user=magriel,
        amount_cents=5,
        reason="x",
        client_key="1",
    )
    limit_set(user=magriel, measure="stake", period="day", amount_cents=5)
    break_start(user=magriel)
    stakes_stop(scope="house", actor=anna, reason="x")
    books_seal()
    audit()


@pytest.mark.django_db(transaction=True)
def test_every_page_shows_and_none_changes(books: None, client: Client, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    boss = User.objects.create_superuser(username="boss")
    client.force_login(boss)
    assert len(MODELS) > 8
    for model in MODELS:
        name = f"admin:ledger_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row is not None, model
        assert client.get(reverse(f"{name}_changelist")).status_code == 200
        page = reverse(f"{name}_change", args=[row.pk])
        assert client.get(page).status_code == 200
        assert client.post(page, {}).status_code == 403
        assert client.get(reverse(f"{name}_add")).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
