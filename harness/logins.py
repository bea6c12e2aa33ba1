"""Logging people in at the cost of one row: the session is stored without the login page."""

import time
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from accounts.models import User


def session_cookie(
    user: User, *, proved_ago: float | None = 0.0, method: str = "password"
) -> tuple[str, str]:
    """The name and the value of the cookie of a new session of this person.

    The password (or what `method` names) was given so many seconds ago; None for never.

    `Client.force_login` does the same with a dozen queries, as it begins with a new session.
    """
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    if proved_ago is not None:
        proof = {"method": method, "at": time.time() - proved_ago, "username": user.username}
        session["account_authentication_methods"] = [proof]
        session["account_authentication_methods_user"] = str(user.pk)
    session.create()
    return settings.SESSION_COOKIE_NAME, session.session_key


def logged_in(client: Client, user: User, **proof: Any) -> Client:
    """Give this client a new session of this person (see `session_cookie`) and return it."""
    name, value = session_cookie(user, **proof)
    client.cookies[name] = value
    return client
