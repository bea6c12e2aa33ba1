"""`DATABASE_URL` names one PostgreSQL or several; what is wrong with it is said without secrets."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from pasch.postgresql.address import database
from tests.platform.test_settings import deployed

TWO = {"HOST": "a,b", "PORT": "5432,5433", "NAME": "pasch", "USER": "u", "PASSWORD": "p"}
READ: list[tuple[str, dict[str, str]]] = [
    ("postgresql://u:p@a:5432,b:5433/pasch", TWO),
    ("postgresql://u:p@/pasch?host=a,b&port=5432,5433", TWO),
    ("postgres://u:p@a:5432,b:5433/pasch", TWO),
    ("postgresql://u:p@a,b/pasch", TWO | {"PORT": ","}),
    ("postgresql://u:p@[::1]:1,b/pasch", TWO | {"HOST": "::1,b", "PORT": "1,"}),
    ("postgresql://u:p@a/pasch", TWO | {"HOST": "a", "PORT": ""}),
    ("postgresql://u:p%40%2F@a/pasch", TWO | {"HOST": "a", "PORT": "", "PASSWORD": "p@/"}),
    ("postgresql://u:p@p@a/pasch", TWO | {"HOST": "a", "PORT": "", "PASSWORD": "p@p"}),
    ("postgresql://u@/pasch?host=%2Fs", TWO | {"HOST": "/s", "PORT": "", "PASSWORD": ""}),
    ("postgresql://u:p@/pasch?host=a,b&port=5432", TWO | {"PORT": "5432"}),
]
REFUSED = [
    ("a:5432/pasch", "must begin with postgresql://"),
    ("mysql://u:secret@a/pasch", "must begin with postgresql://"),
    ("postgresql://u:secret@a", "names no database"),
    ("postgresql://u:secret@a,,b/pasch", "host 2 of 3 is empty"),
    ("postgresql://u:secret@a,/pasch", "host 2 of 2 is empty"),
    ("postgresql://u:secret@/pasch?host=a,b,c&port=1,2", "3 hosts and 2 ports"),
    ("postgresql://u:secret@a:1,b:port/pasch", "port 2 is 'port'"),
    ("postgresql://u:secret@a:65536/pasch", "port 1 is '65536'"),
    ("postgresql://u:secret@[::1/pasch", "its host or port cannot be read"),
    ("postgresql://u:secret%zz@a/pasch", "its user or password cannot be read"),
    ("postgresql://u:secret@a/pasch%zz", "its name of a database cannot be read"),
    ("postgresql://u@a/pasch?password=secret%zz", "a parameter after the question mark"),
    ("postgresql://u:secret@a/pasch?target=any", 'libpq has no parameter "target"'),
    ("postgresql://u:secret@a/pasch?target_session_attrs=master", "must be one of read-write,"),
]


@pytest.mark.parametrize(("address", "expected"), READ)
def test_an_address_of_one_or_several_servers_is_read(
    address: str, expected: dict[str, str]
) -> None:
    found = database("DATABASE_URL", address)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(("address", "reason"), REFUSED)
def test_what_is_wrong_is_said_without_the_password(address: str, reason: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        database("SOME_URL", address)
    assert str(refused.value).startswith("SOME_URL is not the address of a PostgreSQL: ")
    assert reason in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("address", ["postgresql://u@a/pasch", "postgresql://u@a,b/pasch"])
def test_connections_are_those_that_take_changes_unless_the_operator_says_otherwise(
    address: str,
) -> None:
    assert _options(address)["target_session_attrs"] == "read-write"
    chosen = _options(f"{address}?target_session_attrs=any&connect_timeout=7&tcp_user_timeout=1")
    assert chosen["target_session_attrs"] == "any"
    assert (chosen["connect_timeout"], chosen["tcp_user_timeout"]) == ("7", "1")


def test_a_server_that_is_gone_is_waited_for_less_where_there_are_others() -> None:
    assert _options("postgresql://u@a/pasch")["connect_timeout"] == "3"
    assert _options("postgresql://u@a,b/pasch")["connect_timeout"] == "2"


def test_the_web_server_does_not_start_with_a_false_address() -> None:
    refused = deployed("-m", "pasch.serve", DATABASE_URL="postgresql://u:secret@a,/pasch")
    assert refused.returncode == 1
    reason = "DATABASE_URL is not the address of a PostgreSQL: host 2 of 2 is empty."
    assert refused.stderr == f"The web server does not start: {reason}\n"


def _options(address: str) -> dict[str, Any]:
    options: dict[str, Any] = database("DATABASE_URL", address)["OPTIONS"]
    return options
