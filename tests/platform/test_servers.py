"""The set-up of the tests itself: real servers, and a site that answers."""

import os
import stat
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, connection

from accounts.models import User
from harness.servers import HOME_VARIABLE
from pasch.servers.embedded import Home


@pytest.mark.django_db
def test_the_database_is_postgresql_and_says_that_it_is_a_test() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int")
        assert cursor.fetchone()[0] >= 160000
        cursor.execute("SELECT current_setting('ledger.allow_truncate')")
        assert cursor.fetchone() == ("test",)
    assert connection.settings_dict["NAME"].startswith("test_")


@pytest.mark.django_db
def test_the_cache_is_valkey() -> None:
    cache.set("a", {"b": 1})
    assert cache.get("a") == {"b": 1}
    assert settings.REDIS_URL in str(settings.CACHES)


@pytest.mark.django_db
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="the server is not the tests' own")
def test_the_log_of_the_database_names_errors_and_no_values_for_its_owner_alone() -> None:
    log = Home(Path(os.environ[HOME_VARIABLE])).logs / "postgres.log"
    before = log.stat().st_size
    User.objects.create_user("only-in-the-table")
    with pytest.raises(IntegrityError):
        User.objects.create_user("only-in-the-table")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    said = log.read_bytes()[before:].decode(errors="replace")
    assert "duplicate key value violates unique constraint" in said
    assert "only-in-the-table" not in said


def test_the_site_answers_over_asgi(live: str) -> None:
    with urllib.request.urlopen(f"{live}/accounts/login/") as response:
        assert response.status == 200
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_a_player_is_logged_in_in_a_browser_of_his_own(player, live) -> None:
    page = player("hilde")
    page.goto("/accounts/email/")
    assert page.url.endswith("/accounts/email/"), "a stranger would be sent to the login"
