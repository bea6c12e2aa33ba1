"""Requests of logged-in people, as views behind `login_required` and its like receive them.

They differ from Django's for type checkers alone: the user is a person, not an `AnonymousUser`.
"""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User


class SignedInRequest(HttpRequest):
    """The request of a page that only logged-in people reach."""

    user: User


class SignedInApiRequest(Request):
    """The request of an API operation; its permissions refuse anonymous requests."""

    user: User
