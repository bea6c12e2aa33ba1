"""The providers with which people log in."""

from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings

from accounts.providers.answers import discovery
from pasch.doctor.registry import Diagnosis, inside, ok, wrong


@inside()
def login_providers() -> Diagnosis:
    """Each provider answers, and states the issuer that the operator has set."""
    for provider in settings.LOGIN_PROVIDERS:
        try:
            discovery(provider.url)
        except OAuth2Error as error:
            text = f"nobody can log in with {provider.name}: {error}"
            return wrong(text, f"compare {provider.id} in OIDC_PROVIDERS with {provider.url}")
    number = len(settings.LOGIN_PROVIDERS)
    return ok(f"{number} providers answer" if number else "nobody logs in by another provider")
