"""Only administrators with a second factor reach Django's administration, by the site's login."""

import pytest
from allauth.mfa.models import Authenticator
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from accounts.access import staff_required

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def second_factor_is_asked_for(settings):
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def second_factor(admin_person):
    return Authenticator.objects.create(
        user=admin_person, type=Authenticator.Type.TOTP, data={"secret": "x"}
    )


def desk_addresses() -> list[str]:
    return [
        reverse("admin:index"),
        reverse("admin:login"),
        reverse("admin:accounts_user_changelist"),
        reverse("admin:accounts_user_add"),
    ]


@pytest.mark.parametrize("number", range(4))
def test_stranger_is_sent_to_the_login_of_the_site(client, number: int) -> None:
    answer = client.get(desk_addresses()[number], follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")


def test_login_form_of_django_takes_no_password(client, admin_person) -> None:
    client.post(
        reverse("admin:login"), {"username": "hilde", "password": "a-long-password-nobody-uses"}
    )
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("number", range(4))
def test_player_gets_no_page_of_the_desk(client, magriel, number: int) -> None:
    client.force_login(magriel)
    assert client.get(desk_addresses()[number], follow=True).status_code == 403


@pytest.mark.parametrize("number", range(4))
def test_staff_without_second_factor_is_sent_to_set_one_up(client, admin_person, number) -> None:
    client.force_login(admin_person)
    chain = client.get(desk_addresses()[number], follow=True).redirect_chain
    assert reverse("mfa_activate_totp") in [address for address, _status in chain]


def test_staff_with_second_factor_sees_the_desk(client, admin_person, second_factor) -> None:
    admin_person.is_superuser = True
    admin_person.save()
    client.force_login(admin_person)
    answers = [client.get(address).status_code for address in desk_addresses()]
    assert answers == [200, 302, 200, 403], "nothing is added there"


def test_closed_staff_account_is_out_at_once(client, admin_person, second_factor) -> None:
    client.force_login(admin_person)
    admin_person.is_active = False
    admin_person.save()
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")


def test_pages_of_our_own_stand_behind_the_same_door(
    admin_person, magriel, second_factor, rf: RequestFactory
) -> None:
    from django.core.exceptions import PermissionDenied

    @staff_required
    def page(request) -> HttpResponse:
        return HttpResponse("the desk")

    request = rf.get("/desk/")
    request.user = admin_person
    assert page(request).content == b"the desk"
    request.user = magriel
    with pytest.raises(PermissionDenied):
        page(request)


def test_nobody_can_be_deleted(client, admin_person, second_factor, magriel) -> None:
    admin_person.is_superuser = True
    admin_person.save()
    client.force_login(admin_person)
    answer = client.post(reverse("admin:accounts_user_delete", args=[magriel.pk]), {"post": "yes"})
    assert answer.status_code == 403
