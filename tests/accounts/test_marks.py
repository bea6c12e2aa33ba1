"""Logins leave marks of browser and network; accounts that share one are linked for a time."""

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.login_marks import (
    CROWD,
    SETTLED,
    Acquaintance,
    LoginMark,
    MarkKind,
    are_linked,
    device_cookie_set,
    device_learn,
    links_of,
    marks_forget,
    marks_note,
)
from accounts.models import User
from accounts.tasks import forget_sessions
from tests.accounts.conftest import PASSWORD
from tests.aging import row_made, rows_age

pytestmark = pytest.mark.django_db

HOME, OTHER = "9.9.9.9", "149.112.112.112"  # addresses of the internet; nothing is sent there


def person(name: str) -> User:
    return User.objects.create_user(name, password=PASSWORD)


def logins_were(user: User, *, ago: timedelta) -> None:
    """Put the marks of a person back in time."""
    at = timezone.now() - ago
    rows_age(LoginMark.objects.filter(user=user), first_at=at, last_at=at)


def login(client: Client, user: User) -> None:
    answer = client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert answer.status_code == 302, answer.content


def test_two_who_log_in_from_one_browser_are_linked() -> None:
    ada, ben, cleo = person("ada"), person("ben"), person("cleo")
    shared = Client()
    login(shared, ada)
    shared.post(reverse("account_logout"))
    login(shared, ben)
    login(Client(), cleo)
    assert are_linked(ada.pk, ben.pk)
    assert are_linked(ben.pk, ada.pk)
    assert [(link.user_id, link.kind) for link in links_of(ada.pk)] == [(ben.pk, MarkKind.BROWSER)]
    assert not are_linked(ada.pk, cleo.pk)


def test_many_people_of_one_browser_are_all_linked() -> None:
    """The cookie stores five people; the browser's own name stays."""
    people = [person(f"player{number}") for number in range(7)]
    request = RequestFactory().get("/")
    for each in people:
        device_learn(request, each.pk)
        answer = HttpResponse()
        device_cookie_set(request, answer)
        request = RequestFactory().get("/")
        request.COOKIES = {key: morsel.value for key, morsel in answer.cookies.items()}
    assert are_linked(people[0].pk, people[-1].pk)


def test_one_network_links_within_a_day() -> None:
    ada, ben = person("ada"), person("ben")
    marks_note(ada.pk, browser="a", address=HOME)
    marks_note(ben.pk, browser="b", address=OTHER)
    assert not are_linked(ada.pk, ben.pk)
    marks_note(ben.pk, browser="b", address=HOME)
    assert are_linked(ada.pk, ben.pk)
    logins_were(ada, ago=timedelta(days=2))
    assert not are_linked(ada.pk, ben.pk)


def test_a_network_of_many_links_nobody() -> None:
    people = [person(f"player{number}") for number in range(CROWD + 1)]
    User.objects.update(date_joined=timezone.now() - SETTLED - timedelta(days=1))
    for each in people[:-1]:
        marks_note(each.pk, browser=each.username, address=HOME)
    assert are_linked(people[0].pk, people[1].pk)
    marks_note(people[-1].pk, browser="last", address=HOME)
    assert not are_linked(people[0].pk, people[1].pk)


def test_nobody_hides_two_accounts_among_new_ones_of_their_own() -> None:
    people = [person(f"player{number}") for number in range(3 * CROWD)]
    for each in people:
        marks_note(each.pk, browser=each.username, address=HOME)
    assert are_linked(people[0].pk, people[1].pk)


def test_private_addresses_and_nonsense_leave_no_mark() -> None:
    ada = person("ada")
    for address in ("127.0.0.1", "10.0.0.4", "192.168.1.2", "::1", "fd00::1", "", "unix:"):
        marks_note(ada.pk, browser="", address=address)
    assert not LoginMark.objects.exists()
    marks_note(ada.pk, browser="", address="2a01:4f8::1")
    marks_note(ada.pk, browser="", address="2a01:4f8::2")
    marks_note(ada.pk, browser="", address=HOME)
    assert LoginMark.objects.count() == 2  # one network of IPv6, one address of IPv4


def test_no_address_and_no_name_of_a_browser_is_stored() -> None:
    ada = person("ada")
    marks_note(ada.pk, browser="a name of a browser", address=HOME)
    kept = " ".join(f"{row.kind} {row.key}" for row in LoginMark.objects.all())
    assert HOME not in kept
    assert "a name of a browser" not in kept


def test_those_who_are_two_people_are_listed_and_not_linked() -> None:
    ada, ben = person("ada"), person("ben")
    for each in (ada, ben):
        marks_note(each.pk, browser="one", address="")
    row_made(Acquaintance(one=ada, other=ben, confirmed_by=person("moderator")))
    assert not are_linked(ada.pk, ben.pk)
    assert [link.confirmed for link in links_of(ben.pk)] == [True]
    rows_age(Acquaintance.objects.all(), ended_at=timezone.now())
    assert are_linked(ada.pk, ben.pk)


def test_marks_go_after_their_time() -> None:
    ada, ben = person("ada"), person("ben")
    for each in (ada, ben):
        marks_note(each.pk, browser="one", address=HOME)
    logins_were(ada, ago=timedelta(days=91))
    assert not are_linked(ada.pk, ben.pk)
    assert marks_forget() == 2
    assert set(LoginMark.objects.values_list("user", flat=True)) == {ben.pk}
    logins_were(ben, ago=timedelta(days=91))
    forget_sessions()
    assert not LoginMark.objects.exists()
