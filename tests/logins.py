"""Logging people in at the price of one row: their session is written, nobody types a password."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from accounts.models import User


def session_cookie(user: User) -> tuple[str, str]:
    """The name and the value of the cookie of a new session of this person.

    `Client.force_login` gives the same after a dozen queries: it begins as a stranger's session.
    """
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return settings.SESSION_COOKIE_NAME, session.session_key


def logged_in(client: Client, user: User) -> Client:
    """This client, from now on in a new session of this person."""
    name, value = session_cookie(user)
    client.cookies[name] = value
    return client
