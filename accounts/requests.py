"""Requests as views receive them: what middleware adds, and a user who is a person.

They differ from Django's for type checkers alone. `login_required` and its like keep everybody out
whose `user` would be an `AnonymousUser`.
"""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails
from rest_framework.request import Request

from accounts.models import User


class PageRequest(HttpRequest):
    """The request of a page; `htmx` is whether a part of the page made it, and which."""

    htmx: HtmxDetails


class SignedInRequest(PageRequest):
    """The request of a page that only logged-in people reach."""

    user: User


class SignedInApiRequest(Request):
    """The request of an API operation; its permissions refuse anonymous requests."""

    user: User
