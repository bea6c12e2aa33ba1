"""P18, P22 of docs/security.md: an action that cannot be checked is refused."""

from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse
from redis.exceptions import RedisError

from accounts.models import User
from games import settlement
from games.models import Match
from games.services import tables
from games.services.tables import table_join, table_open
from ledger.models import Entry
from ledger.services import books
from tests.desk.conftest import PASSWORD

pytestmark = pytest.mark.django_db

#: each check between sitting down and the escrow, in Python: (module, name)
CHECKS = [
    (tables, "guest_check"),
    (settlement, "stakes_escrow"),
    (settlement, "_scopes"),
    (books, "_refuse_negative"),
    (books, "lines_of"),
    (books, "transfer_post"),
]
#: and in the database: (name, arguments, what it returns)
FUNCTIONS = [
    ("ledger_play_used", "p_wallet bigint, p_measure text, p_since timestamptz", "bigint"),
    ("ledger_stake_allowed", "p_owner bigint, p_wallet bigint, p_cents bigint", None),
    ("ledger_kind_allows", "p_kind text, p_account text, p_amount bigint", None),
]


class Broken(Exception):
    """A broken check."""


@pytest.fixture
def asked(magriel: User) -> Any:
    """A table of magriel, and hilde, who wants to sit down."""
    hilde = User.objects.create_user("hilde")
    return table_open(user=magriel, mode="prize5", stake_cents=250), hilde


def refused(asked: Any, tables_digest: Any, error: type[Exception]) -> None:
    """Check that sitting down fails with this error and changes nothing."""
    table, hilde = asked
    before = tables_digest()
    with pytest.raises(error):
        table_join(user=hilde, table_id=table.pk)
    assert tables_digest() == before
    assert not Match.objects.exists()
    assert not Entry.objects.filter(transfer__kind="stake").exists()


@pytest.mark.parametrize(("module", "name"), CHECKS, ids=[name for _, name in CHECKS])
def test_p22_a_broken_check_lets_no_stake_through(
    asked: Any, tables_digest: Any, monkeypatch: Any, module: Any, name: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise Broken(name)

    monkeypatch.setattr(module, name, broken)
    refused(asked, tables_digest, Broken)


@pytest.mark.parametrize("name", [name for name, *_ in FUNCTIONS])
def test_p22_a_broken_check_of_the_database_lets_no_stake_through(
    asked: Any, magriel: User, tables_digest: Any, name: str
) -> None:
    from ledger.services.limits import limit_set

    limit_set(user=magriel, measure="stake", period="day", amount_cents=10_000)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s", [name])
        (source,) = cursor.fetchone()
        head = source[: source.index("AS $")].replace("LANGUAGE sql", "LANGUAGE plpgsql")
        cursor.execute(f"{head} AS $b$ BEGIN RAISE 'broken on purpose'; END $b$")
    refused(asked, tables_digest, DatabaseError)


def test_p18_without_valkey_nobody_logs_in_and_no_limit_is_forgotten(
    magriel: User, settings: Any
) -> None:
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": "redis://127.0.0.1:1"}}
    client = Client()
    form = {"login": "magriel", "password": PASSWORD}
    with pytest.raises(RedisError):
        client.post(reverse("account_login"), form)
    assert "_auth_user_id" not in client.session


def test_p18_limits_are_counted_where_every_process_sees_them(settings: Any) -> None:
    assert settings.CACHES["default"]["BACKEND"].endswith("RedisCache")
