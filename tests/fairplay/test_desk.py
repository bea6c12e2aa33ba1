"""The desk's pages of fair play answer the people who may use them, and refuse others."""

import pytest
from django.urls import reverse

from accounts.roles import Role
from fairplay.models import Case, Party
from harness.wallets import mailbox_proved
from tests.aging import row_made
from tests.desk.conftest import anna, at_desk, staff

__all__ = ["anna", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_case_is_opened_from_the_list(anna, person):
    one, two = person("one"), person("two")
    desk = at_desk(anna)
    form = {"player": "ONE", "other": "two", "kind": "engine", "reason": "Two people told me."}
    desk.post(reverse("desk:case_open"), form)
    case = Case.objects.get()
    assert (case.kind, case.opened_by) == ("engine", anna)
    assert {party.user for party in case.parties.all()} == {one, two}
    page = desk.get(reverse("desk:case", args=[case.pk])).content.decode()
    assert "Two people told me." in page
    assert 'data-testid="opinion"' not in page


@pytest.mark.parametrize(
    "wrong", [{"player": "nobody"}, {"other": "nobody"}, {"reason": ""}, {"kind": "rude"}]
)
def test_a_form_with_a_mistake_opens_nothing(anna, person, wrong):
    person("one")
    wish = {"player": "one", "kind": "engine", "reason": "Two people told me.", **wrong}
    at_desk(anna).post(reverse("desk:case_open"), wish)
    assert not Case.objects.exists()


def test_a_player_in_the_case_reads_it_and_a_stranger_does_not(alarm, person):
    giver, stranger = alarm.parties.first().user, person("stranger")
    address = reverse("fairplay_case", args=[alarm.pk])
    assert at_desk(giver).get(address).status_code == 200
    assert at_desk(stranger).get(address).status_code == 404
    mailbox_proved(stranger)
    assert at_desk(stranger).post(f"{address}statement/", {"text": "I saw it."}).status_code == 404
    assert not alarm.statements.exists()


def test_what_a_player_reads_has_no_private_facts(alarm):
    page = at_desk(alarm.parties.first().user).get(reverse("fairplay_case", args=[alarm.pk]))
    assert {line.key for line in page.context["lines"]} >= {"net", "given_up"}
    assert "age" not in {line.key for line in page.context["lines"]}


@pytest.mark.parametrize("role", [Role.MODERATOR, Role.ADMINISTRATOR])
def test_staff_who_are_in_a_case_read_it_as_players_do(alarm, staff, role):
    member, address = staff("member", role), reverse("desk:case", args=[alarm.pk])
    lists = [f"{reverse('desk:cases')}?state={state}" for state in ("waiting", "all")]
    desk = at_desk(member)
    assert desk.get(address).status_code == 200
    assert all(address in desk.get(each).content.decode() for each in lists)
    row_made(Party(case=alarm, user=member, role="accused"))
    form = {"sanction": "nothing", "for_them": "Nothing.", "reasons": "It was fair."}
    assert desk.get(address).status_code == 404
    assert desk.post(reverse("desk:case_opinion", args=[alarm.pk]), form).status_code == 404
    assert not any(address in desk.get(each).content.decode() for each in lists)
    assert desk.get(reverse("fairplay_case", args=[alarm.pk])).status_code == 200
    assert not alarm.opinions.exists()
