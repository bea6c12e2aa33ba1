"""Changing another person's account at the desk: with a reason, a journal entry and mails.

An account of the staff is guarded: its changes wait for a second administrator, or as long as a
role does (`ROLE_WAIT_HOURS`). So does a new way into an account that owns credits. Closing is at
once, and takes every role away.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.decisions import TAKES_OVER, WAITING, IdentityChange, IdentityKind
from accounts.grants import decision_wait, first_fault
from accounts.identity import (
    AT_ONCE,
    IdentityRefused,
    identity_apply,
    identity_facts,
    identity_value,
    is_guarded,
    masked,
)
from accounts.models import User
from accounts.roles import administrators
from ledger.selectors import owns_credits
from ledger.services.journal import journal_record
from pasch.observability.security_log import note
from pasch.staff.notices import addresses_of, notice
from pasch.staff.roles import (
    DecisionWaits,
    LastAdministrator,
    RoleError,
    confirm,
    could_be_stopped,
    decider,
    roles_lock,
    stop,
)

PERMISSION = "accounts.decide_identity"


class IdentityNotPossible(RoleError):
    """This change cannot be made; `code` names the cause."""

    def __init__(self, refused: IdentityRefused) -> None:
        self.code = refused.code
        super().__init__(str(refused))


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
    `IdentityNotPossible`.
    """
    actor = decider(actor, PERMISSION, about=user_id, verified_at=verified_at, reason=reason)
    person = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if identities_waiting().filter(person=person, kind=kind).exists():
        raise DecisionWaits(f"{kind} of user {user_id} waits already")
    try:
        value = identity_value(person, kind, value)
    except IdentityRefused as error:
        raise IdentityNotPossible(error) from error
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
        _asked(change, actor)
    else:
        _carry_out(change, actor, change.effective_from)
    return change


@transaction.atomic
def identity_confirm(
    *, change_id: int, actor: User, verified_at: datetime | None
) -> IdentityChange:
    """Second administrator: a change that waits is made now. Raises as `role_confirm` does."""
    change = _locked(change_id, actor, verified_at, "confirmed")
    confirm(change, actor, PERMISSION)
    _carry_out(change, actor, timezone.now())
    return change


@transaction.atomic
def identity_stop(
    *, change_id: int, actor: User, reason: str, verified_at: datetime | None
) -> IdentityChange:
    """Any administrator: a change that waits is never made. Raises as `role_stop` does."""
    change = _locked(change_id, actor, verified_at, reason)
    stop(change, actor, reason.strip())
    _journal(change, actor, "identity.stop", {"change": change.kind}, {"change": None}, reason)
    notice(
        "identity.stop",
        person=change.person,
        actor=actor,
        change=IdentityKind(change.kind).label,
        reason=reason.strip(),
    )
    return change


def identities_waiting() -> QuerySet[IdentityChange]:
    """Changes that were not made yet, the oldest first."""
    return IdentityChange.objects.filter(WAITING).order_by("id")


def identities_take_effect(*, now: datetime | None = None) -> int:
    """Make the changes that have waited long enough; returns their number.

    A change lapses if it is no longer possible, if its requester no longer has the right, and if
    no other person could have stopped it.
    """
    now = now or timezone.now()
    due = identities_waiting().filter(effective_from__lte=now).values_list("pk", flat=True)
    return sum(_take_effect(change_id, now) for change_id in due)


@transaction.atomic
def _take_effect(change_id: int, now: datetime) -> bool:
    roles_lock()
    change = IdentityChange.objects.select_for_update(no_key=True).get(pk=change_id)
    asker = change.asked_by
    if not change.waits or asker is None:
        return False
    try:
        if first_fault(asker.pk, PERMISSION, change.asked_at) is not None:
            raise IdentityNotPossible(IdentityRefused("lapsed", "the one who asked may not"))
        if not could_be_stopped(change):
            reason = "nobody else was there who could have stopped it"
            raise IdentityNotPossible(IdentityRefused("lapsed", reason))
        with transaction.atomic():
            _carry_out(change, asker, now)
    except RoleError as error:
        change.effective_at = None
        change.ended_at, change.end_reason = now, f"lapsed: {error}"[:500]
        change.save(update_fields=["ended_at", "end_reason"])
        return False
    return True


def _carry_out(change: IdentityChange, actor: User, at: datetime) -> None:
    person = change.person
    before, addresses = identity_facts(person), addresses_of(person)
    change.effective_at = at
    change.save(update_fields=["effective_at"])
    try:
        identity_apply(change)
    except IdentityRefused as error:
        raise IdentityNotPossible(error) from error
    if not administrators().exists():
        raise LastAdministrator(f"{person.get_username()} is the last administrator")
    after = identity_facts(person)
    if change.asked_by is not None and change.asked_by.pk != actor.pk:
        after["asked_by"] = change.asked_by.get_username()
    _journal(change, actor, "identity.change", before, after, change.reason)
    note("identity_changed", kind=change.kind, user_id=person.pk, by_id=actor.pk)
    notice(
        "identity.done",
        person=person,
        actor=actor,
        change=IdentityKind(change.kind).label,
        reason=change.reason,
        addresses=addresses,
    )


def _asked(change: IdentityChange, actor: User) -> None:
    value = masked(change.value) if change.kind == IdentityKind.ADDRESS else change.value
    asked = {"change": change.kind, "effective_from": change.effective_from.isoformat()}
    after = asked | ({"value": value} if value else {})
    _journal(change, actor, "identity.ask", {"change": None}, after, change.reason)
    notice(
        "identity.ask",
        person=change.person,
        actor=actor,
        change=IdentityKind(change.kind).label,
        reason=change.reason,
        at=change.effective_from,
    )


def _journal(
    change: IdentityChange,
    actor: User,
    verb: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
    reason: str,
) -> None:
    journal_record(
        actor=actor,
        verb=verb,
        subject=f"user:{change.person_id}",
        before=before,
        after=after,
        reason=reason.strip(),
    )


def _locked(
    change_id: int, actor: User, verified_at: datetime | None, reason: str
) -> IdentityChange:
    about = IdentityChange.objects.get(pk=change_id).person_id
    decider(actor, PERMISSION, about=about, verified_at=verified_at, reason=reason)
    return IdentityChange.objects.select_for_update(no_key=True).get(pk=change_id)
