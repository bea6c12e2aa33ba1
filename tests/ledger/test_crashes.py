"""Broken connections: retried with the same key, every transfer happens once."""

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count

import pytest
from django.db import Error, connection, connections, transaction

from accounts.models import User
from ledger.errors import RETRYABLE_SQLSTATES, KeyConflict, LedgerError
from ledger.models import Transfer
from ledger.selectors import house_totals, rake_balance
from ledger.services.books import Posted, escrow_resolve, stakes_escrow
from tests.ledger.proof import broken

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = int(os.environ.get("CRASH_MATCHES", "24"))
CLIENTS = 6


class Killer(threading.Thread):
    """Ends the connections of others, again and again."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.done = threading.Event()
        self.random = random.Random(seed)
        self.killed = 0

    def run(self) -> None:
        while not self.done.wait(self.random.uniform(0.01, 0.06)):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    " AND application_name = 'victim' ORDER BY random() LIMIT 1"
                )
                self.killed += len(cursor.fetchall())
        connections.close_all()


def retried(call: Callable[[], Posted]) -> Posted | LedgerError:
    """Call as a caller does: a refusal is a result; a broken or unlucky connection is retried."""
    for _ in range(200):
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET application_name = 'victim'")
                return call()
        except LedgerError as refusal:
            return refusal
        except Error as error:
            sqlstate = getattr(error.__cause__, "sqlstate", None)
            if sqlstate is not None and sqlstate not in RETRYABLE_SQLSTATES:
                raise
            with suppress(Error):
                connection.close()
    raise AssertionError("200 connections died in a row")


@pytest.fixture
def killer() -> Iterator[Killer]:
    thread = Killer(seed=7)
    thread.start()
    yield thread
    thread.done.set()
    thread.join()


def test_dying_connections_lose_nothing_and_repeat_nothing(
    magriel: User, hilde: User, killer: Killer
) -> None:
    """Racing clients open and decide every match, one of them with another outcome."""
    numbers = count()
    outcomes: list[Posted | LedgerError] = []

    def decide(reference: str, client: int) -> None:
        retried(lambda: stakes_escrow(reference=reference, stakes={magriel.pk: 10, hilde.pk: 10}))
        if client % 3 == 2:
            payouts, rake, kind = {magriel.pk: 10, hilde.pk: 10}, 0, "void"
        else:
            payouts, rake, kind = {magriel.pk: 18}, 2, "result"
        outcomes.append(
            retried(
                lambda: escrow_resolve(
                    reference=reference,
                    payouts=payouts,
                    rake_cents=rake,
                    kind=kind,
                )
            )
        )

    def client(number: int) -> None:
        while (turn := next(numbers)) < MATCHES * 2:
            decide(f"match:{turn // 2}", number + turn % 2)
        connections.close_all()

    threads = [threading.Thread(target=client, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    killer.done.set()
    killer.join()

    assert killer.killed > 0
    refusals = {type(outcome) for outcome in outcomes if not isinstance(outcome, Posted)}
    assert refusals <= {KeyConflict}
    decided = Transfer.objects.filter(key__endswith=":resolve")
    assert decided.count() == MATCHES
    assert rake_balance() == 2 * decided.filter(kind="result").count()
    assert house_totals().escrows_cents == 0
    assert house_totals().difference_cents == 0
    assert broken() == []
