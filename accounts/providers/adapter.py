"""Our changes to allauth's logins by providers: who may come in, and what a failure says."""

import logging
import time
from typing import Any, Final, cast

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.internal.userkit import filter_users_by_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError, AuthProcess
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from requests import RequestException

from accounts.models import User
from accounts.providers.answers import ProviderAway
from accounts.providers.links import providers_open

#: where allauth keeps who is about to sign up
PENDING: Final = "socialaccount_sociallogin"
#: the key in a login's own data: when somebody was sent to confirm that they are present
CONFIRM: Final = "confirm"
#: how a session names such a confirmation (accounts/access.py)
METHOD: Final = "provider"
#: how far a provider's clock may be behind
LEEWAY_SECONDS: Final = 60

logger = logging.getLogger("security")


class ProviderAccountAdapter(DefaultSocialAccountAdapter):
    """Logins by the operator's providers; an account is never found by its mail address."""

    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "email_taken": gettext_lazy(
            "Another account has this mail address. If it is yours, log in to it and link %s there."
        ),
    }

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the operator's providers; rows of the database add none."""
        known = [
            SocialApp(
                provider="openid_connect",
                provider_id=each.id,
                name=each.name,
                client_id=each.client_id,
                secret=each.secret,
                settings={"server_url": each.url},
            )
            for each in settings.LOGIN_PROVIDERS
        ]
        return [app for app in known if provider in (None, app.provider, app.provider_id)]

    def authenticate_by_email(self, sociallogin: SocialLogin) -> None:
        """Do nothing: an address that a provider names opens no account."""

    def is_email_verified(self, provider: Any, email: str) -> bool:
        """Return False: an address is confirmed if the provider says so with it."""
        return False

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Propose a name and an address for the form; nothing else is taken over."""
        user = cast(User, sociallogin.user)
        user.username, user.email = data.get("username", "")[:30], data.get("email", "")
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """End a confirmation, and a sign-up with the confirmed address of another account."""
        began = (sociallogin.state.get("data") or {}).get(CONFIRM)
        if began is not None:
            raise ImmediateHttpResponse(_confirmed(request, sociallogin, began))
        if sociallogin.state.get("process") != AuthProcess.LOGIN or sociallogin.is_existing:
            return
        proved = [each.email for each in sociallogin.email_addresses if each.verified]
        if any(filter_users_by_email(email) for email in proved):
            name = sociallogin.provider.name
            messages.warning(request, self.error_messages["email_taken"] % name)
            raise ImmediateHttpResponse(redirect("account_login"))

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save a new person as every other sign-up does, and the link in the same transaction.

        Of the provider's addresses only the one that the person leaves in the form is kept.
        """
        chosen = (form.cleaned_data.get("email") or "").lower()
        sociallogin.email_addresses = [
            each for each in sociallogin.email_addresses if each.verified and each.email == chosen
        ]
        try:
            with transaction.atomic():
                new = cast(User, sociallogin.user)
                person = cast(User, get_account_adapter().save_user(request, new, form))
                sociallogin.user = person
                sociallogin.save(request)
        except ImmediateHttpResponse:  # the form comes again, and needs to know who asks
            request.session[PENDING] = sociallogin.serialize()
            raise
        except IntegrityError as error:
            link = sociallogin.account
            if not SocialAccount.objects.filter(provider=link.provider, uid=link.uid).exists():
                raise
            raise ImmediateHttpResponse(redirect("account_login")) from error
        return person

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Say what has failed, on the page where the login began; nothing has changed."""
        state = (extra_context or {}).get("state")
        cause = "cancelled" if error == AuthError.CANCELLED else _cause(state, exception)
        event = {"event": "provider_failed", "provider": provider.app.provider_id, "cause": cause}
        event["address"] = request.META.get("REMOTE_ADDR", "")
        logger.warning("provider failed", extra={"event": event})
        messages.error(request, failure_text(cause, provider.name))
        raise ImmediateHttpResponse(redirect(_start(request)))


FAILURES: Final = {
    "away": gettext_lazy(
        "%(provider)s does not answer right now. Please try again later, or log in another way."
    ),
    "cancelled": gettext_lazy("You have not logged in with %(provider)s."),
    "late": gettext_lazy(
        "This login with %(provider)s took too long, or began in another browser. Please try again."
    ),
    "wrong": gettext_lazy(
        "The answer of %(provider)s cannot be checked, so it does not count. Please try again."
    ),
}


def failure_text(cause: str, name: str) -> str:
    """Return the sentence about a login that has failed."""
    return str(FAILURES[cause]) % {"provider": name}


def is_away(error: Exception | None) -> bool:
    """Return True if the provider has not answered at all."""
    return isinstance(error, ProviderAway | RequestException)


def _cause(state: object, exception: Exception | None) -> str:
    if not state:
        return "late"
    return "away" if is_away(exception) else "wrong"


def _start(request: HttpRequest) -> str:
    signed_in = request.user.is_authenticated
    return reverse("socialaccount_connections" if signed_in else "account_login")


def _confirmed(request: HttpRequest, sociallogin: SocialLogin, began: float) -> HttpResponse:
    """Go on with what needed a proof, if the owner has just logged in at the provider again."""
    name, back = sociallogin.provider.name, sociallogin.get_redirect_url(request)
    user, shown = request.user, getattr(sociallogin, "authenticated_at", None)
    if not user.is_authenticated or user.is_staff or sociallogin.account.user_id != user.pk:
        text = _("That is not the login with %(provider)s that belongs to this account.")
    elif not isinstance(shown, int | float) or not _is_now(shown, began):
        text = _(
            "%(provider)s does not say that you have just logged in there, so it proves nothing."
            " Set a password by mail, and confirm with that."
        )
    else:
        record_authentication(request, user, METHOD, reauthenticated=True)
        # `resume_request` reads from here where to go on
        request.GET = QueryDict(urlencode({REDIRECT_FIELD_NAME: back or ""}))
        return resume_request(request) or redirect(back or "account")
    messages.error(request, text % {"provider": name})
    return redirect("account" if user.is_authenticated else "account_login")


def _is_now(shown: float, began: float) -> bool:
    return began - LEEWAY_SECONDS <= shown <= time.time() + LEEWAY_SECONDS


def more_proofs(user: User, *, has_some: bool) -> list[dict[str, str]]:
    """Return what proves that a person is present beside allauth's own ways.

    A new login at each linked provider; a link by mail for those who have nothing else.
    """
    ways = [
        {
            "id": f"provider_{provider.id}",
            "description": _("Confirm with %(provider)s") % {"provider": provider.name},
            "url": reverse("provider_confirm", args=[provider.id]),
        }
        for provider in (() if user.is_staff else providers_open(user))
    ]
    by_mail = {"id": "reset", "description": "", "url": reverse("account_reset_password")}
    return ways if ways or has_some else [by_mail]
