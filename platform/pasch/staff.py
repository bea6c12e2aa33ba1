"""Giving and taking the roles of the desk, as an administrator does it: with a reason, on record.

`accounts.roles` knows what a role is; this stands in the site because the journal is the ledger's.
"""

from datetime import datetime

from django.contrib.auth.models import Group
from django.db import transaction

from accounts.models import User
from accounts.roles import Role, administrators, role_give, role_of, role_take
from ledger.errors import MalformedPosting, NotAllowed
from ledger.services.desk import journal_record, second_factor_check

PERMISSION = "accounts.give_role"


class RoleError(Exception):
    """A role that cannot be given or taken; the subclass names the cause, `code` to programs."""

    code = "no_role"


class NoRolePossible(RoleError):
    """The account is closed, or a bot's: it works at no desk."""


class RoleUnchanged(RoleError):
    """The person has this role already."""

    code = "role_unchanged"


class LastAdministrator(RoleError):
    """Nobody would be left who may give roles."""

    code = "last_administrator"


@transaction.atomic
def role_change(
    *, user_id: int, role: Role | None, actor: User, reason: str, verified_at: datetime | None
) -> None:
    """Give a person a role instead of the one before, or (None) take it; the journal has both.

    All changes of roles wait for one another, and the actor's own right is read again after the
    wait: two administrators who dismiss each other leave one of them. Rights are read from the
    database with every request, so the change is in force at once, for open sessions too.

    Raises `NotAllowed` (no right, or it is about oneself), `SecondFactorStale`, `MalformedPosting`
    (no reason), `NoRolePossible`, `RoleUnchanged`, `LastAdministrator`.
    """
    Group.objects.select_for_update(no_key=True).get(name=Role.ADMINISTRATOR.value)
    actor = User.objects.get(pk=actor.pk)
    if not (actor.is_active and actor.is_staff and actor.has_perm(PERMISSION)):
        raise NotAllowed(f"{actor.get_username()} has no right to give roles")
    if actor.pk == user_id:
        raise NotAllowed("nobody changes a role of his own")
    second_factor_check(verified_at)
    if not reason.strip():
        raise MalformedPosting("a role is given or taken for a reason")
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    before = _standing(user)
    _change(user, role)
    journal_record(
        actor=actor,
        verb="role.change",
        subject=f"user:{user.pk}",
        before=before,
        after=_standing(user),
        reason=reason.strip(),
    )


def _change(user: User, role: Role | None) -> None:
    if role is None:
        if not user.is_staff and role_of(user) is None:
            raise RoleUnchanged(f"{user.get_username()} has no role")
        role_take(user)
    else:
        if user.is_bot or user.is_guest or not user.is_active:
            raise NoRolePossible(f"{user.get_username()} is a bot, a guest, or closed")
        if role_of(user) is role:
            raise RoleUnchanged(f"{user.get_username()} is {role.value} already")
        role_give(user, role)
    if not administrators().exists():
        raise LastAdministrator(f"{user.get_username()} is the last administrator")


def _standing(user: User) -> dict[str, object]:
    role = role_of(user)
    return {"role": role.value if role else None, "superuser": user.is_superuser}
