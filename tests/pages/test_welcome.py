"""The first page after registering: the first steps, or the table that the person came for."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.services.tables import table_open
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

FORM = {"username": "ida", "password1": "quite-a-long-secret"}


def test_registering_leads_to_the_first_steps(visitor: Client) -> None:
    answer = visitor.post(reverse("account_signup"), FORM)
    assert answer["location"] == reverse("welcome")
    words = text_of(visitor.get(answer["location"]))
    assert "Welcome, ida How would you like to begin?" in words
    for step in ("Learn the game", "Play the house bot", "Play now"):
        assert step in words


def test_who_registers_for_a_table_comes_back_to_it(visitor: Client) -> None:
    tilo = User.objects.create_user("tilo")
    table = table_open(user=tilo, mode="prize5", stake_cents=250, private=True)
    join = reverse("table_join", args=[table.pk])
    answer = visitor.post(reverse("account_signup") + f"?next={join}", {**FORM, "next": join})
    assert answer["location"] == join
    assert "Sit down for 2.50 ℂ" in text_of(visitor.get(join))


def test_a_stranger_has_no_first_steps(visitor: Client) -> None:
    assert visitor.get(reverse("welcome")).status_code == 302
