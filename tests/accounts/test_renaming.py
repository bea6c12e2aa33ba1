"""A person changes their name once in 90 days; the old one stays theirs, and links lead on."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from accounts.adapter import AccountAdapter
from accounts.identity import NAME_WAIT, IdentityRefused, name_change, name_set
from accounts.models import User
from accounts.past_names import PastName
from accounts.roles import Role, role_give
from accounts.selectors import people_found
from games.desk.selectors import matches_found
from games.services.tables import table_join, table_open
from harness.logins import logged_in
from tests.conftest import magriel
from tests.services.conftest import race

__all__ = ["magriel", "race"]

pytestmark = pytest.mark.django_db(transaction=True)


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(IdentityRefused) as caught:
        call()
    return caught.value.code


def test_the_old_name_is_kept_and_its_links_lead_on(client: Client, magriel: User) -> None:
    name_change(user_id=magriel.pk, name="Paul.M")
    magriel.refresh_from_db()
    assert (magriel.username, magriel.name_key) == ("Paul.M", "paul_m")
    assert client.get("/player/magriel/").url == "/player/Paul.M/"
    assert client.get("/player/MAGRIEL/matches/").url == "/player/Paul.M/matches/"
    assert [past.name for past in magriel.past_names.all()] == ["magriel"]


def test_nobody_else_gets_an_old_name_or_one_that_looks_like_it(magriel: User, hilde: User) -> None:
    name_change(user_id=magriel.pk, name="paul")
    for wanted in ("magriel", "MAGRIEL", "magr1el"):
        assert refusal(lambda name=wanted: name_change(user_id=hilde.pk, name=name)) == "name_taken"
        with pytest.raises(ValidationError):
            AccountAdapter().clean_username(wanted)
        with pytest.raises(IntegrityError):
            User.objects.create_user(wanted)
    assert not User.objects.filter(name_key="magrlel").exists()


def test_a_name_changes_once_in_ninety_days_and_may_change_back(magriel: User) -> None:
    name_change(user_id=magriel.pk, name="paul")
    assert refusal(lambda: name_change(user_id=magriel.pk, name="magriel")) == "name_soon"
    PastName.objects.update(changed_at=timezone.now() - NAME_WAIT - timedelta(seconds=1))
    assert name_change(user_id=magriel.pk, name="magriel").username == "magriel"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("magriel", "identity_unchanged"),
        ("hilde", "name_taken"),
        ("h1lde", "name_taken"),
        ("ab", "name_refused"),
        ("pasch-support", "name_refused"),
        ("a b c", "name_refused"),
    ],
)
def test_a_bad_name_changes_nothing(magriel: User, hilde: User, wanted: str, code: str) -> None:
    assert refusal(lambda: name_change(user_id=magriel.pk, name=wanted)) == code
    assert User.objects.get(pk=magriel.pk).username == "magriel"
    assert not PastName.objects.exists()


def test_the_desk_changes_names_of_the_staff(magriel: User) -> None:
    role_give(magriel, Role.MODERATOR)
    assert refusal(lambda: name_change(user_id=magriel.pk, name="paul")) == "name_staff"


def test_of_two_people_who_choose_one_name_one_gets_it(
    magriel: User, hilde: User, race: Callable[..., Any]
) -> None:
    answers = race(
        lambda: name_change(user_id=magriel.pk, name="paul"),
        lambda: name_change(user_id=hilde.pk, name="paul"),
    )
    refused = [each for each in answers if isinstance(each, IdentityRefused)]
    assert [each.code for each in refused] == ["name_taken"]
    assert PastName.objects.count() == 1


def test_of_two_changes_of_one_person_one_counts(magriel: User, race: Callable[..., Any]) -> None:
    answers = race(
        lambda: name_change(user_id=magriel.pk, name="paul"),
        lambda: name_change(user_id=magriel.pk, name="peter"),
    )
    refused = [each for each in answers if isinstance(each, IdentityRefused)]
    assert [each.code for each in refused] == ["name_soon"]


def test_a_name_that_is_being_given_up_is_not_free_for_a_moment(
    magriel: User, race: Callable[..., Any]
) -> None:
    _renamed, made = race(
        lambda: name_change(user_id=magriel.pk, name="paul"),
        lambda: User.objects.create_user("magriel"),
    )
    assert isinstance(made, IntegrityError)


def test_a_name_that_the_desk_replaced_comes_back_through_the_desk_alone(magriel: User) -> None:
    name_set(magriel, "player-77", own=False)
    for wanted in ("magriel", "MAGRIEL", "magr1el"):
        call = partial(name_change, user_id=magriel.pk, name=wanted)
        assert refusal(call) == "name_withdrawn"
    assert name_change(user_id=magriel.pk, name="paul").username == "paul"


def test_a_session_that_was_left_open_changes_no_name(magriel: User) -> None:
    for proved_ago in (3600, None):
        client = logged_in(Client(), magriel, proved_ago=proved_ago)
        for ask in (client.get, client.post):
            answer = ask("/account/name/", {"name": "paul"})
            assert answer["location"].startswith("/accounts/")
    assert User.objects.get(pk=magriel.pk).username == "magriel"


def test_the_desk_finds_a_person_and_their_matches_by_a_former_name(
    magriel: User, hilde: User
) -> None:
    table = table_open(user=magriel, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    name_change(user_id=magriel.pk, name="paul")
    for text in ("magriel", "GRIE", "paul"):
        assert [person.username for person in people_found(text)] == ["paul"]
        assert [match.table_id for match in matches_found(text)] == [table.pk]


def test_the_page_changes_the_name_and_says_what_is_wrong(magriel: User, hilde: User) -> None:
    client = logged_in(Client(), magriel)
    answer = client.post("/account/name/", {"name": "hilde"})
    assert answer.status_code == 400
    assert b"This name looks too much like one that is taken." in answer.content
    assert client.post("/account/name/", {"name": "paul"}).status_code == 302
    assert b"You can change it again from" in client.get("/account/name/").content
