"""Roles that are requested, confirmed, and in force: the rows, and nothing above them.

A role is in force from the row's `effective_at` on; only then the person is put into its group.
The desk decides who may request and confirm (platform/pasch/staff/).
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.decisions import IN_FORCE, WAITING, IdentityChange, RoleGrant
from accounts.models import User

PAIR_WAIT: Final = timedelta(hours=24)
"""For so long a new holder of a role, and the one who gave it, are no two people to the house."""

BY_OPERATOR: Final = "by the operator of the house"


def decision_wait() -> timedelta:
    """How long a decision waits for a second administrator before it takes effect without one."""
    return timedelta(hours=settings.ROLE_WAIT_HOURS)


def grants_waiting() -> QuerySet[RoleGrant]:
    """Roles that are not in force yet, the oldest first."""
    return RoleGrant.objects.filter(WAITING).order_by("id")


def grant_ask(
    *, person: User, role: str, asked_by: User | None, reason: str, wait: timedelta
) -> RoleGrant:
    """Record the request for a role; it gives no right yet."""
    return RoleGrant.objects.create(
        person=person,
        role=role,
        asked_by=asked_by,
        reason=reason,
        effective_from=timezone.now() + wait,
    )


@transaction.atomic
def grant_effect(grant: RoleGrant, *, at: datetime) -> None:
    """Put a role in force: the person has it and no other, and is staff.

    What the person had before ends. Less than administrator ends a superuser.
    """
    if grant.role != "administrator":
        _superuser_note(grant.person, by=grant.asked_by, reason="another role")
    grants_end(grant.person, by=grant.asked_by, reason="another role", at=at, kept=grant)
    grant.effective_at = at
    grant.save(update_fields=["effective_at"])
    user = grant.person
    user.groups.remove(*_roles_among(user))
    user.groups.add(Group.objects.get(name=grant.role))
    user.is_staff = True
    user.is_superuser = user.is_superuser and grant.role == "administrator"
    user.save(update_fields=["is_staff", "is_superuser"])
    if grant.role != "administrator":
        asked_end(user, by=grant.asked_by, at=at)


@transaction.atomic
def grant_withdraw(person: User, *, by: User | None, reason: str) -> None:
    """Make a person a player again, at once; their own waiting requests end too."""
    _superuser_note(person, by=by, reason=reason)
    now = timezone.now()
    grants_end(person, by=by, reason=reason, at=now)
    asked_end(person, by=by, at=now)
    person.groups.remove(*_roles_among(person))
    person.is_staff = person.is_superuser = False
    person.save(update_fields=["is_staff", "is_superuser"])


def _superuser_note(person: User, *, by: User | None, reason: str) -> None:
    """Write the row of a superuser who stops being one and never had a row; it has ended.

    Without it, what is kept for former administrators (mails, guards) would not find this person.
    """
    heads = RoleGrant.objects.filter(IN_FORCE, person=person, role="administrator")
    if not person.is_superuser or heads.exists():
        return
    now = timezone.now()
    RoleGrant.objects.create(
        person=person,
        role="administrator",
        reason="a superuser, made at the server",
        effective_from=now,
        effective_at=now,
        ended_by=by,
        ended_at=now,
        end_reason=reason[:500],
    )


def grants_end(
    person: User,
    *,
    by: User | None,
    reason: str,
    at: datetime,
    kept: RoleGrant | None = None,
    waiting_only: bool = False,
) -> None:
    """End every role that a person has or waits for, but the row `kept`."""
    held = RoleGrant.objects.filter(WAITING if waiting_only else WAITING | IN_FORCE, person=person)
    if kept is not None:
        held = held.exclude(pk=kept.pk)
    held.update(ended_by=by, ended_at=at, end_reason=reason[:500])


def asked_end(person: User, *, by: User | None, at: datetime) -> None:
    """End the unconfirmed requests of a person who has lost the right to make them."""
    gone = f"{person.get_username()} is no administrator any more"
    for model in (RoleGrant, IdentityChange):
        asked = model.objects.filter(WAITING, asked_by=person)
        asked.update(ended_by=by, ended_at=at, end_reason=gone)


def has_or_awaits_role(person: User) -> bool:
    """Whether a person works at the desk, is a superuser, or waits for a role."""
    if person.is_staff or person.is_superuser or _roles_among(person).exists():
        return True
    return RoleGrant.objects.filter(WAITING | IN_FORCE, person=person).exists()


def pair_is_fresh(one_id: int, other_id: int, *, now: datetime | None = None) -> bool:
    """Whether one of two people recently got a role, or a way into an account, through the other,
    or both of them through the same third person.

    They are no two people to the house for `PAIR_WAIT`: a role counts from when it took effect,
    also when it has ended since; an address or a second factor from when it was changed.
    """
    since = (now or timezone.now()) - PAIR_WAIT
    return bool(_answer("accounts_pair_is_fresh(%s, %s, %s)", one_id, other_id, since))


def first_fault(first_id: int, right: str, since: datetime) -> str | None:
    """Why what a person began cannot take effect now: aged or first (without the right); or None.

    `right` is written in full (``accounts.give_role``), `since` is when they began it. No role is
    taken before the transaction ends.
    """
    return _fault("accounts_first_fault(%s, %s, %s)", first_id, right, since)


def second_fault(first_id: int, second_id: int, right: str, since: datetime) -> str | None:
    """Why these two do not decide it: as `first_fault`, or same, second (no right), or fresh.

    The rule is in accounts/migrations/sql/two_people.sql alone; the triggers of every such decision
    ask it again when it takes effect.
    """
    return _fault("accounts_second_fault(%s, %s, %s, %s)", first_id, second_id, right, since)


def _fault(call: str, *arguments: Any) -> str | None:
    found = _answer(call, *arguments)
    return None if found is None else str(found)


def _answer(call: str, *arguments: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {call}", arguments)
        return cursor.fetchone()[0]


def _roles_among(user: User) -> QuerySet[Group]:
    return user.groups.filter(name__in=("moderator", "treasurer", "administrator"))
