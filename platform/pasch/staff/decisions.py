"""Decisions about people that wait for a second administrator, or for their time.

Roles and changes of accounts are such decisions; each kind says what it carries out
(`pasch.staff.roles`, `pasch.staff.identities`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_noop as _

from accounts.decisions import WAITING, StaffDecision
from accounts.grants import first_fault, pair_is_fresh
from accounts.identity import IdentityRefused
from accounts.models import User
from accounts.roles import Role, administrators
from kit.errors import Refusal
from ledger.errors import MalformedPosting, NotAllowed
from ledger.services.decisions import journal_record, second_factor_check, two_people_check
from pasch.staff.mails import notice


class RoleError(Refusal):
    """A decision about a person that cannot be made; the subclass names the cause by `code`."""

    code = "no_role"
    sentence = _("This account can have no role: it is closed, or a bot's.")


class LastAdministrator(RoleError):
    """No administrator would be left."""

    code = "last_administrator"
    sentence = _("The house must keep one administrator.")


class DecisionWaits(RoleError):
    """The same request is waiting already."""

    code = "decision_waits"
    sentence = _("The same was asked for before, and waits.")


class DecisionOver(RoleError):
    """It took effect, was stopped, or lapsed."""

    code = "decision_over"
    sentence = _("Someone else has already decided this.")


class OneAdministrator(RoleError):
    """The house has a single administrator: roles take effect by waiting only."""

    code = "one_administrator"
    sentence = _(
        "This house is set to one administrator: nobody confirms, the waiting time has to pass."
    )


class DecisionLapsed(RoleError):
    """It waited long enough, and cannot take effect."""

    code = "decision_lapsed"
    sentence = _("This has lapsed: it can no longer take effect.")


@dataclass(frozen=True, slots=True)
class StaffKind:
    """A kind of decision about people: its rows, the right to it, and what it does.

    `verb` begins the verbs of the journal and the names of mails (``role.stop``), `field` names
    what waits in the journal, with `value`; `words` are for the mails.
    """

    model: type[Any]
    permission: str
    verb: str
    field: str
    value: Callable[[Any], str]
    words: Callable[[Any], str | Promise]
    carry_out: Callable[[Any, User, datetime], None]


def decision_asked(kind: StaffKind, decision: Any, actor: User, **more: str) -> None:
    """Enter a request that waits in the journal, and write the mails about it."""
    after = {
        kind.field: kind.value(decision),
        "effective_from": decision.effective_from.isoformat(),
    }
    _record(kind, decision, actor, "ask", None, {**after, **more}, decision.reason)


@transaction.atomic
def decision_confirm(
    kind: StaffKind, *, decision_id: int, actor: User, verified_at: datetime | None
) -> Any:
    """Second administrator: what waits takes effect now.

    Raises `NotAllowed` for the person concerned, for the requester, and for people who lately got
    a role through either; `SecondFactorStale`, `DecisionOver`, `OneAdministrator`, and what the
    kind does.
    """
    decision = _locked(kind, decision_id, actor, verified_at, "confirmed")
    if settings.LEDGER_SINGLE_ADMINISTRATOR:
        raise OneAdministrator(str(decision))
    if decision.asked_by is None:
        raise NotAllowed("the operator's own decision is confirmed by nobody")
    two_people_check(
        first_id=decision.asked_by.pk,
        second=actor,
        right=kind.permission,
        since=decision.asked_at,
        reference=str(decision),
    )
    decision.confirmed_by, decision.confirmed_at = actor, timezone.now()
    decision.save(update_fields=["confirmed_by", "confirmed_at"])
    kind.carry_out(decision, actor, timezone.now())
    return decision


@transaction.atomic
def decision_stop(
    kind: StaffKind, *, decision_id: int, actor: User, reason: str, verified_at: datetime | None
) -> Any:
    """Any administrator: what waits never takes effect.

    Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting` (no reason), `DecisionOver`.
    """
    decision = _locked(kind, decision_id, actor, verified_at, reason)
    _end(decision, actor, timezone.now(), reason.strip())
    before, after = kind.value(decision), {kind.field: None}
    _record(kind, decision, actor, "stop", before, after, reason.strip())
    return decision


def decisions_take_effect(kind: StaffKind, *, now: datetime | None = None) -> int:
    """Carry out the decisions of a kind that have waited long enough; returns their number.

    One lapses if it is no longer possible, if its requester no longer has the right, and if no
    other person could have stopped it.
    """
    now = now or timezone.now()
    due = kind.model.objects.filter(WAITING, effective_from__lte=now).order_by("id")
    return sum(_take_effect(kind, pk, now) for pk in due.values_list("pk", flat=True))


@transaction.atomic
def _take_effect(kind: StaffKind, decision_id: int, now: datetime) -> bool:
    roles_lock()
    decision = kind.model.objects.select_for_update(no_key=True).get(pk=decision_id)
    asker = decision.asked_by
    if not decision.waits or asker is None:
        return False
    try:
        if first_fault(asker.pk, kind.permission, decision.asked_at) is not None:
            raise DecisionLapsed("the one who asked may not")
        if not could_be_stopped(decision):
            raise DecisionLapsed("nobody else was there who could have stopped it")
        with transaction.atomic():
            kind.carry_out(decision, asker, now)
    except (RoleError, IdentityRefused) as error:
        decision.refresh_from_db()
        _end(decision, None, now, f"lapsed: {error}"[:500])
        return False
    return True


def _end(decision: StaffDecision, by: User | None, at: datetime, reason: str) -> None:
    decision.ended_by, decision.ended_at, decision.end_reason = by, at, reason
    decision.save(update_fields=["ended_by", "ended_at", "end_reason"])


def _record(
    kind: StaffKind,
    decision: Any,
    actor: User,
    step: str,
    before: str | None,
    after: dict[str, Any],
    reason: str,
) -> None:
    """Enter a step of a decision in the journal, and write the mails about it."""
    journal_record(
        actor=actor,
        verb=f"{kind.verb}.{step}",
        subject=f"user:{decision.person_id}",
        before={kind.field: before},
        after=after,
        reason=reason,
    )
    notice(
        f"{kind.verb}.{step}",
        person=decision.person,
        actor=actor,
        change=kind.words(decision),
        reason=reason,
        at=decision.effective_from,
    )


def _locked(
    kind: StaffKind, decision_id: int, actor: User, verified_at: datetime | None, reason: str
) -> Any:
    """A decision that waits, locked, for somebody who may decide about the person."""
    about = kind.model.objects.get(pk=decision_id).person_id
    decider(actor, kind.permission, about=about, verified_at=verified_at, reason=reason)
    decision = kind.model.objects.select_for_update(no_key=True).get(pk=decision_id)
    if not decision.waits:
        raise DecisionOver(str(decision))
    return decision


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
