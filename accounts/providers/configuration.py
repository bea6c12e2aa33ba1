"""The providers that people can log in with, as the operator states them in `OIDC_PROVIDERS`."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

VARIABLE: Final = "OIDC_PROVIDERS"
FIELDS: Final = ("id", "name", "url", "client_id", "secret")
LONGEST: Final = {"id": 30, "name": 40, "url": 200, "client_id": 190, "secret": 500}
HERE: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_ID: Final = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class LoginProvider:
    """One provider. `url` is its issuer, which its tokens name; `id` stands in addresses."""

    id: str
    name: str
    url: str
    client_id: str
    secret: str = field(repr=False)


def login_providers(text: str) -> tuple[LoginProvider, ...]:
    """Return the providers of a JSON list, none for an empty text.

    Raises `ImproperlyConfigured` with what is wrong and where; it never repeats a secret.
    """
    if not text.strip():
        return ()
    try:
        stated = json.loads(text)
    except json.JSONDecodeError as error:
        raise _wrong(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(stated, list):
        raise _wrong("must be a list in JSON: [{…}, {…}]")
    providers = tuple(_provider(number, each) for number, each in enumerate(stated, 1))
    for each in ("id", "name"):
        found = [getattr(provider, each) for provider in providers]
        twice = next((value for value in found if found.count(value) > 1), None)
        if twice is not None:
            raise _wrong(f"has two providers with the {each} {twice!r}")
    return providers


def _provider(number: int, stated: Any) -> LoginProvider:
    if not isinstance(stated, dict):
        raise _wrong(f"must have an object at place {number}: {{…}}")
    for name in sorted(stated.keys() - set(FIELDS)):
        raise _wrong(f"has an unknown field {name!r} in provider {number}")
    for name in FIELDS:
        value = stated.get(name)
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= LONGEST[name]:
            raise _wrong(
                f"needs {name} in provider {number}: a text of 1 to {LONGEST[name]} letters"
            )
    provider = LoginProvider(**{name: stated[name].strip() for name in FIELDS})
    if not _ID.fullmatch(provider.id):
        raise _wrong(
            f"has the id {provider.id!r} in provider {number}: it must begin with a small letter,"
            " and have only small letters, digits and hyphens"
        )
    if not _is_issuer(provider.url):
        raise _wrong(
            f"has the url {provider.url!r} in provider {number}: it must be the issuer's address,"
            " with https:// and without a query"
        )
    return provider


def is_safe_address(address: object) -> bool:
    """Return True for an address with https, or with http on this machine."""
    if not isinstance(address, str):
        return False
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in HERE))


def _is_issuer(url: str) -> bool:
    return is_safe_address(url) and not set("?#@ ") & set(url)


def _wrong(what: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{VARIABLE} {what}.")
