"""S2: changes of roles that the database itself refuses, and the mails about roles."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from accounts.decisions import IdentityKind, RoleGrant
from accounts.identity import is_guarded
from accounts.mails import mails_send
from accounts.models import OutgoingMail, User
from accounts.roles import Role
from ledger.audit import run
from pasch.staff.identities import identity_change
from tests.attacks.test_s02_second_self import ask

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_asking_is_told_to_all_administrators_and_the_person(
    anna: User, bert: User, puppet: User
) -> None:
    ask(anna, puppet)
    assert set(OutgoingMail.objects.values_list("to", flat=True)) == {
        "anna@example.org",
        "bert@example.org",
        "puppet@example.org",
    }
    mails_send()
    assert len(mail.outbox) == 3
    for each in mail.outbox:
        assert "anna wants to give puppet a role: Treasurer" in each.body
        assert "helps out" in each.body


def test_a_dismissed_administrator_still_hears_what_comes_next(
    anna: User, bert: User, puppet: User
) -> None:
    """Dismissing the other administrator first does not prevent the mail."""
    ask(anna, bert, None)
    OutgoingMail.objects.all().delete()
    ask(anna, puppet)
    assert "bert@example.org" in OutgoingMail.objects.values_list("to", flat=True)


@pytest.mark.parametrize("role", [None, Role.TREASURER])
def test_a_superuser_who_never_had_a_role_and_is_none_any_more_hears_it_as_well(
    anna: User, bert: User, puppet: User, role: Role | None
) -> None:
    """A superuser made on the command line has no row of a role to end."""
    head = User.objects.create_superuser("head", "head@example.org")
    ask(anna, head, role)
    OutgoingMail.objects.all().delete()
    ask(anna, puppet)
    assert "head@example.org" in OutgoingMail.objects.values_list("to", flat=True)


@pytest.mark.parametrize("by_closing", [False, True])
def test_the_account_of_such_a_superuser_stays_guarded_for_a_week(
    anna: User, bert: User, by_closing: bool
) -> None:
    head = User.objects.create_superuser("head", "head@example.org")
    if by_closing:
        more = {"reason": "gone", "verified_at": timezone.now()}
        identity_change(user_id=head.pk, kind=IdentityKind.CLOSE, actor=anna, **more)
    else:
        ask(anna, head, None)
    assert is_guarded(User.objects.get(pk=head.pk))
    assert [result for result in run().results if result.findings] == []


def test_a_dismissed_treasurer_gets_no_such_mails(
    anna: User, bert: User, puppet: User, staff: Any
) -> None:
    tom = staff("tom", Role.TREASURER)
    ask(anna, tom, None)
    OutgoingMail.objects.all().delete()
    ask(anna, puppet)
    assert "tom@example.org" not in OutgoingMail.objects.values_list("to", flat=True)


@pytest.mark.parametrize("who", ["asked_by", "person"])
def test_the_database_refuses_a_confirmation_by_either_of_them(
    anna: User, bert: User, puppet: User, who: str
) -> None:
    grant = ask(anna, puppet)
    fields = {"confirmed_by": getattr(grant, who), "confirmed_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        RoleGrant.objects.filter(pk=grant.pk).update(**fields)


def test_the_database_refuses_a_role_before_its_time(anna: User, puppet: User) -> None:
    grant = ask(anna, puppet)
    with pytest.raises(IntegrityError), transaction.atomic():
        RoleGrant.objects.filter(pk=grant.pk).update(effective_at=timezone.now())


@pytest.mark.parametrize(
    "change", [{"effective_from": timezone.now()}, {"role": "moderator"}, {"asked_by": None}]
)
def test_the_database_keeps_what_was_asked(anna: User, puppet: User, change: Any) -> None:
    grant = ask(anna, puppet)
    with pytest.raises(DatabaseError), transaction.atomic():
        RoleGrant.objects.filter(pk=grant.pk).update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        grant.delete()


def test_the_database_gives_no_rights_without_a_decision_in_force(anna: User, puppet: User) -> None:
    ask(anna, puppet)
    with pytest.raises(DatabaseError), transaction.atomic():
        puppet.groups.add(Group.objects.get(name="treasurer"))
    assert not puppet.groups.exists()
