"""The last proof that the logged-in person is present: password, passkey or second factor.

A new login at a linked provider (accounts/providers) is one for people outside of the staff; the
login with which a session has begun there is none, as a provider may still remember its user.
"""

from collections.abc import Set
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.utils import timezone

_FACTOR: Final = frozenset({"mfa"})
_PROOFS: Final = frozenset({"password", "provider"}) | _FACTOR


def proved_at(request: Any, proofs: Set[str] = _PROOFS) -> datetime | None:
    """When the person of this session last gave one of these proofs.

    None where they never did in this session, and for a request that came in with a token.
    `request` is Django's or that of the REST framework.
    """
    if _came_with_token(request):
        return None
    if request.user.is_staff:
        proofs = proofs - {"provider"}
    records = get_authentication_records(request, request.user)
    shown = [record["at"] for record in records if record.get("method") in proofs]
    return datetime.fromtimestamp(max(shown), UTC) if shown else None


def proof_check(request: Any) -> None:
    """Do nothing if `proof_is_fresh`.

    Raises `ReauthenticationRequired`: the page then requires one, and the request goes on.
    """
    if not proof_is_fresh(request):
        raise ReauthenticationRequired


def owner_is_present(request: Any) -> bool:
    """Return True if the proof is fresh, and of the second factor where there is one."""
    return proof_is_fresh(request, _FACTOR if is_mfa_enabled(request.user) else _PROOFS)


def proof_is_fresh(request: Any, proofs: Set[str] = _PROOFS) -> bool:
    """Whether this session has a proof from the last `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    proof = proved_at(request, proofs)
    seconds = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return proof is not None and timezone.now() - proof <= timedelta(seconds=seconds)


def _came_with_token(request: Any) -> bool:
    return bool(request.headers.get("Authorization"))
