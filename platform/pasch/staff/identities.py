"""Changing another person's account at the desk: with a reason, a journal entry and mails.

An account of the staff is guarded: its changes wait for a second administrator, or as long as a
role does (`ROLE_WAIT_HOURS`). So does a new way into an account that owns credits. Closing is at
once, and takes every role away.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.decisions import TAKES_OVER, WAITING, IdentityChange, IdentityKind
from accounts.grants import decision_wait
from accounts.identity import (
    AT_ONCE,
    identity_apply,
    identity_facts,
    identity_value,
    is_guarded,
    masked,
)
from accounts.models import User
from accounts.roles import administrators
from ledger.selectors import owns_credits
from ledger.services.decisions import journal_record
from pasch.observability.security_log import note
from pasch.staff.decisions import (
    DecisionWaits,
    LastAdministrator,
    StaffKind,
    decider,
    decision_asked,
)
from pasch.staff.mails import addresses_of, notice

PERMISSION = "accounts.decide_identity"


@transaction.atomic
def identity_change(
    *,
    user_id: int,
    kind: IdentityKind,
    value: str = "",
    actor: User,
    reason: str,
    verified_at: datetime | None,
) -> IdentityChange:
    """Change the account of another person, or request it if the account is guarded.

    `value` is the new address or name. Raises `NotAllowed` (no right, or one's own account),
    `SecondFactorStale`, `MalformedPosting` (no reason), `DecisionWaits`, `LastAdministrator`,
    `IdentityRefused`.
    """
    actor = decider(actor, PERMISSION, about=user_id, verified_at=verified_at, reason=reason)
    person = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if identities_waiting().filter(person=person, kind=kind).exists():
        raise DecisionWaits(f"{kind} of user {user_id} waits already")
    value = identity_value(person, kind, value)
    waits = kind not in AT_ONCE and (
        is_guarded(person) or (kind in TAKES_OVER and owns_credits(person.pk))
    )
    change = IdentityChange.objects.create(
        person=person,
        kind=kind,
        value=value,
        asked_by=actor,
        reason=reason.strip(),
        effective_from=timezone.now() + (decision_wait() if waits else timedelta()),
    )
    if waits:
        value = masked(value) if kind == IdentityKind.ADDRESS else value
        decision_asked(IDENTITIES, change, actor, **({"value": value} if value else {}))
    else:
        _carry_out(change, actor, change.effective_from)
    return change


def identities_waiting() -> QuerySet[IdentityChange]:
    """Changes that were not made yet, the oldest first."""
    return IdentityChange.objects.filter(WAITING).order_by("id")


def _carry_out(change: IdentityChange, actor: User, at: datetime) -> None:
    person = change.person
    before, addresses = identity_facts(person), addresses_of(person)
    change.effective_at = at
    change.save(update_fields=["effective_at"])
    identity_apply(change)
    if not administrators().exists():
        raise LastAdministrator(f"{person.get_username()} is the last administrator")
    after = identity_facts(person)
    if change.asked_by is not None and change.asked_by.pk != actor.pk:
        after["asked_by"] = change.asked_by.get_username()
    journal_record(
        actor=actor,
        verb="identity.change",
        subject=f"user:{person.pk}",
        before=before,
        after=after,
        reason=change.reason,
    )
    note("identity_changed", kind=change.kind, user_id=person.pk, by_id=actor.pk)
    notice(
        "identity.done",
        person=person,
        actor=actor,
        change=IdentityKind(change.kind).label,
        reason=change.reason,
        addresses=addresses,
    )


IDENTITIES = StaffKind(
    model=IdentityChange,
    permission=PERMISSION,
    verb="identity",
    field="change",
    value=lambda change: str(change.kind),
    words=lambda change: IdentityKind(change.kind).label,
    carry_out=_carry_out,
)
