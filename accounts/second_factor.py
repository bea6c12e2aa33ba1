"""Secrets of second factors are stored encrypted: reading the database is not enough for codes.

The key is derived from `SECRET_KEY`; `SECRET_KEY_FALLBACKS` still open what older keys closed.
"""

import base64
import hashlib
import hmac

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

from house.reader import house_now

PURPOSE = b"pasch second factor v1"


class SecondFactorAdapter(DefaultMFAAdapter):
    """allauth's second factors, with their secrets encrypted at rest."""

    def get_totp_issuer(self) -> str:
        """The name of the house, as an authenticator shows it."""
        return house_now().name

    def encrypt(self, text: str) -> str:
        """Return the text as a token that only this house can open."""
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the text of a token; raises InvalidToken if it was closed by a strange key."""
        return _keys().decrypt(encrypted_text.encode()).decode()


def _keys() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str) -> bytes:
    digest = hmac.new(secret.encode(), PURPOSE, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest)
