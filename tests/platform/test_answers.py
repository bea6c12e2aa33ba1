"""The site's own answers: its health, and errors in the shape that programs rely on."""

from contextlib import suppress
from http import HTTPStatus
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as FieldError
from django.db import OperationalError, connection
from django.http import Http404
from django.test import Client
from rest_framework.exceptions import Throttled, ValidationError

from backgammon.rules.errors import IllegalPlay
from games.table.errors import BadTerms, NotSeated, NotYourTurn
from kit.errors import Refusal
from kit.sentences import plain_sentence
from ledger.errors import AccountFrozen, InsufficientCredits
from pasch.web.errors import exception_handler, status_of
from ratings.models import Rating


@pytest.mark.django_db
def test_health_names_what_does_not_answer(client: Client, settings: Any) -> None:
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "valkey": True})
    assert "no-store" in answer.headers["Cache-Control"]
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": "redis://127.0.0.1:1"}}
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "valkey": False})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (IllegalPlay("no such move"), HTTPStatus.BAD_REQUEST),
        (BadTerms("no such stake"), HTTPStatus.BAD_REQUEST),
        (NotSeated("a watcher"), HTTPStatus.FORBIDDEN),
        (AccountFrozen("wallet:1"), HTTPStatus.FORBIDDEN),
        (NotYourTurn("wait"), HTTPStatus.CONFLICT),
        (InsufficientCredits(1, 250, 100), HTTPStatus.CONFLICT),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_domain_error_keeps_its_code(error: Exception, status: HTTPStatus) -> None:
    """Its message is the sentence for people, where it has one."""
    response = exception_handler(error, {})
    assert response is not None
    assert response.status_code == status
    message = plain_sentence(error) if isinstance(error, Refusal) else str(error)
    assert response.data == {"code": error.code, "message": message}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (Throttled(wait=3), 429, "throttled"),
        (ValidationError({"stake_cents": ["too much"]}), 400, "invalid"),
        (FieldError("too much"), 400, "invalid"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_of_the_framework_has_the_same_shape(
    error: Exception, status: int, code: str
) -> None:
    response = exception_handler(error, {})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (status, code)
    assert isinstance(response.data["message"], str)


def test_a_bug_stays_a_bug() -> None:
    assert status_of(KeyError("x")) is None
    assert exception_handler(KeyError("x"), {}) is None


def test_while_valkey_is_away_a_page_says_when_to_ask_again(db: None, settings: Any) -> None:
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": "redis://127.0.0.1:1"}}
    client = Client(raise_request_exception=False)
    answer = client.post("/accounts/login/", {"login": "hilde", "password": "of no use"})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")


def test_while_postgresql_is_away_a_page_says_when_to_ask_again(transactional_db: None) -> None:
    client = Client(raise_request_exception=False)
    with connection.cursor() as cursor, suppress(OperationalError):
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    answer = client.get("/ranking/")
    connection.close()
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
    assert client.get("/ranking/").status_code == 200


def test_an_error_of_ours_is_no_promise(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rating, "objects", None)
    answer = Client(raise_request_exception=False).get("/ranking/")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (500, None)
