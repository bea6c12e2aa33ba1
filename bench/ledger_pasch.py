"""One client of `bench.ledger`: settles matches through the site's own services and settings."""

import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402 (Django is set up first)

from accounts.models import User  # noqa: E402 (Django is set up first)
from ledger.models import Warrant  # noqa: E402 (Django is set up first)
from ledger.postings import lines_of, wallet_key  # noqa: E402 (Django is set up first)
from ledger.services.books import credits_issue, escrow_resolve, transfer_post, wallet_open  # noqa: E402 (Django is set up first)

PAID_IN_CENTS = 10**9


def prepare(users: int) -> None:
    """Players with welcome credits and a purchase for many matches; prints the first one's id."""
    with transaction.atomic():
        made = User.objects.bulk_create(
            User(username=f"bench{n}", name_key=f"bench{n}") for n in range(users)
        )
        for user in made:
            wallet_open(user=user)
            credits_issue(user=user, amount_cents=10_000, key=f"grant:{user.pk}", memo="the bench")
            _buy(user, f"purchase:{user.pk}")
    print(min(user.pk for user in made))


def _buy(user: User, key: str) -> None:
    order = {"kind": "purchase", "user_id": user.pk, "amount_cents": PAID_IN_CENTS}
    Warrant.objects.create(key=key, reason="the bench", **order)
    transfer_post(
        key=key,
        kind="purchase",
        reference="purchase:bench",
        memo="the bench",
        lines=lines_of({"cash_in:bench": -PAID_IN_CENTS, wallet_key(user.pk): PAID_IN_CENTS}),
    )


def work(first: int, count: int, first_user: int, users: int) -> None:
    """Settle matches `first` and on; one transaction each, timed from outside of it."""
    connection.ensure_connection()
    print("ready", flush=True)
    sys.stdin.readline()
    started, seconds = time.monotonic(), []
    for number in range(first, first + count):
        before = time.perf_counter()
        winner = first_user + number % users
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:  # the row is written as in the other ways
                cursor.execute(
                    "UPDATE bench_match SET state = 'over', winner = %s WHERE id = %s",
                    [winner, number],
                )
            escrow_resolve(
                reference=f"match:{number}", payouts={winner: 450}, rake_cents=50, kind="result"
            )
        seconds.append(time.perf_counter() - before)
    ended = time.monotonic()
    print(json.dumps({"started": started, "ended": ended, "seconds": seconds}))


if __name__ == "__main__":
    {"prepare": prepare, "work": work}[sys.argv[1]](*map(int, sys.argv[2:]))
