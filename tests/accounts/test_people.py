"""A name belongs to one person, in any spelling, also when two people register at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connections, transaction

from harness.waiting import WAIT_SECONDS
from tests.accounts.conftest import PASSWORD

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
