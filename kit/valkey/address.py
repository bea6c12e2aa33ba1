"""The address of Valkey: one server, or sentinels that name the primary of several.

`redis://`, `rediss://` and `unix://` are read by redis-py. Sentinels are written as

    redis+sentinel://[user:password@]host[:26379][,host[:26379]…]/NAME[/DATABASE][?options]

with the user and the password of the servers, the NAME that the sentinels use for them, and as
options `sentinel_username`, `sentinel_password` and, after `rediss+sentinel://` (TLS for servers
and sentinels), those in `TLS_OPTIONS`, as in redis-py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from redis.connection import parse_url

SENTINEL_PORT: Final = 26379

#: how long one sentinel may take before the next one is asked.
SENTINEL_SECONDS: Final = 0.5

TLS_OPTIONS: Final = {
    f"ssl_{name}" for name in ("ca_certs", "cert_reqs", "certfile", "check_hostname", "keyfile")
}

FORMS: Final = "redis://, rediss:// or unix://, or sentinels as redis+sentinel://host,host/NAME"

_LOGIN: Final = r"(?:(?P<user>[^@:/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
_SENTINELS: Final = re.compile(
    rf"redis(?P<tls>s?)\+sentinel://{_LOGIN}"
    r"(?P<hosts>[^@/?#]+)/(?P<name>[^/?#]+)(?:/(?P<db>[0-9]{1,4}))?/?(?:\?(?P<query>[^#]*))?"
)


class AddressError(ValueError):
    """An address that nothing reads; the text leaves the address out, which may have a password."""


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Where the sentinels are, and how to log in to them and to the servers that they watch."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    server: Mapping[str, Any]
    """Options of redis-py for a connection to a server."""
    sentinel: Mapping[str, Any]
    """Options of redis-py for a client of a sentinel."""


def check(address: str) -> None:
    """Raise `AddressError` for an address of neither kind."""
    if sentinels_of(address) is None and not _is_one(address):
        raise AddressError(f"must name one server as {FORMS}.")


@cache
def sentinels_of(address: str) -> Sentinels | None:
    """The sentinels that an address names; None for an address of another kind.

    Raises `AddressError`.
    """
    if "+sentinel:" not in address and not address.startswith("sentinel:"):
        return None
    found = _SENTINELS.fullmatch(address)
    if found is None:
        raise AddressError("must name sentinels as redis+sentinel://host:26379,host:26379/NAME.")
    query = dict(parse_qsl(found["query"] or ""))
    login = {key: query.pop(f"sentinel_{key}", None) for key in ("username", "password")}
    times = {"socket_timeout": SENTINEL_SECONDS, "socket_connect_timeout": SENTINEL_SECONDS}
    tls = _tls(found["tls"], query)
    return Sentinels(
        hosts=tuple(map(_host_and_port, found["hosts"].split(","))),
        name=unquote(found["name"]),
        server={"db": int(found["db"] or 0), **tls, **_login(found)},
        sentinel={**times, **tls, **_known(**login)},
    )


def _login(found: re.Match[str]) -> dict[str, str]:
    user, password = (unquote(found[name] or "") for name in ("user", "password"))
    return _known(username=user, password=password)


def _known(**options: str | None) -> dict[str, str]:
    return {name: value for name, value in options.items() if value}


def _tls(is_on: str, query: Mapping[str, str]) -> dict[str, Any]:
    if (not is_on and query) or not set(query) <= TLS_OPTIONS:
        raise AddressError("has unknown options after the “?”, or ssl_… without rediss+.")
    if query.get("ssl_cert_reqs", "required") not in ("required", "optional", "none"):
        raise AddressError("has ssl_cert_reqs with a value other than required, optional and none.")
    read = parse_url(f"redis://h?{urlencode(query)}")
    return {**{name: read[name] for name in query}, **({"ssl": True} if is_on else {})}


def _host_and_port(text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"redis://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0:
        raise AddressError("names a sentinel that is no host, or no host with a port.")
    return host, port or SENTINEL_PORT


def _is_one(address: str) -> bool:
    try:
        parts = urlsplit(address)
        port_is_valid = parts.port != 0
    except ValueError:  # a port that is no number, or half a bracket
        return False
    if parts.scheme == "unix":
        return bool(parts.path)
    host = parts.hostname or ""
    return parts.scheme in ("redis", "rediss") and host != "" and "," not in host and port_is_valid
