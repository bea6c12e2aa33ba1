"""People are found by an index: by name, by a part of it, and by mail address."""

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Q, QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.login_limits import _people
from accounts.selectors import people_found, people_matching, person_named

pytestmark = pytest.mark.slow

User = get_user_model()

CROWD = 8_000


@pytest.fixture
def crowd(db) -> None:
    """So many people that reading all of them is dearer than any index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_user (username, name_key, email, password, first_name, last_name,"
            " is_active, is_staff, is_superuser, is_bot, is_guest, language, theme, preferences,"
            " date_joined) SELECT name, name, name || '@example.org', '', '', '', true, false,"
            " false, false, false, '', '', '{}', now() FROM (SELECT 'p' || left(md5(n::text), 15)"
            " AS name FROM generate_series(1, %s) n) names",
            [CROWD],
        )
        # What autovacuum does: new rows wait in a list that is read from end to end until then.
        for index in ("user_by_part_of_name", "user_by_part_of_address"):
            cursor.execute("SELECT gin_clean_pending_list(%s::regclass)", [index])
        cursor.execute("ANALYZE accounts_user")


def indexes_of(queries: QuerySet) -> set[str]:
    """The indexes of people by which a query finds its rows; none if it reads the whole table."""
    plan = queries.order_by().explain()
    assert "Seq Scan on accounts_user" not in plan, plan
    return {word for word in plan.split() if word.startswith("user_by_")}


def test_a_name_and_an_address_are_found_by_an_index_in_any_case(crowd) -> None:
    assert indexes_of(User.objects.filter(username__iexact="MagRiel")) == {"user_by_name"}
    assert indexes_of(User.objects.filter(email__iexact="A@x.org")) == {"user_by_any_address"}
    assert indexes_of(User.objects.filter(email="a@x.org")) == {"user_by_address"}
    both = Q(username__iexact="a") | Q(email__iexact="a")
    assert indexes_of(User.objects.filter(both)) == {"user_by_name", "user_by_any_address"}


@pytest.mark.parametrize(
    ("part", "index"),
    [("grie", "user_by_part_of_name"), ("gri", "user_by_part_of_name"), ("ma", "user_by_name")],
)
def test_a_part_of_a_name_is_found_by_an_index(crowd, part: str, index: str) -> None:
    assert indexes_of(people_matching(part)) == {index}


def test_the_desk_finds_parts_of_names_and_of_addresses_by_an_index(crowd) -> None:
    wanted = {"user_by_part_of_name", "user_by_part_of_address"}
    assert indexes_of(people_found("where")) == wanted


def test_whole_ways_read_no_whole_table(crowd, magriel) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert person_named("MAGRIEL") == magriel
        assert _people("magriel") == [magriel.pk]
        assert _people("Nobody@Example.org") == []
    asked_of_people = [each["sql"] for each in asked if 'FROM "accounts_user"' in each["sql"]]
    assert len(asked_of_people) >= 3
    for query in asked_of_people:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {query}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
        assert "Seq Scan on accounts_user" not in plan, plan


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("GRI", ["magriel", "montgrim"]),
        ("mon", ["montgrim"]),
        ("M", ["magriel", "montgrim"]),
        ("gr", []),
        ("_ma", []),
        ("%", []),
        ("a\x00b", []),
    ],
)
def test_a_part_is_found_anywhere_and_a_short_one_at_the_beginning(
    db, part: str, names: list[str]
) -> None:
    for name in ("magriel", "montgrim", "tilo"):
        User.objects.create_user(name)
    found = people_matching(part).order_by("username")
    assert [person.username for person in found] == names
