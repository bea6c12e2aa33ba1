"""allauth's provider of OpenID Connect, with a nonce, checked signatures, and little that is kept.

PKCE goes with every login. A link is stored under a hash of issuer and subject, so that another
issuer under the same id opens no account, and with one label that its owner recognises.
"""

import hashlib
from typing import Any, Final, cast

import jwt
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest

from accounts.providers.answers import (
    Answer,
    KeysDoNotFit,
    ProviderWrong,
    discovery,
    keys_of,
    user_info,
)

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


LABEL_LENGTH_MAX: Final = 120


class Exchange(OpenIDConnectOAuth2Adapter):
    """From the code that the browser brings to what the provider says about the person."""

    @property
    def provider(self) -> "HouseProvider":
        """The provider of this exchange."""
        return cast(HouseProvider, get_adapter().get_provider(self.request, self.provider_id))

    @property
    def openid_config(self) -> Answer:
        """The provider's description of itself."""
        return discovery(self.provider.issuer)

    def get_access_token_data(
        self, request: HttpRequest, app: Any, client: Any, pkce_code_verifier: str | None = None
    ) -> Any:
        """Exchange the code, and remember which nonce must come back."""
        self._nonce = nonce_of(pkce_code_verifier or "")
        try:
            return super().get_access_token_data(request, app, client, pkce_code_verifier)
        except (KeyError, ValueError) as error:
            raise ProviderWrong("the answer to the code cannot be read") from error

    def complete_login(
        self, request: HttpRequest, app: Any, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return who logs in. Raises `ProviderWrong` or `ProviderAway`."""
        found, id_token = self.openid_config, kwargs["response"].get("id_token")
        if not isinstance(id_token, str):
            raise ProviderWrong("there is no id token")
        meant = {"issuer": found["issuer"], "client_id": app.client_id, "nonce": self._nonce}
        try:
            claims = claims_checked(id_token, keys_of(found, newest=False), **meant)
        except KeysDoNotFit:
            claims = claims_checked(id_token, keys_of(found, newest=True), **meant)
        if "email" not in claims:
            told = user_info(found, token.token, subject=claims["sub"])
            claims |= {key: told[key] for key in told.keys() - claims.keys()}
        login: SocialLogin = self.provider.sociallogin_from_response(request, claims)
        login.authenticated_at = claims.get("auth_time")  # type: ignore[attr-defined]  # ours
        return login


class HouseProvider(OpenIDConnectProvider):
    """One of the operator's providers."""

    oauth2_adapter_class = Exchange
    supports_token_authentication = False

    @property
    def issuer(self) -> str:
        """The address that the operator states, and that tokens must name."""
        return str(self.app.settings["server_url"])

    def get_pkce_params(self) -> dict[str, Any]:
        """Return a new secret for the session, its hash for the provider, and the nonce."""
        params = generate_code_challenge()
        return {**params, "nonce": nonce_of(params["code_verifier"])}

    def serialize(self) -> dict[str, Any]:
        """Return how a session names this provider: two of them may have one client id."""
        return {"id": self.app.provider_id}

    def extract_uid(self, data: Answer) -> str:
        """Return the hash under which the link is stored."""
        return hashlib.sha256(f"{self.issuer}\n{data['sub']}".encode()).hexdigest()

    def extract_extra_data(self, data: Answer) -> dict[str, str]:
        """Return the one word by which the owner recognises the link."""
        for name in ("email", "preferred_username", "name"):
            if isinstance(data.get(name), str) and data[name].strip():
                return {"label": data[name].strip()[:LABEL_LENGTH_MAX]}
        return {"label": ""}

    def extract_common_fields(self, data: Answer) -> dict[str, str]:
        """Return what the form of the sign-up proposes."""
        proposed = {"email": data.get("email"), "username": data.get("preferred_username")}
        texts = {name: value for name, value in proposed.items() if isinstance(value, str)}
        return texts | ({"email": texts["email"].lower()} if "email" in texts else {})

    def extract_email_addresses(self, data: Answer) -> list[EmailAddress]:
        """Return the person's address; it is confirmed only if the provider says just that."""
        if not isinstance(data.get("email"), str):
            return []
        said = data.get("email_verified")
        verified = said is True or said == "true"
        return [EmailAddress(email=data["email"].lower(), verified=verified, primary=True)]


def label_of(link: SocialAccount) -> str:
    """Return the word by which its owner recognises a link."""
    return str(link.extra_data.get("label", ""))


provider_classes = [HouseProvider]
