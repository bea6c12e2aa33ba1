"""Receivers of the login's signals."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from accounts.guests import SESSION_KEY
from accounts.login_marks import device_learn
from accounts.mailboxes import identity_note, mailbox_note
from accounts.models import User
from accounts.reader_preferences import device_choices
from accounts.services import preferences_save
from accounts.signals import access_ended
from accounts.tokens import tokens_end


def password_changed(*, user: User, **_: Any) -> None:
    """A new password ends all sessions of the old one, and all tokens made by them."""
    tokens_end(user)
    _tell(user.pk, None)


def logged_out(*, request: HttpRequest, user: User | AnonymousUser | None, **_: Any) -> None:
    """Logging out ends what this session holds open."""
    if user is not None and user.pk is not None:
        _tell(user.pk, request.session.session_key)


def logged_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A login ends the guest, who keeps the games, and stores the browser."""
    request.session.pop(SESSION_KEY, None)
    device_learn(request, user.pk)


def signed_up(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A new account takes over what its browser had chosen."""
    preferences_save(user, **device_choices(request.COOKIES))


def password_reset(*, request: HttpRequest | None = None, user: User, **_: Any) -> None:
    """A link from the mailbox was followed: store this browser, as after a login."""
    if request is not None:
        device_learn(request, user.pk)


def person_saved(*, instance: User, raw: bool, update_fields: Any, **_: Any) -> None:
    """The address of an account is written down as a mailbox whenever it may have changed."""
    if instance.email and not raw and (update_fields is None or "email" in update_fields):
        mailbox_note(instance, instance.email)


def address_saved(*, instance: EmailAddress, raw: bool, **_: Any) -> None:
    """An address that was added or confirmed is written down as a mailbox."""
    if not raw:
        mailbox_note(instance.user, instance.email, proved=instance.verified)


def link_saved(*, instance: SocialAccount, raw: bool, created: bool, **_: Any) -> None:
    """A login by a provider was linked: it is written down as a mailbox is."""
    if created and not raw:
        identity_note(instance.user, instance.provider, instance.uid)


def session_deleted(*, instance: Any, **_: Any) -> None:
    """A session ended from the list of sessions."""
    _tell(instance.user_id, instance.session_key)


def _tell(user_id: int, session_key: str | None) -> None:
    transaction.on_commit(
        lambda: access_ended.send(sender=User, user_id=user_id, session_key=session_key)
    )
