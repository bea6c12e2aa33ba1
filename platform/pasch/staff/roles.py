"""Giving and taking the roles of the desk, as an administrator does it: with a reason, on record.

A role takes effect when a second administrator confirms it, or after `ROLE_WAIT_HOURS`; taking one
away works at once. `accounts.grants` keeps the rows; this stands in the site because the journal is
the ledger's.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.decisions import RoleGrant
from accounts.grants import (
    decision_wait,
    grant_ask,
    grant_effect,
    grant_withdraw,
    grants_end,
    grants_waiting,
)
from accounts.models import User
from accounts.roles import Role, administrators, is_lower, role_of
from ledger.services.decisions import journal_record
from pasch.staff.decisions import (
    DecisionWaits,
    LastAdministrator,
    RoleError,
    StaffKind,
    decider,
    decision_asked,
)
from pasch.staff.mails import notice

PERMISSION = "accounts.give_role"


class NoRolePossible(RoleError):
    """The account is closed, or a bot's: it works at no desk."""


class RoleUnchanged(RoleError):
    """The person has this role already."""

    code = "role_unchanged"
    sentence = _("That is this person's role already.")


@transaction.atomic
def role_change(
    *, user_id: int, role: Role | None, actor: User, reason: str, verified_at: datetime | None
) -> RoleGrant | None:
    """Request a role for a person, or (None) take it; the journal records both.

    A role that gives more than the person has waits (`RoleGrant.waits`); a lower one, and none, are
    in force at once. All changes of roles wait for one another, and the actor's own right is read
    again after the wait: two administrators who dismiss each other leave one of them.

    Raises `NotAllowed` (no right, or it is about oneself), `SecondFactorStale`, `MalformedPosting`
    (no reason), `NoRolePossible`, `RoleUnchanged`, `LastAdministrator`, `DecisionWaits`.
    """
    actor = decider(actor, PERMISSION, about=user_id, verified_at=verified_at, reason=reason)
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    before, reason = _standing(user), reason.strip()
    if role is None:
        grant = None
        _take(user, actor, reason)
    else:
        grant = _ask(user, role, actor, reason)
        if grant.waits:
            return grant
    if not administrators().exists():
        raise LastAdministrator(f"{user.get_username()} is the last administrator")
    _changed(user, actor, before, reason)
    return grant


def _effect(grant: RoleGrant, actor: User, at: datetime) -> None:
    if not _can_have_role(grant.person):
        raise NoRolePossible(f"{grant.person.get_username()} is a bot, a guest, or closed")
    before = _standing(grant.person)
    grant_effect(grant, at=at)
    _changed(grant.person, actor, before, grant.reason, grant)


def _take(user: User, actor: User, reason: str) -> None:
    if not user.is_staff and role_of(user) is None and not user.is_superuser:
        raise RoleUnchanged(f"{user.get_username()} has no role")
    grant_withdraw(user, by=actor, reason=reason)


def _ask(user: User, role: Role, actor: User, reason: str) -> RoleGrant:
    if not _can_have_role(user):
        raise NoRolePossible(f"{user.get_username()} is a bot, a guest, or closed")
    if role_of(user) is role:
        raise RoleUnchanged(f"{user.get_username()} is {role.value} already")
    if is_lower(role, user):
        grants_end(user, by=actor, reason=reason, at=timezone.now(), waiting_only=True)
        grant = grant_ask(
            person=user, role=role.value, asked_by=actor, reason=reason, wait=timedelta()
        )
        grant_effect(grant, at=grant.effective_from)
        return grant
    if grants_waiting().filter(person=user).exists():
        raise DecisionWaits(f"{user.get_username()} waits for a role already")
    grant = grant_ask(
        person=user, role=role.value, asked_by=actor, reason=reason, wait=decision_wait()
    )
    decision_asked(ROLES, grant, actor)
    return grant


def _changed(
    user: User,
    actor: User,
    before: dict[str, object],
    reason: str,
    grant: RoleGrant | None = None,
) -> None:
    """Record a person's old and new role in the journal, and send mails."""
    after = _standing(user)
    if grant is not None and grant.asked_by is not None:
        after["asked_by"] = grant.asked_by.get_username()
    journal_record(
        actor=actor,
        verb="role.change",
        subject=f"user:{user.pk}",
        before=before,
        after=after,
        reason=reason,
    )
    role = role_of(user)
    change = role.label if role else ""
    notice("role.change", person=user, actor=actor, change=change, reason=reason)


def _can_have_role(user: User) -> bool:
    return user.is_active and not user.is_bot and not user.is_guest


def _standing(user: User) -> dict[str, object]:
    role = role_of(user)
    return {"role": role.value if role else None, "superuser": user.is_superuser}


ROLES = StaffKind(
    model=RoleGrant,
    permission=PERMISSION,
    verb="role",
    field="asked_role",
    value=lambda grant: str(grant.role),
    words=lambda grant: Role(grant.role).label,
    carry_out=_effect,
)
