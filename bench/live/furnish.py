"""Furnish the bench's house: seated tables and the logins of their players, printed as JSON.

Run as the owner of the database: `python -m bench.live.furnish TABLES [MODE]`; with 0 TABLES as
MODE a number of people who sit nowhere, and their session keys alone are printed.
"""

import json
import os
import sys
from datetime import timedelta
from typing import Any

STAKE_CENTS = 500


def main() -> None:
    """Make them and print id, users and session keys of each table."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    if sys.argv[1] == "0":
        print(json.dumps(_sessions(_people(int(sys.argv[2]), "normal"))))
    else:
        print(json.dumps(furnished(int(sys.argv[1]), *sys.argv[2:3])))


def furnished(tables: int, mode: str = "normal") -> list[dict[str, Any]]:
    """This many tables, both seats taken, each with two new players who are logged in."""
    from django.db import connection, transaction

    from games.selectors import terms_offered
    from games.services.tables import table_create, table_sit

    stake = {"stake_cents": STAKE_CENTS} if mode == "prize5" else {}
    terms = terms_offered(mode=mode, clock="slow", **stake)
    made = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
        people = _people(2 * tables, mode)
        for opener, guest in zip(people[::2], people[1::2], strict=True):
            change = table_create(opener.pk, terms)
            change.store()
            table_sit(guest.pk, change.table.pk)
            made.append({"table": str(change.table.pk), "players": [opener.pk, guest.pk]})
        sessions = _sessions(people)
    for each, pair in zip(made, zip(sessions[::2], sessions[1::2], strict=True), strict=True):
        each["sessions"] = list(pair)
    return made


def _people(count: int, mode: str) -> list[Any]:
    """New players; they have their wallets where there is something to pay."""
    from django.contrib.auth.hashers import make_password

    from accounts.models import User
    from ledger.services.books import credits_issue, wallet_open

    first = User.objects.count()
    names = [f"live{first + number}" for number in range(count)]
    people = User.objects.bulk_create(
        User(username=name, name_key=name, password=make_password(None)) for name in names
    )
    for user in people:
        wallet_open(user=user)
        if mode != "normal":
            credits_issue(user=user, amount_cents=10**8, key=f"grant:{user.pk}", memo="the bench")
    return people


def _sessions(people: list[Any]) -> list[str]:
    """A login for each, as Django's own `login` writes it."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    store = SessionStore()
    rows = [
        Session(
            session_key=store._get_new_session_key(),
            session_data=store.encode(
                {
                    SESSION_KEY: str(user.pk),
                    BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
                    HASH_SESSION_KEY: user.get_session_auth_hash(),
                }
            ),
            expire_date=timezone.now() + timedelta(days=1),
        )
        for user in people
    ]
    Session.objects.bulk_create(rows)
    return [row.session_key for row in rows]


if __name__ == "__main__":
    main()
