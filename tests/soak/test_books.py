"""The queries about the books find changes in them, and nothing in sound ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
from django.db import connection, transaction

from accounts.models import User
from bench.soak import books
from bench.soak.journal import Violation
from games.models import Match
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def matches(transactional_db: None) -> list[Match]:
    """One running match and one that the guest left."""
    one, two, three, four = (User.objects.create_user(f"player{n}") for n in range(4))
    wishes = {"mode": "prize5", "stake_cents": 250}
    running = table_open(user=one, **wishes)
    table_join(user=two, table_id=running.pk)
    left = table_open(user=three, **wishes)
    table_join(user=four, table_id=left.pk)
    order = {"table_id": left.pk, "seen_seq": 99}
    table_command(user_id=three.pk, command_id="1", command=cmd.Roll(), **{**order, "seen_seq": 4})
    table_command(user_id=four.pk, command_id="2", command=cmd.Leave(), **order)
    return [running.matches.get(), left.matches.get()]


@contextmanager
def changed(*statements: str) -> Iterator[None]:
    """Change rows as the owner of the database, with every guard off; roll back afterwards."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement)
        yield
        transaction.set_rollback(True)


def found(module: ModuleType = books) -> list[Violation]:
    """Return what the questions of this module find."""

    def rows_of(query: str) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(query.replace("%'", "%%'"), ())
            return cursor.fetchall()

    return books.asked(rows_of, module.QUESTIONS)


def codes() -> set[str]:
    return {violation.code for violation in found()}


def test_sound_books_raise_no_question(matches):
    assert matches[1].ending == "left"
    assert codes() == set()


def test_what_is_wrong_with_the_books_is_found(matches):
    key = f"match:{matches[1].pk}"
    wallet = "(SELECT id FROM ledger_account WHERE kind = 'wallet' ORDER BY id LIMIT 1)"
    resolved = f"(SELECT id FROM ledger_transfer WHERE key = '{key}:resolve')"
    with changed(
        f"UPDATE ledger_account SET balance_cents = balance_cents + 1 WHERE id = {wallet}"
    ):
        assert codes() == {"I2"}
    with changed(
        f"UPDATE ledger_entry SET amount_cents = amount_cents + 1 WHERE account_id = {wallet}"
    ):
        assert codes() == {"I1", "I2", "I3"}
    with changed(f"DELETE FROM ledger_entry WHERE transfer_id = {resolved}"):
        assert codes() == {"I2", "I3"}
    with changed(f"UPDATE games_match SET ended_at = NULL WHERE id = '{matches[1].pk}'"):
        assert codes() == {"I3", "I4"}
    with changed(f"UPDATE games_match SET rake_cents = 49 WHERE id = '{matches[1].pk}'"):
        assert codes() == {"I3"}
    with changed(
        f"""INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
            SELECT table_id, 99, type, payload, stored_at FROM games_tableevent
            WHERE type = 'match_ended' AND table_id = '{matches[1].table_id}'"""
    ):
        assert codes() == {"I3"}
