"""Requests as views receive them: what middleware adds, and a user who is a person.

They differ from Django's for type checkers alone. `login_required` and its like keep everybody out
whose `user` would be an `AnonymousUser`.
"""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails
from rest_framework.request import Request

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # the model that `AUTH_USER_MODEL` names


class PageRequest(HttpRequest):
    """The request of a page; `htmx` is whether a part of the page made it, and which."""

    htmx: HtmxDetails


class SignedInRequest(PageRequest):
    """The request of a page that only logged-in people reach."""

    user: "_User"


class SignedInApiRequest(Request):
    """The request of an API operation; its permissions refuse anonymous requests."""

    user: "_User"
