"""Clients of the interface, each logged in as a user."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from harness.logins import logged_in
from tests.ledger.conftest import administrator, anna, bert, hilde, magriel, person

__all__ = ["administrator", "anna", "bert", "hilde", "magriel", "person"]


class Program:
    """A client that sends JSON, logged in as `user`; None is a client without a login."""

    def __init__(self, user: User | None) -> None:
        self.http = Client(headers={"accept-language": "en"})
        if user is not None:
            logged_in(self.http, user)

    def get(self, address: str, **query: Any) -> Any:
        return self.http.get(f"/api/v1/{address}", query)

    def post(self, address: str, body: Any = None, key: str | None = None) -> Any:
        return self._send(self.http.post, address, body, key)

    def put(self, address: str, body: Any = None) -> Any:
        return self._send(self.http.put, address, body, None)

    def delete(self, address: str) -> Any:
        return self._send(self.http.delete, address, None, None)

    @staticmethod
    def _send(verb: Any, address: str, body: Any, key: str | None) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        return verb(f"/api/v1/{address}", body, content_type="application/json", headers=headers)


@pytest.fixture
def program() -> Callable[[User | None], Program]:
    return Program
