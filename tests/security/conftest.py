"""People of the security tests: players, staff, strangers."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.desk.conftest import _house, anna, at_desk, magriel, payout, staff

__all__ = ["_house", "anna", "at_desk", "magriel", "payout", "staff"]


@pytest.fixture
def tables_digest() -> Callable[[], dict[str, str]]:
    """A digest of every table of the database but those in which sessions are kept."""
    from django.db import connection

    def digest() -> dict[str, str]:
        names = connection.introspection.table_names()
        kept = [name for name in names if "session" not in name]
        found: dict[str, str] = {}
        with connection.cursor() as cursor:
            for name in sorted(kept):
                cursor.execute(
                    f"SELECT coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), $$$$)"
                    f' FROM "{name}" t'
                )
                found[name] = str(cursor.fetchone()[0])
        return found

    return digest


@pytest.fixture
def english(client: Any) -> Any:
    """A stranger who reads English."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client
