"""Checking an id token: who signed it, for whom, when, and in answer to what."""

import hashlib
from typing import Any, Final

import jwt

from accounts.providers.answers import Answer, KeysDoNotFit, ProviderWrong

#: what providers sign with; never a key that both sides share, and never none
ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
NEEDED: Final = ("iss", "aud", "sub", "exp", "iat", "nonce")
#: how far apart the two clocks may be
LEEWAY_SECONDS: Final = 60


def nonce_of(code_verifier: str) -> str:
    """Return the nonce that goes with a secret of this browser's session, and does not tell it."""
    return hashlib.sha256(b"nonce of " + code_verifier.encode()).hexdigest()


def claims_checked(
    token: str, keys: Answer, *, issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """Return what a token claims, if it is signed by one of these keys and meant for us now.

    Raises `ProviderWrong`, and `KeysDoNotFit` of it.
    """
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        claims: dict[str, Any] = jwt.decode(
            token,
            _key(keys, kid),
            algorithms=list(ALGORITHMS),
            issuer=issuer,
            audience=client_id,
            leeway=LEEWAY_SECONDS,
            options={"require": list(NEEDED)},
        )
    except jwt.InvalidSignatureError as error:
        raise KeysDoNotFit("no key of the provider signed the id token") from error
    except (jwt.PyJWTError, TypeError, ValueError) as error:
        raise ProviderWrong(type(error).__name__) from error
    audience = claims["aud"]
    if isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != client_id:
        raise ProviderWrong("the id token is meant for another one, too")
    if claims["nonce"] != nonce:
        raise ProviderWrong("the id token answers another request")
    return claims


def _key(keys: Answer, kid: str | None) -> jwt.PyJWK:
    known = jwt.PyJWKSet.from_dict(keys).keys
    fitting = [key for key in known if key.key_id == kid] if kid else known
    if len(fitting) != 1:
        raise KeysDoNotFit("no key of the provider fits the id token")
    return fitting[0]
