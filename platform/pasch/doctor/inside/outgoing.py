"""Mails that wait to be sent, and providers of logins."""

from datetime import timedelta
from typing import Final

from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.utils import timezone

from accounts.models import OutgoingMail
from accounts.providers.answers import discovery
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong

#: beat sends what is due every 15 seconds
SENT_WITHIN: Final = timedelta(minutes=10)


@inside("postgresql")
def mails() -> Diagnosis:
    """No mail waits because of an error, or because nothing sends it."""
    waiting = OutgoingMail.objects.filter(sent_at=None)
    if failed := waiting.exclude(last_error="").order_by("-next_try_at").first():
        number = waiting.exclude(last_error="").count()
        hours = (timezone.now() - failed.created_at).total_seconds() / 3600
        text = f"{number} mails could not be sent; one of {hours:.0f} h ago: {failed.last_error}"
        return warning(text, "the desk lists them and can send them again")
    due = timezone.now() - SENT_WITHIN
    if number := waiting.filter(next_try_at__lt=due).count():
        text = f"{number} mails have waited for more than ten minutes"
        return wrong(text, "look at the checks workers and beat")
    return ok("no mail waits")


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
