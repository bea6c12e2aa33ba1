"""The last proof that the logged-in person is present: password, passkey or second factor."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.utils import timezone

_PROOFS: Final = frozenset({"password", "mfa"})


def proved_at(request: Any) -> datetime | None:
    """When the person of this session last gave a password, a passkey or a second factor.

    None where they never did in this session, and for a request that came in with a token.
    `request` is Django's or that of the REST framework.
    """
    if _came_with_token(request):
        return None
    records = get_authentication_records(request, request.user)
    shown = [record["at"] for record in records if record.get("method") in _PROOFS]
    return datetime.fromtimestamp(max(shown), UTC) if shown else None


def proof_check(request: Any) -> None:
    """Do nothing if `proof_is_fresh`.

    Raises `ReauthenticationRequired`: the page then requires one, and the request goes on.
    """
    if not proof_is_fresh(request):
        raise ReauthenticationRequired


def proof_is_fresh(request: Any) -> bool:
    """Whether this session has a proof from the last `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    proof = proved_at(request)
    seconds = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return proof is not None and timezone.now() - proof <= timedelta(seconds=seconds)


def _came_with_token(request: Any) -> bool:
    return bool(request.headers.get("Authorization"))
