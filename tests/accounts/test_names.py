"""Names: which are allowed, look alike and are whose; people are found by them by an index."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import Q, QuerySet
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from accounts.login_limits import _people
from accounts.names import is_reserved, is_well_formed, skeleton, validate_name
from accounts.selectors import people_found, people_matching, person_named
from harness.waiting import WAIT_SECONDS
from tests.accounts.conftest import PASSWORD


@pytest.mark.parametrize(
    "name", ["magriel", "Jürgen", "Łukasz", "weiß", "a-b", "x_1.y", "007", "Ørjan", "Ngô"]
)
def test_good_name_is_accepted(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "name_short"),
        ("a" * 25, "name_long"),
        ("with space", "name_characters"),
        ("_tilo", "name_characters"),
        ("tilo.", "name_characters"),
        ("ti--lo", "name_characters"),
        ("tilo@home", "name_characters"),
        ("mаgriel", "name_characters"),  # a Cyrillic a
        ("Ωmega", "name_characters"),
        ("ti\u200blo", "name_characters"),
        ("ti\u202elo", "name_characters"),
        ("<b>tilo", "name_characters"),
        ("tilo\n", "name_characters"),
        ("١٢٣", "name_characters"),
        ("🎲🎲🎲", "name_characters"),
        ("Admin", "name_reserved"),
        ("adm1n", "name_reserved"),
        ("SUPP0RT", "name_reserved"),
        ("Pasch", "name_reserved"),
    ],
)
def test_bad_name_is_refused_with_its_cause(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        validate_name(name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("magriel", "MAGRIEL"),
        ("magriel", "magrie1"),
        ("magriel", "rnagriel"),
        ("tilo", "TIL0"),
        ("tilo", "tiIo"),
        ("Jürgen", "jurgen"),
        ("weiß", "weiss"),
        ("wilma", "vvilma"),
        ("a-b", "a_b"),
        ("ﬁbs", "fibs"),
    ],
)
def test_look_alikes_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("tilo", "tila"), ("ab1", "ab2"), ("a-bc", "abc")])
def test_different_names_keep_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=40))
def test_any_text_has_a_stable_skeleton_and_an_answer(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(skeleton(skeleton(text)))
    assert is_well_formed(text) in (True, False)
    assert is_reserved(text) in (True, False)


# --- of two people, one has a name ----------------------------------------------------------------
User = get_user_model()


@pytest.mark.parametrize("name", ["magriel", "Magriel", "rnagriel", "magrie1", "mágriel"])
def test_database_refuses_a_second_person_of_that_look(magriel, name: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(name)


def test_many_at_once_get_their_keys(db) -> None:
    User.objects.bulk_create([User(username=f"player{number}") for number in range(3)])
    assert set(User.objects.values_list("name_key", flat=True)) == {
        "playero",
        "playerl",
        "player2",
    }


def test_renamed_person_frees_the_old_look(magriel) -> None:
    magriel.username = "barclay"
    magriel.save(update_fields=["username"])
    User.objects.create_user("rnagriel")


@pytest.mark.django_db(transaction=True)
def test_one_of_eight_registrations_at_once_gets_the_name(client, servers) -> None:
    from django.test import Client
    from django.urls import reverse

    barrier = threading.Barrier(8)

    def register(number: int) -> int:
        visitor = Client(REMOTE_ADDR=f"127.0.0.{number + 1}")
        form = {"username": "magriel", "password1": PASSWORD}
        try:
            barrier.wait(timeout=WAIT_SECONDS)
            return visitor.post(reverse("account_signup"), form).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(register, range(8)))
    assert User.objects.filter(username="magriel").count() == 1
    assert told.count(302) == 1
    assert set(told) <= {200, 302, 409}


# --- finding people -------------------------------------------------------------------------------
Person = get_user_model()

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


@pytest.mark.slow
def test_a_name_and_an_address_are_found_by_an_index_in_any_case(crowd) -> None:
    assert indexes_of(Person.objects.filter(username__iexact="MagRiel")) == {"user_by_name"}
    assert indexes_of(Person.objects.filter(email__iexact="A@x.org")) == {"user_by_any_address"}
    assert indexes_of(Person.objects.filter(email="a@x.org")) == {"user_by_address"}
    both = Q(username__iexact="a") | Q(email__iexact="a")
    assert indexes_of(Person.objects.filter(both)) == {"user_by_name", "user_by_any_address"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "index"),
    [("grie", "user_by_part_of_name"), ("gri", "user_by_part_of_name"), ("ma", "user_by_name")],
)
def test_a_part_of_a_name_is_found_by_an_index(crowd, part: str, index: str) -> None:
    assert indexes_of(people_matching(part)) == {index}


@pytest.mark.slow
def test_the_desk_finds_parts_of_names_and_of_addresses_by_an_index(crowd) -> None:
    wanted = {"user_by_part_of_name", "user_by_part_of_address"}
    assert indexes_of(people_found("where")) == wanted


@pytest.mark.slow
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


@pytest.mark.slow
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
        Person.objects.create_user(name)
    found = people_matching(part).order_by("username")
    assert [person.username for person in found] == names
