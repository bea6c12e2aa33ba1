"""Giving and taking the roles of the desk, as an administrator does it: with a reason, on record.

A role takes effect when a second administrator confirms it, or after `ROLE_WAIT_HOURS`; taking one
away works at once. `accounts.grants` keeps the rows; this stands in the site because the journal is
the ledger's.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from accounts.decisions import RoleGrant, StaffDecision
from accounts.grants import (
    decision_wait,
    first_fault,
    grant_ask,
    grant_effect,
    grant_withdraw,
    grants_end,
    grants_waiting,
    pair_is_fresh,
)
from accounts.models import User
from accounts.roles import Role, administrators, is_lower, role_of
from ledger.errors import MalformedPosting, NotAllowed
from ledger.services.desk import second_factor_check, two_people_check
from ledger.services.journal import journal_record
from pasch.staff.notices import notice, notice_role

PERMISSION = "accounts.give_role"
NOBODY_ELSE: Final = "lapsed: nobody else was there who could have stopped it"


class RoleError(Exception):
    """A decision about a person that cannot be made; the subclass names the cause by `code`."""

    code = "no_role"


class NoRolePossible(RoleError):
    """The account is closed, or a bot's: it works at no desk."""


class RoleUnchanged(RoleError):
    """The person has this role already."""

    code = "role_unchanged"


class LastAdministrator(RoleError):
    """No administrator would be left."""

    code = "last_administrator"


class DecisionWaits(RoleError):
    """The same request is waiting already."""

    code = "decision_waits"


class DecisionOver(RoleError):
    """It took effect, was stopped, or lapsed."""

    code = "decision_over"


class OneAdministrator(RoleError):
    """The house has a single administrator: roles take effect by waiting only."""

    code = "one_administrator"


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


@transaction.atomic
def role_confirm(*, grant_id: int, actor: User, verified_at: datetime | None) -> RoleGrant:
    """Second administrator: a role that waits takes effect now.

    Raises `NotAllowed` for the person concerned, for the requester, and for people who lately got
    a role through either; `SecondFactorStale`, `DecisionOver`, `OneAdministrator`.
    """
    grant = _locked(grant_id, actor, verified_at, "confirmed")
    confirm(grant, actor, PERMISSION)
    _effect(grant, timezone.now(), actor)
    return grant


@transaction.atomic
def role_stop(
    *, grant_id: int, actor: User, reason: str, verified_at: datetime | None
) -> RoleGrant:
    """Any administrator: a role that waits never takes effect.

    Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting` (no reason), `DecisionOver`.
    """
    grant = _locked(grant_id, actor, verified_at, reason)
    stop(grant, actor, reason.strip())
    journal_record(
        actor=actor,
        verb="role.stop",
        subject=f"user:{grant.person_id}",
        before={"asked_role": grant.role},
        after={"asked_role": None},
        reason=reason.strip(),
    )
    notice_role("role.stop", grant, actor, reason.strip())
    return grant


def roles_take_effect(*, now: datetime | None = None) -> int:
    """Put the roles in force that have waited long enough; returns their number.

    A role lapses if the person can no longer have one, if the requester no longer has the right,
    and if no other person could have stopped it.
    """
    now = now or timezone.now()
    due = grants_waiting().filter(effective_from__lte=now).values_list("pk", flat=True)
    return sum(_take_effect(grant_id, now) for grant_id in due)


@transaction.atomic
def _take_effect(grant_id: int, now: datetime) -> bool:
    roles_lock()
    grant = RoleGrant.objects.select_for_update(no_key=True).get(pk=grant_id)
    asker = grant.asked_by
    if not grant.waits or asker is None:
        return False
    reason = ""
    gone = first_fault(asker.pk, PERMISSION, grant.asked_at) is not None
    if gone or not _can_have_role(grant.person):
        reason = "lapsed: it is not possible any more"
    elif not could_be_stopped(grant):
        reason = NOBODY_ELSE
    if reason:
        grants_end(grant.person, by=None, reason=reason, at=now, waiting_only=True)
        return False
    _effect(grant, now, asker)
    return True


def _effect(grant: RoleGrant, at: datetime, actor: User) -> None:
    if not _can_have_role(grant.person):
        raise NoRolePossible(f"{grant.person.get_username()} is a bot, a guest, or closed")
    before = _standing(grant.person)
    grant_effect(grant, at=at)
    _changed(grant.person, actor, before, grant.reason, grant)


# --- what decisions about roles and about identities share ----------------------------------------


def roles_lock() -> None:
    """Let one decision about people go on at a time, until the transaction ends."""
    Group.objects.select_for_update(no_key=True).get(name=Role.ADMINISTRATOR.value)


def may(actor: User, permission: str) -> bool:
    """Whether a person is still staff and has a right, by the current rows."""
    found = User.objects.filter(pk=actor.pk, is_active=True, is_staff=True).first()
    return found is not None and found.has_perm(permission)


def could_be_stopped(decision: StaffDecision) -> bool:
    """Whether there is an administrator who could have stopped a change that waits.

    An administrator who got the role through the requester, within a day before the request or
    since, does not count. A house with a single administrator needs none.
    """
    if settings.LEDGER_SINGLE_ADMINISTRATOR:
        return True
    assert decision.asked_by is not None
    asker_id = decision.asked_by.pk
    others = administrators().exclude(pk=asker_id).values_list("pk", flat=True)
    return any(not pair_is_fresh(asker_id, other, now=decision.asked_at) for other in others)


def decider(
    actor: User, permission: str, *, about: int, verified_at: datetime | None, reason: str
) -> User:
    """The actor as they are now, once it is certain that they may decide about this person.

    Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting` (no reason).
    """
    roles_lock()
    if not may(actor, permission):
        raise NotAllowed(f"{actor.get_username()} has no right to {permission}")
    if actor.pk == about:
        raise NotAllowed("nobody decides about a role or an identity of their own")
    second_factor_check(verified_at)
    if not reason.strip():
        raise MalformedPosting("such a decision is made for a reason")
    return User.objects.get(pk=actor.pk)


def confirm(decision: StaffDecision, actor: User, right: str) -> None:
    """Write the second person into a decision that waits. Raises as `role_confirm`."""
    if not decision.waits:
        raise DecisionOver(str(decision))
    if settings.LEDGER_SINGLE_ADMINISTRATOR:
        raise OneAdministrator(str(decision))
    if decision.asked_by is None:
        raise NotAllowed("the operator's own decision is confirmed by nobody")
    two_people_check(
        first_id=decision.asked_by.pk,
        second=actor,
        right=right,
        since=decision.asked_at,
        reference=str(decision),
    )
    decision.confirmed_by, decision.confirmed_at = actor, timezone.now()
    decision.save(update_fields=["confirmed_by", "confirmed_at"])


def stop(decision: StaffDecision, actor: User, reason: str) -> None:
    """End a decision that waits. Raises `DecisionOver`."""
    if not decision.waits:
        raise DecisionOver(str(decision))
    decision.ended_by, decision.ended_at, decision.end_reason = actor, timezone.now(), reason
    decision.save(update_fields=["ended_by", "ended_at", "end_reason"])


# --- details --------------------------------------------------------------------------------------


def _locked(grant_id: int, actor: User, verified_at: datetime | None, reason: str) -> RoleGrant:
    about = RoleGrant.objects.get(pk=grant_id).person_id
    decider(actor, PERMISSION, about=about, verified_at=verified_at, reason=reason)
    return RoleGrant.objects.select_for_update(no_key=True).get(pk=grant_id)


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
    journal_record(
        actor=actor,
        verb="role.ask",
        subject=f"user:{user.pk}",
        before={"asked_role": None},
        after={
            "asked_role": role.value,
            "effective_from": grant.effective_from.isoformat(),
        },
        reason=reason,
    )
    notice_role("role.ask", grant, actor, reason)
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
