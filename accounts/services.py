"""Changes to people that are more than one field."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction

from accounts.calendar_feeds import feed_end
from accounts.models import User
from accounts.preferences import COLUMNS, PREFERENCES, Value
from accounts.signals import access_ended


def preferences_save(user: User, **chosen: Value) -> None:
    """Store what a person prefers, by the keys of PREFERENCES; what is not named stays.

    "" forgets the language or the theme. Raises ValueError on an unknown key or value.
    """
    for key, value in chosen.items():
        known = PREFERENCES.get(key)
        forgets = key in COLUMNS and value == ""
        if known is None or not (forgets or known.allows(value)):
            raise ValueError(f"{key} has no value {value!r}")
    if not chosen:
        return
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).only("preferences").get(pk=user.pk)
        rest = {key: value for key, value in chosen.items() if key not in COLUMNS}
        user.preferences = {**row.preferences, **rest}
        columns = [key for key in COLUMNS if key in chosen]
        for key in columns:
            setattr(user, key, chosen[key])
        user.save(update_fields=["preferences", *columns])


@transaction.atomic
def user_disable(user: User) -> None:
    """Close an account: sessions and calendar address end now, and login is impossible."""
    user.is_active = False
    user.save(update_fields=["is_active"])
    feed_end(user.pk)
    sessions_end(user)


@transaction.atomic
def sessions_end(user: User, *, keep: str = "") -> None:
    """End every session of a person but the one with the key `keep`."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    for session in UserSession.objects.filter(user=user).exclude(session_key=keep):
        store.delete(session.session_key)
        session.delete()
    connections_end(user.pk)


def connections_end(user_id: int) -> None:
    """Close every open connection of a person once the current transaction is committed."""
    transaction.on_commit(lambda: access_ended.send(sender=User, user_id=user_id, session_key=None))
