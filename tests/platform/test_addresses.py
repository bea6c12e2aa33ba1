"""`DATABASE_URL` and `REDIS_URL` name servers in forms that all parts read, or nothing starts."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from kit.valkey.address import Sentinels, sentinels_of
from kit.valkey.clients import broker_settings, cache_settings
from pasch import environment
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


# --- REDIS_URL ------------------------------------------------------------------------------------
VALKEY_REFUSED = [
    "redis://:secret@a:6379,b:6379/0",
    "redis+cluster://:secret@a:6379/0",
    "redis+cluster://:secret@a,b",
    "redis://:secret@",
    "redis://:secret@a:port",
    "redis://:secret@[a",
    "unix://",
    "a:6379",
    "sentinel://:secret@a:26379/house",
    "redis+sentinel://:secret@a:26379,b:26379",
    "redis+sentinel://:secret@a:26379/",
    "redis+sentinel://:secret@/house",
    "redis+sentinel://:secret@a:26379,/house",
    "redis+sentinel://:secret@a:port/house",
    "redis+sentinel://:secret@a:0/house",
    "redis+sentinel://:secret@[a/house",
    "redis+sentinel://:secret@a/house/zero",
    "redis+sentinel://:secret@a/house?db=1",
    "redis+sentinel://:secret@a/house?ssl_ca_certs=/ca.pem",
    "rediss+sentinel://:secret@a/house?ssl_cert_reqs=perhaps",
    "rediss+sentinel://:secret@a/house?ssl_nonsense=1",
]
VALKEY_READ = [
    "redis://a:6379",
    "rediss://me:secret@a:6379/1",
    "redis://[::1]:6379/0",
    "unix:///s?db=1",
]
VALKEY_READ += ["redis+sentinel://a/house", "rediss+sentinel://me:s%40@a:1,[::1]:2/house/4"]


@pytest.mark.parametrize("address", VALKEY_REFUSED)
def test_an_address_that_nothing_reads_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    with pytest.raises(ImproperlyConfigured, match=r"^REDIS_URL [a-z].*\.$") as refused:
        environment.valkey("REDIS_URL", "")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("address", VALKEY_READ)
def test_an_address_is_read(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    assert environment.valkey("REDIS_URL", "") == address
    monkeypatch.setenv("REDIS_URL", "")
    assert environment.valkey("REDIS_URL", address) == address


def told(address: str) -> Sentinels:
    found = sentinels_of(address)
    assert found is not None
    return found


def test_sentinels_have_ports_a_name_a_database_and_logins_of_their_own() -> None:
    plain = told("redis+sentinel://a,b:5,[::1]:7/house")
    assert plain.hosts == (("a", 26379), ("b", 5), ("::1", 7))
    assert (plain.name, dict(plain.server)) == ("house", {"db": 0})
    assert not {"username", "password", "ssl"} & set(plain.sentinel)

    whole = told(
        "redis+sentinel://me:s%40%2F@a/my%20house/4?sentinel_password=%2B&sentinel_username=u"
    )
    assert whole.name == "my house"
    assert dict(whole.server) == {"db": 4, "username": "me", "password": "s@/"}
    assert (whole.sentinel["username"], whole.sentinel["password"]) == ("u", "+")


def test_tls_holds_for_servers_and_sentinels() -> None:
    options = "ssl_ca_certs=%2Fca.pem&ssl_check_hostname=no"
    both = told(f"rediss+sentinel://a/house?{options}")
    for each in (both.server, both.sentinel):
        tls = {name: value for name, value in each.items() if name.startswith("ssl")}
        assert tls == {"ssl": True, "ssl_ca_certs": "/ca.pem", "ssl_check_hostname": False}
    broker = broker_settings("rediss+sentinel://a/house")
    assert broker.use_ssl == {"ssl_cert_reqs": "required"}
    assert broker.transport_options["sentinel_kwargs"]["ssl"] is True


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("redis://:p@a:6379/1", "redis://:p@a:6379/1"),
        ("unix:///run/s?db=2", "redis+socket:///run/s?virtual_host=2"),
        (
            "redis+sentinel://me:s%40@a,[::1]:7/house/4",
            "sentinel://me:s%40@a:26379/4;sentinel://me:s%40@[::1]:7/4",
        ),
        ("redis+sentinel://a/house", "sentinel://a:26379/0"),
    ],
)
def test_the_broker_is_named_as_celery_reads_it(address: str, url: str) -> None:
    assert broker_settings(address).url == url


@pytest.mark.parametrize("address", VALKEY_READ)
def test_a_comma_does_not_divide_the_address_of_the_cache(address: str, settings: Any) -> None:
    assert cache_settings(address)["LOCATION"] == [address]


NOT_STARTED = [
    ({"REDIS_URL": VALKEY_REFUSED[0]}, "REDIS_URL must name one server"),
    ({"QUEUE_URL": VALKEY_REFUSED[0]}, "QUEUE_URL must name one server"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "words"), NOT_STARTED)
def test_the_web_server_does_not_start_with_a_wrong_address(
    variables: dict[str, str], words: str
) -> None:
    refused = deployed("-m", "pasch.serve", **variables)
    assert refused.returncode != 0
    assert f"The web server does not start: {words}" in refused.stderr
    assert "secret" not in refused.stderr
