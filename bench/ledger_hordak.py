"""One client of `bench.ledger`: the same settlement with django-hordak.

django-hordak stores no balances and has no rule against overdrafts; a house for credits needs one,
so the escrow's row is locked and its balance summed before the three legs are saved.
"""

import json
import os
import random
import sys
import time
import warnings
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

sys.path.append(os.environ["BENCH_PACKAGES"])  # last: what the site has already comes first

import dj_database_url

warnings.simplefilter("ignore")
settings.configure(
    DATABASES={"default": dj_database_url.parse(os.environ["DATABASE_URL"])},
    INSTALLED_APPS=["django.contrib.contenttypes", "mptt", "hordak"],
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    SECRET_KEY="the bench keeps no secrets",
    DEFAULT_CURRENCY="EUR",
    CURRENCIES=["EUR"],
    HORDAK_CURRENCIES=["EUR"],
    LOGGING_CONFIG=None,
)
django.setup()

from hordak.models import Account, Leg, Transaction  # noqa: E402 (Django is set up first)
from moneyed import Money  # noqa: E402 (Django is set up first)

POOL = 200  # escrows and wallets


def prepare() -> None:
    """The tables, the accounts, and credits in every escrow."""
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE bench_match (id bigint PRIMARY KEY, state text NOT NULL, winner bigint)"
        )
        cursor.execute(
            f"INSERT INTO bench_match SELECT n, 'running' FROM generate_series(0, {POOL - 1}) n"
        )
    with transaction.atomic():
        house = _account("house", 0)
        funding = Transaction.objects.create(description="credits")
        for number in range(POOL):
            _account(f"wallet {number}", 1_000 + number)
            escrow = _account(f"escrow {number}", 5_000 + number)
            Leg.objects.create(transaction=funding, account=escrow, credit=Money(1_000_000, "EUR"))
        Leg.objects.create(transaction=funding, account=house, debit=Money(1_000_000 * POOL, "EUR"))


def work(first: int, count: int) -> None:
    """Settle; the escrow is drawn at random from the pool."""
    accounts = {account.name: account for account in Account.objects.all()}
    drawn = random.Random(first + os.getpid())
    print("ready", flush=True)
    sys.stdin.readline()
    started, latencies_ms = time.monotonic(), []
    for _ in range(count):
        before = time.perf_counter()
        _settle(accounts, drawn.randrange(POOL), drawn.randrange(POOL))
        latencies_ms.append((time.perf_counter() - before) * 1000)
    ended = time.monotonic()
    print(json.dumps({"started": started, "ended": ended, "latencies_ms": latencies_ms}))


def _settle(accounts: dict[str, Any], match: int, winner: int) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE bench_match SET state = 'over', winner = %s WHERE id = %s", [winner, match]
            )
        escrow = Account.objects.select_for_update().get(pk=accounts[f"escrow {match}"].pk)
        if escrow.get_balance() < Money(5, "EUR"):
            raise ValueError("overdraft")
        settled = Transaction.objects.create(description=f"match {match}")
        for account, side, cents in (
            (escrow, "debit", 500),
            (accounts[f"wallet {winner}"], "credit", 450),
            (accounts["house"], "credit", 50),
        ):
            money = Money(cents, "EUR") / 100
            Leg.objects.create(transaction=settled, account=account, **{side: money})


def _account(name: str, code: int) -> Any:
    account = Account(name=name, code=str(code), type="LI", currencies=["EUR"])
    account.save()
    return account


if __name__ == "__main__":
    {"prepare": prepare, "work": work}[sys.argv[1]](*map(int, sys.argv[2:]))
