"""Addresses and keys of a provider, fetched from it and kept for minutes."""

import time
from typing import Any, Final

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from requests import RequestException

from accounts.providers.configuration import is_safe_address

KEPT_SECONDS: Final = 600
#: a provider that did not answer, or whose keys do not fit, is not asked again for this long
AWAY_SECONDS: Final = 5
_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_NEEDED: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")

Answer = dict[str, Any]


class ProviderAway(OAuth2Error):
    """A provider does not answer, or not in JSON."""


class ProviderWrong(OAuth2Error):
    """The answer of a provider is not what it must be."""


class KeysDoNotFit(ProviderWrong):
    """None of the keys that are known signed it; the provider may have new ones."""


_kept: dict[str, tuple[float, Answer | ProviderAway]] = {}


def discovery(issuer: str) -> Answer:
    """Return what the provider says about itself. Raises `ProviderAway` or `ProviderWrong`."""
    found = _remembered(issuer.rstrip("/") + _WELL_KNOWN)
    if str(found.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
        raise ProviderWrong("the provider states another issuer")
    for name in _NEEDED:
        if not is_safe_address(found.get(name)):
            raise ProviderWrong(f"the provider states no {name} with https")
    return found


def keys_of(found: Answer, *, newest: bool) -> Answer:
    """Return the provider's keys: those kept, or the newest if it was not asked just now."""
    url = found["jwks_uri"]
    if newest:
        _forget(url, older_than=AWAY_SECONDS)
    return _remembered(url)


def user_info(found: Answer, token: str, *, subject: str) -> Answer:
    """Return what the provider tells about this person beside the token; nothing if it cannot."""
    url = found.get("userinfo_endpoint")
    if not is_safe_address(url):
        return {}
    told = fetched(str(url), Authorization=f"Bearer {token}")
    if told.get("sub") != subject:
        raise ProviderWrong("the provider tells about another person")
    return told


def fetched(url: str, **headers: str) -> Answer:
    """Return the JSON object at an address. Raises `ProviderAway` or `ProviderWrong`."""
    try:
        with get_adapter().get_requests_session() as session:
            response = session.get(url, headers=headers)
            response.raise_for_status()
            answer = response.json()
    except RequestException as error:
        raise ProviderAway(type(error).__name__) from error
    if not isinstance(answer, dict):
        raise ProviderWrong("the provider answers with no object")
    return answer


def _remembered(url: str) -> Answer:
    now = time.monotonic()
    until, answer = _kept.get(url, (0.0, ProviderAway()))
    if until <= now:
        try:
            answer = fetched(url)
        except ProviderAway as error:
            answer = error
        away = isinstance(answer, ProviderAway)
        _kept[url] = (now + (AWAY_SECONDS if away else KEPT_SECONDS), answer)
    if isinstance(answer, ProviderAway):
        raise ProviderAway(*answer.args)
    return answer


def _forget(url: str, *, older_than: float) -> None:
    until, _answer = _kept.get(url, (0.0, None))
    if until - KEPT_SECONDS + older_than <= time.monotonic():
        _kept.pop(url, None)
