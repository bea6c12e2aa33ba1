"""`REDIS_URL` names Valkey in a form that all parts read, or nothing starts."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from kit.valkey.address import Sentinels, sentinels_of
from kit.valkey.clients import broker_settings, cache_settings
from pasch import environment
from tests.platform.test_settings import deployed

REFUSED = [
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
READ = ["redis://a:6379", "rediss://me:secret@a:6379/1", "redis://[::1]:6379/0", "unix:///s?db=1"]
READ += ["redis+sentinel://a/house", "rediss+sentinel://me:s%40@a:1,[::1]:2/house/4"]


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_nothing_reads_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    with pytest.raises(ImproperlyConfigured, match=r"^REDIS_URL [a-z].*\.$") as refused:
        environment.valkey("REDIS_URL", "")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("address", READ)
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


@pytest.mark.parametrize("address", READ)
def test_a_comma_does_not_divide_the_address_of_the_cache(address: str, settings: Any) -> None:
    assert cache_settings(address)["LOCATION"] == [address]


NOT_STARTED = [
    ({"REDIS_URL": REFUSED[0]}, "REDIS_URL must name one server"),
    ({"QUEUE_URL": REFUSED[0]}, "QUEUE_URL must name one server"),
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
