"""Changes to people that are more than one field."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction

from accounts.models import Language, Theme, User
from accounts.signals import access_ended


def preferences_save(user: User, *, language: str | None = None, theme: str | None = None) -> None:
    """Keep what a person prefers; None leaves a preference alone, "" forgets it.

    Raises ValueError on a language or theme the house does not have.
    """
    changed = []
    if language is not None:
        user.language = Language(language).value if language else ""
        changed.append("language")
    if theme is not None:
        user.theme = Theme(theme).value if theme else ""
        changed.append("theme")
    if changed:
        user.save(update_fields=changed)


@transaction.atomic
def user_disable(user: User) -> None:
    """Close an account: every session ends now and login is impossible."""
    user.is_active = False
    user.save(update_fields=["is_active"])
    sessions_end(user)


@transaction.atomic
def sessions_end(user: User, *, keep: str = "") -> None:
    """End every session of a person but the one with the key `keep`."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    for session in UserSession.objects.filter(user=user).exclude(session_key=keep):
        store.delete(session.session_key)
        session.delete()
    transaction.on_commit(lambda: access_ended.send(sender=User, user_id=user.pk, session_key=None))
