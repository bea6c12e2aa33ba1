"""The audit finds rights without a decision, and second people who were not second people."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from ledger.models import JournalEntry, Payout
from ledger.services.payouts import payout_approve, payout_claim, payout_settle
from pasch.audits.people import check_roles, check_second_persons
from pasch.staff.decisions import decision_confirm
from pasch.staff.roles import ROLES, role_change
from tests.aging import guards_off
from tests.desk.conftest import _house, anna, bert, magriel, payout, staff

__all__ = ["_house", "anna", "bert", "magriel", "payout", "staff"]

pytestmark = pytest.mark.django_db

SAME = "UPDATE ledger_payout SET closed_by_id ="


def bend(statement: str, *values: object) -> None:
    """Change rows as a superuser of the database, with the triggers off."""
    with guards_off() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement, values)


def treasurer(anna: User, bert: User, person: User) -> User:
    asked = role_change(
        user_id=person.pk,
        role=Role.TREASURER,
        actor=anna,
        reason="x",
        verified_at=timezone.now(),
    )
    decision_confirm(ROLES, decision_id=asked.pk, actor=bert, verified_at=timezone.now())
    return User.objects.get(pk=person.pk)


def test_a_house_in_order_has_no_findings(
    anna: User, bert: User, magriel: User, payout: Payout
) -> None:
    now = {"payout_id": payout.pk, "verified_at": timezone.now()}
    payout_approve(actor=anna, **now)
    payout_claim(actor=bert, **now)
    payout_settle(actor=bert, receipt="1", **now)
    treasurer(anna, bert, User.objects.create_user("tom"))
    User.objects.create_superuser("chief")
    assert [*check_roles(), *check_second_persons()] == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "INSERT INTO accounts_user_groups (user_id, group_id)"
            " SELECT %s, id FROM auth_group WHERE name = 'treasurer'",
            "by no decision in force",
        ),
        ("UPDATE accounts_user SET is_staff = true WHERE id = %s", "is staff and has no role"),
        (
            "INSERT INTO accounts_rolegrant (person_id, role, reason, end_reason, effective_from,"
            " effective_at) VALUES (%s, 'treasurer', 'x', '', now(), now())",
            "and not its rights",
        ),
    ],
)
def test_rights_that_nobody_decided_are_found(magriel: User, statement: str, found: str) -> None:
    bend(statement, magriel.pk)
    (finding,) = check_roles()
    assert finding.row == f"user:{magriel.pk}"
    assert found in finding.message


@pytest.mark.parametrize("group", ["moderator", "another"])
def test_rights_beside_the_roles_are_found(staff: Any, magriel: User, group: str) -> None:
    """With triggers on and as the application's role: every row is logged, and none is decided."""
    staff("mona", Role.MODERATOR)
    right = Permission.objects.get(codename="decide_payout")
    magriel.user_permissions.add(right)
    Group.objects.get_or_create(name=group)[0].permissions.add(right)
    assert [(each.row, each.message) for each in check_roles()] == [
        (f"user:{magriel.pk}", "has the right ledger.decide_payout that no role gave"),
        (f"group {group}", "has the right ledger.decide_payout, which is none of that role"),
    ]


def test_a_role_of_the_desk_without_its_entry_is_found(
    anna: User, bert: User, magriel: User
) -> None:
    treasurer(anna, bert, magriel)
    entry = JournalEntry.objects.get(verb="role.change")
    bend("DELETE FROM ledger_journalentry WHERE id = %s", entry.pk)
    (finding,) = check_roles()
    assert "the journal does not say so" in finding.message


def test_a_second_person_of_the_same_day_is_found(
    anna: User, bert: User, magriel: User, payout: Payout
) -> None:
    """Settled by a person who got the role from the approver an hour before."""
    tom = treasurer(anna, bert, User.objects.create_user("tom"))
    now: dict[str, Any] = {"payout_id": payout.pk, "verified_at": timezone.now()}
    role_give(User.objects.create_user("cleo"), Role.TREASURER)
    payout_approve(actor=anna, **now)
    cleo = User.objects.get(username="cleo")
    payout_claim(actor=cleo, **now)
    payout_settle(actor=cleo, receipt="1", **now)
    assert list(check_second_persons()) == []
    bend(f"{SAME} %s, claimed_by_id = %s WHERE id = %s", tom.pk, tom.pk, payout.pk)
    (finding,) = check_second_persons()
    assert finding.row == payout.reference
    assert "were no two people" in finding.message


def test_two_who_came_through_the_same_person_that_day_are_found(
    anna: User, bert: User, staff: Any, magriel: User, payout: Payout
) -> None:
    """anna requested one, cleo the other; bert confirmed both."""
    cleo = staff("cleo")
    tom = treasurer(anna, bert, User.objects.create_user("tom"))
    tim = treasurer(cleo, bert, User.objects.create_user("tim"))
    dora, now = staff("dora"), {"payout_id": payout.pk, "verified_at": timezone.now()}
    payout_approve(actor=tom, **now)
    payout_claim(actor=dora, **now)
    payout_settle(actor=dora, receipt="1", **now)
    assert list(check_second_persons()) == []
    bend(f"{SAME} %s, claimed_by_id = %s WHERE id = %s", tim.pk, tim.pk, payout.pk)
    (finding,) = check_second_persons()
    assert f"both there through user {bert.pk}" in finding.message


def test_a_second_person_who_is_the_first_is_found(
    anna: User, bert: User, magriel: User, payout: Payout
) -> None:
    now: dict[str, Any] = {"payout_id": payout.pk, "verified_at": timezone.now()}
    payout_approve(actor=anna, **now)
    payout_claim(actor=bert, **now)
    payout_settle(actor=bert, receipt="1", **now)
    bend("ALTER TABLE ledger_payout DROP CONSTRAINT payout_four_eyes")
    bend(f"{SAME} approved_by_id, claimed_by_id = approved_by_id WHERE id = %s", payout.pk)
    (finding,) = check_second_persons()
    assert "are one person" in finding.message
