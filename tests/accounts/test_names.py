"""Names: which are allowed, which look alike, and that each is one person's in any spelling."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connections, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import is_reserved, is_well_formed, skeleton, validate_name
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
