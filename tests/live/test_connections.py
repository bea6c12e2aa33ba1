"""Pages and tables keep their connections to the database instead of opening new ones."""

import urllib.request

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db(transaction=True)


def backends() -> set[int]:
    """The other connections to this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return {row[0] for row in cursor.fetchall()}


def test_one_page_after_another_is_served_over_the_same_connection(live: str) -> None:
    def look() -> None:
        urllib.request.urlopen(f"{live}/ranking/").close()

    look()
    before = backends()
    for _ in range(5):
        look()
    assert backends() == before
