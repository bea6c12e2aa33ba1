"""Our changes to allauth beyond its settings: names, limits on passwords, mails, secrets."""

import base64
import hashlib
import hmac
import logging
import time
from dataclasses import asdict
from smtplib import SMTPException
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.views import SignupView
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.views import SignupView as ProviderSignupView
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import proof_is_fresh
from accounts.crowds import SIGN_UP, Crowded, door_pass
from accounts.deletions import deletion_waiting, keep_token
from accounts.guests import guest_for_account
from accounts.login_limits import try_count, try_give_back
from accounts.mailboxes import mailbox_of
from accounts.mails import mail_enqueue
from accounts.models import User
from accounts.names import normalised, skeleton
from accounts.past_names import is_kept
from accounts.providers.adapter import more_proofs
from accounts.services import connections_end
from accounts.signals import guest_registered
from house.parts import HousePart
from house.reader import house_now
from kit.throttle import Rate, take, uncount

logger = logging.getLogger("security")

#: mails that are sent to any address that a visitor types, by purpose
CAUSED_BY_STRANGERS: Final = {
    "account/email/password_reset_key": "reset",
    "account/email/unknown_account": "reset",
    "account/email/account_already_exists": "sign-up",
    "account/email/email_confirmation": "sign-up",
    "account/email/email_confirmation_signup": "sign-up",
}
#: how many of each kind a mailbox gets.
MAILS: Final = (Rate(4, 3_600), Rate(10, 86_400))


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up that refuses names that look like an existing name."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": gettext_lazy("This name is taken."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the stored spelling; raise ValidationError for a bad or a look-alike name."""
        cleaned: str = super().clean_username(normalised(username), shallow=shallow)
        key = skeleton(cleaned)
        if not shallow and (User.objects.filter(name_key=key).exists() or is_kept(key)):
            raise ValidationError(
                _("This name looks too much like one that is taken."), code="name_lookalike"
            )
        return cleaned

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a try that is one too many before any password is looked at, and log it."""
        self._counted = try_count(request, credentials)
        if self._counted is None:
            address = request.META.get("REMOTE_ADDR", "")
            event = {"event": "login_limited", "address": address}
            logger.warning("login limited", extra={"event": event})
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """Do not count a try with the right password; allauth calls this then."""
        try_give_back(self._counted or [])

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Offer to keep an account that waits for its deletion, after the right password.

        No login happens: the page only opens the account again, and its owner then logs in.
        """
        waiting = deletion_waiting(user.pk)
        if waiting is None:
            return super().respond_user_inactive(request, user)
        return redirect("account_keep", keep_token(waiting))

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Ask for a fresh proof of people without a password, too, and for every link.

        allauth asks nobody who has neither a password nor a second factor. Raises
        `ReauthenticationRequired`.
        """
        request = allauth_context.request
        user = request.user if request else None
        asked = user is None or user.has_usable_password() or is_mfa_enabled(user)
        if asked and app != "allauth.socialaccount":
            return bool(super().is_reauthentication_required(app=app, **more))
        if not proof_is_fresh(request):
            raise ReauthenticationRequired
        return False

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return how a person can prove to be present; who has no way gets one by mail."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [*ways, *more_proofs(user, has_some=bool(ways))] if user.is_authenticated else ways

    def format_email_subject(self, subject: str) -> str:
        """Begin the subject of a mail with the name of the house, where it was set at the desk."""
        name = house_now().content(HousePart.NAME).get("name")
        return f"[{name}] {subject}" if name else str(super().format_email_subject(subject))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; limit those per mailbox and hour that a stranger can cause.

        Mails above the limit are not sent. The page is the same, so it reveals nothing about
        accounts. The links of the earlier mails stay valid. While the mail server is away the mail
        waits in the outbox.
        """
        kind = CAUSED_BY_STRANGERS.get(template_prefix)
        if kind is not None and not self._may_mail(kind, email):
            event = {"event": "mail_limited", "mail": kind}
            logger.warning("mail limited", extra={"event": event})
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:  # the page is answered, the mail is sent later
            logger.warning("no mail server: %s", type(error).__name__)
            message = self.render_mail(template_prefix, email, self._mail_context(email, context))
            mail_enqueue(
                to=email, subject=str(message.subject), body=str(message.body), about="account"
            )

    @staticmethod
    def _mail_context(email: str, context: dict[str, Any]) -> dict[str, Any]:
        """The values that allauth passes to the text of a mail."""
        request = allauth_context.request
        return {
            "request": request,
            "email": email,
            "current_site": get_current_site(request),
            **context,
        }

    @staticmethod
    def _may_mail(kind: str, email: str) -> bool:
        mailbox = hashlib.sha256(mailbox_of(email).encode()).hexdigest()
        return all(take(f"mail-{kind}-{r.seconds}", mailbox, r) for r in MAILS)

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: Any, commit: bool = True
    ) -> AbstractBaseUser:
        """Save a new person; while too many sign up, only with a proof of work.

        A guest's row becomes the account, with the guest's games (docs/practice.md). If another
        person got the name a moment before, the form says so beside it, and the try does not count.
        """
        try:
            counted = door_pass(request, SIGN_UP)
        except Crowded as error:
            raise ImmediateHttpResponse(_crowded(request, form)) from error
        try:
            with transaction.atomic():
                guest = guest_for_account(request.session)
                saved = super().save_user(request, guest or user, form, commit=commit)
                if guest is not None:
                    guest_registered.send(sender=User, user=guest)
                    connections_end(guest.pk)
        except IntegrityError as error:
            if "name" not in str(error):
                raise
            for key in counted:
                uncount(key)
            form.add_error("username", _("This name has just been taken by somebody else."))
            raise ImmediateHttpResponse(_form_again(request, form, 409)) from error
        return saved


def _crowded(request: HttpRequest, form: Any) -> HttpResponse:
    """The answer to a sign-up that needs a proof: the form again, or JSON for a program."""
    text = _(
        "Many people are signing up right now, so your browser has to solve a small puzzle. Type"
        " your password again and register; it takes a moment, and it needs JavaScript."
    )
    if "password1" not in form.fields:
        text = _(
            "Many people are signing up right now, so your browser has to solve a small puzzle."
            " Register again; it takes a moment, and it needs JavaScript."
        )
    if request.accepts("text/html"):
        form.add_error(None, text)
        response = _form_again(request, form, 429, proof_needed=True)
    else:
        puzzle = asdict(SIGN_UP.puzzle(request.META.get("REMOTE_ADDR", "")))
        told = {"code": "proof_needed", "message": text, "challenge": puzzle.pop("text"), **puzzle}
        response = JsonResponse(told, status=429)
    response["Retry-After"] = str(3_600 - int(time.time()) % 3_600)
    return response


def _form_again(request: HttpRequest, form: Any, status: int, **more: Any) -> HttpResponse:
    """The page of the sign-up with what was typed, and an error in the form."""
    view: SignupView | ProviderSignupView = SignupView()
    if hasattr(form, "sociallogin"):
        view = ProviderSignupView()
        view.sociallogin = form.sociallogin
    view.setup(request)
    shown = view.get_context_data(form=form, **more)
    response: HttpResponse = view.render_to_response(shown, status=status)
    return response


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
