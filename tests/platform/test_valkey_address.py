"""`REDIS_URL` names one server in a form that all parts read, or the house does not start."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from pasch import environment
from tests.platform.test_settings import deployed

ONE_SERVER = "REDIS_URL must name one server as redis://, rediss:// or unix://"
REFUSED = [
    "redis+sentinel://:secret@a:26379,b:26379/house/0",
    "sentinel://:secret@a:26379",
    "redis+cluster://:secret@a:6379",
    "redis://:secret@a:6379,b:6379/0",
    "redis://:secret@",
    "redis://:secret@a:port",
    "redis://:secret@[a",
    "unix://",
    "a:6379",
]
READ = ["redis://a:6379", "rediss://me:secret@a:6379/1", "redis://[::1]:6379/0", "unix:///s?db=1"]


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_nothing_reads_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.one_valkey("REDIS_URL", "")
    assert str(refused.value).startswith(ONE_SERVER)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("address", READ)
def test_an_address_of_one_server_is_read(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    assert environment.one_valkey("REDIS_URL", "") == address
    monkeypatch.setenv("REDIS_URL", "")
    assert environment.one_valkey("REDIS_URL", address) == address


@pytest.mark.parametrize("address", REFUSED[:3])
def test_the_web_server_does_not_start_with_sentinel_or_a_cluster(address: str) -> None:
    refused = deployed("-m", "pasch.serve", REDIS_URL=address)
    assert refused.returncode != 0
    assert f"The web server does not start: {ONE_SERVER}" in refused.stderr
    assert "secret" not in refused.stderr
