"""S2: an administrator gives a role to a second account of their own, to act as two people."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.db import DatabaseError, IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityKind, RoleGrant
from accounts.grants import decision_wait
from accounts.identity import is_guarded
from accounts.mails import mails_send
from accounts.models import OutgoingMail, User
from accounts.roles import Role, role_give, role_of
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.audit import run
from ledger.errors import NotAllowed, SecondPersonFresh
from ledger.models import JournalEntry, Payout
from ledger.selectors import wallet_balance
from ledger.services.adjustments import adjustment_make
from ledger.services.decisions import second_person_check
from ledger.services.payouts import payout_approve
from ledger.services.proposals import proposal_confirm
from pasch.staff.decisions import (
    DecisionOver,
    DecisionWaits,
    OneAdministrator,
    decision_confirm,
    decision_stop,
    decisions_take_effect,
)
from pasch.staff.identities import identity_change
from pasch.staff.roles import ROLES, role_change
from tests.aging import guards_off
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def ask(actor: User, person: User, role: Role | None = Role.TREASURER) -> RoleGrant | None:
    return role_change(
        user_id=person.pk, role=role, actor=actor, reason="helps out", verified_at=timezone.now()
    )


def confirm(actor: User, grant: RoleGrant) -> RoleGrant:
    return decision_confirm(ROLES, decision_id=grant.pk, actor=actor, verified_at=timezone.now())


def days_later(*grants: RoleGrant, hours: float = 24) -> None:
    """Move these rows so many hours into the past, with the guards set aside for that alone."""
    ago = timedelta(hours=hours)
    with guards_off() as cursor:
        for grant in grants:
            cursor.execute(
                "UPDATE accounts_rolegrant SET asked_at = asked_at - %s,"
                " effective_from = effective_from - %s, confirmed_at = confirmed_at - %s,"
                " effective_at = effective_at - %s, ended_at = ended_at - %s WHERE id = %s",
                [ago, ago, ago, ago, ago, grant.pk],
            )


def role_named(name: str) -> Role | None:
    return role_of(User.objects.get(username=name))


# --- the clock and the second administrator ---


def test_a_role_waits_for_its_whole_time(anna: User, bert: User, puppet: User) -> None:
    grant = ask(anna, puppet)
    assert grant is not None
    assert grant.waits
    just_before = grant.effective_from - timedelta(seconds=1)
    assert decisions_take_effect(ROLES, now=just_before) == 0
    assert (role_named("puppet"), puppet.groups.count()) == (None, 0)
    assert not User.objects.get(pk=puppet.pk).is_staff
    assert decisions_take_effect(ROLES, now=grant.effective_from) == 1
    assert role_named("puppet") is Role.TREASURER
    assert decisions_take_effect(ROLES, now=grant.effective_from) == 0


def test_the_waiting_time_is_a_day_at_least(settings: Any) -> None:
    assert decision_wait() == timedelta(hours=24)


def test_a_second_administrator_confirms_and_it_is_in_force(
    anna: User, bert: User, puppet: User
) -> None:
    grant = ask(anna, puppet)
    answer = at_desk(bert).post(reverse("desk:role_confirm", args=[grant.pk]), follow=True)
    assert "in force now" in answer.content.decode()
    assert role_named("puppet") is Role.TREASURER
    rows = JournalEntry.objects.filter(subject=f"user:{puppet.pk}").order_by("id")
    assert [(row.verb, row.actor.username) for row in rows] == [
        ("role.ask", "anna"),
        ("role.change", "bert"),
    ]


def test_neither_the_giver_nor_the_receiver_nor_a_player_confirms(
    anna: User, bert: User, magriel: User
) -> None:
    tom = User.objects.create_user("tom")
    role_give(tom, Role.MODERATOR)
    grant = ask(anna, tom)
    for actor in (anna, tom, magriel):
        with pytest.raises(NotAllowed):
            confirm(actor, grant)
    assert role_named("tom") is Role.MODERATOR


def test_a_chain_of_puppets_is_no_chain_of_people(
    anna: User, bert: User, puppet: User, payout: Payout
) -> None:
    """A gives B a role, B gives C one, A confirms: for 24 hours no two of them are two people."""
    first = ask(anna, puppet, Role.ADMINISTRATOR)
    days_later(first)
    decisions_take_effect(ROLES)
    third = User.objects.create_user("third")
    grant = ask(User.objects.get(pk=puppet.pk), third)
    with pytest.raises(SecondPersonFresh):
        confirm(anna, grant)
    days_later(first)
    confirm(anna, grant)
    for one, other in ((anna, third), (puppet, third)):
        with pytest.raises(SecondPersonFresh):
            second_person_check(one.pk, other)
        with pytest.raises(SecondPersonFresh):
            second_person_check(other.pk, one)
    second_person_check(bert.pk, third)


def test_the_puppet_begins_and_the_giver_is_second(
    anna: User, bert: User, magriel: User, puppet: User
) -> None:
    """The other way round: the puppet proposes, and the giver of the role approves."""
    grant = ask(anna, puppet)
    confirm(bert, grant)
    proposed = adjustment_make(
        verified_at=timezone.now(),
        actor=User.objects.get(pk=puppet.pk),
        user=magriel,
        amount_cents=4_000_000,
        reason="x",
        client_key="1",
    )
    for actor in (anna, bert):
        with pytest.raises(SecondPersonFresh):
            proposal_confirm(verified_at=timezone.now(), proposal_id=proposed.pk, actor=actor)
    days_later(grant)
    proposal_confirm(verified_at=timezone.now(), proposal_id=proposed.pk, actor=bert)
    assert wallet_balance(magriel.pk) == 4_010_000


def test_a_payout_of_the_giver_is_not_decided_by_the_puppet(
    anna: User, bert: User, puppet: User
) -> None:
    mailbox_proved(anna)
    credits_bought(anna, 2500)
    asked = payout_asked(anna, 2500)
    confirm(bert, ask(anna, puppet))
    tom = User.objects.get(pk=puppet.pk)
    with pytest.raises(SecondPersonFresh):
        payout_approve(payout_id=asked.pk, actor=tom, verified_at=timezone.now())


# --- ways around ---


def test_taking_a_role_and_giving_it_again_waits_again(
    anna: User, bert: User, puppet: User
) -> None:
    role_give(puppet, Role.TREASURER)
    assert ask(anna, puppet, None) is None
    assert role_named("puppet") is None
    again = ask(anna, puppet)
    assert again is not None
    assert again.waits
    assert role_named("puppet") is None


def test_a_role_that_was_taken_back_still_counts_for_its_day(
    anna: User, bert: User, puppet: User
) -> None:
    grant = ask(anna, puppet)
    confirm(bert, grant)
    ask(anna, puppet, None)
    role_give(puppet, Role.TREASURER)
    with pytest.raises(SecondPersonFresh):
        second_person_check(anna.pk, puppet)


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        (Role.MODERATOR, Role.TREASURER),
        (Role.TREASURER, Role.MODERATOR),
        (Role.TREASURER, Role.ADMINISTRATOR),
    ],
)
def test_another_role_waits_and_the_one_before_stays_until_then(
    anna: User, bert: User, puppet: User, held: Role, wanted: Role
) -> None:
    role_give(puppet, held)
    grant = ask(anna, puppet, wanted)
    assert role_named("puppet") is held
    with pytest.raises(DecisionWaits):
        ask(bert, puppet, wanted)
    confirm(bert, grant)
    assert role_named("puppet") is wanted


def test_any_administrator_stops_what_waits(anna: User, bert: User, puppet: User) -> None:
    grant = ask(anna, puppet)
    form = {"reason": "nobody knows this account"}
    at_desk(bert).post(reverse("desk:role_stop", args=[grant.pk]), form)
    assert decisions_take_effect(ROLES, now=grant.effective_from + timedelta(days=1)) == 0
    assert role_named("puppet") is None
    for late in (lambda: confirm(bert, grant), lambda: stop(anna, grant)):
        with pytest.raises(DecisionOver):
            late()
    assert JournalEntry.objects.filter(verb="role.stop", actor=bert).count() == 1


def stop(actor: User, grant: RoleGrant) -> RoleGrant:
    return decision_stop(
        ROLES, decision_id=grant.pk, actor=actor, reason="x", verified_at=timezone.now()
    )


def test_what_a_dismissed_administrator_asked_for_ends_with_the_role(
    anna: User, bert: User, puppet: User
) -> None:
    grant = ask(anna, puppet)
    ask(bert, anna, None)
    assert decisions_take_effect(ROLES, now=grant.effective_from + timedelta(hours=1)) == 0
    with pytest.raises(DecisionOver):
        confirm(bert, grant)
    assert role_named("puppet") is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_bot": True}])
def test_a_role_lapses_where_its_person_can_have_none(
    anna: User, bert: User, puppet: User, change: dict[str, bool]
) -> None:
    grant = ask(anna, puppet)
    User.objects.filter(pk=puppet.pk).update(**change)
    assert decisions_take_effect(ROLES, now=grant.effective_from) == 0
    assert role_named("puppet") is None
    grant.refresh_from_db()
    assert grant.ended_at is not None


def test_in_a_house_with_one_administrator_only_time_confirms(
    anna: User, bert: User, puppet: User, settings: Any
) -> None:
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    grant = ask(anna, puppet)
    with pytest.raises(OneAdministrator):
        confirm(bert, grant)
    page = at_desk(anna).get(reverse("desk:roles")).content.decode()
    assert 'data-testid="single-administrator"' in page
    assert reverse("desk:role_confirm", args=[grant.pk]) not in page
    assert 'data-testid="single-administrator"' in (
        at_desk(anna).get(reverse("desk:overview")).content.decode()
    )


def test_a_closed_account_is_nobodys_second_person(anna: User, bert: User) -> None:
    User.objects.filter(pk=bert.pk).update(is_active=False)
    with pytest.raises(NotAllowed):
        second_person_check(anna.pk, bert)


# --- written down ---------------------------------------------------------------------------------
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
