"""The checks before a new stake: players' own limits and breaks, the house's freezes and stops.

They are checked where credits enter escrow, under the lock of the wallet
(ledger/migrations/sql/limits.sql).
"""

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from accounts.mailboxes import mailboxes_note
from accounts.models import User
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Measure, Period, PlayLimit, PlayPause, StakesStop
from ledger.services.books import wallet_freeze, wallet_thaw
from ledger.services.decisions import journal_record, right_check, second_factor_check

RAISE_DELAY = timedelta(hours=24)
BREAK = timedelta(hours=24)
EXCLUSION_DAYS_MIN = 182  # half a year


@transaction.atomic
def limit_set(
    *, user: User, measure: str, period: str, amount_cents: int | None
) -> PlayLimit | None:
    """Set, narrow, widen or (None) remove a limit: narrower at once, wider after 24 hours.

    Answers the limit in force, or None where there is none. Raises `MalformedPosting`.
    """
    if measure not in Measure or period not in Period or (amount_cents or 0) < 0:
        raise MalformedPosting(f"no limit: {measure} per {period}, {amount_cents}")
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)  # one change at a time
    limit = PlayLimit.objects.filter(user=user, measure=measure, period=period).first()
    if limit is None:
        if amount_cents is None:
            return None
        return PlayLimit.objects.create(
            user=user, measure=measure, period=period, amount_cents=amount_cents
        )
    return _change(limit, amount_cents)


@transaction.atomic
def break_start(*, user: User, length: timedelta = BREAK) -> PlayPause:
    """No stakes for a day (or longer). It cannot be taken back; running matches finish."""
    if length < BREAK:
        raise MalformedPosting("a break lasts at least 24 hours")
    return PlayPause.objects.create(user=user, kind="break", ends_at=timezone.now() + length)


@transaction.atomic
def exclusion_start(*, user: User, days: int | None) -> PlayPause:
    """Self-exclusion for at least half a year, or (None) for ever. Payouts stay possible.

    It holds for every account that names a mailbox of this one, now and later.
    """
    if days is not None and days < EXCLUSION_DAYS_MIN:
        raise MalformedPosting(f"a self-exclusion lasts at least {EXCLUSION_DAYS_MIN} days")
    mailboxes_note(user)
    ends_at = None if days is None else timezone.now() + timedelta(days=days)
    return PlayPause.objects.create(user=user, kind="exclusion", ends_at=ends_at)


@transaction.atomic
def player_freeze(*, user: User, actor: User, reason: str) -> bool:
    """An administrator freezes a wallet while something is looked into. Raises `NotAllowed`."""
    right_check(actor, "freeze_account")
    changed = wallet_freeze(user=user)
    if changed:
        _journal_freeze(user, actor, reason, frozen=True)
    return changed


@transaction.atomic
def player_thaw(*, user: User, actor: User, reason: str, verified_at: datetime | None) -> bool:
    """End a freeze; payouts may go on then. Raises `NotAllowed`, `SecondFactorStale`.

    No one can release their own wallet.
    """
    right_check(actor, "freeze_account")
    second_factor_check(verified_at)
    if actor.pk == user.pk:
        raise NotAllowed("nobody releases a wallet of their own")
    changed = wallet_thaw(user=user)
    if changed:
        _journal_freeze(user, actor, reason, frozen=False)
    return changed


@transaction.atomic
def stakes_stop(*, scope: str, actor: User, reason: str) -> StakesStop:
    """No new stakes for a scope (``house`` is all of it); running games finish."""
    right_check(actor, "stop_stakes")
    if not scope or not reason.strip():
        raise MalformedPosting("a stop has a scope and a reason")
    stop, new = StakesStop.objects.get_or_create(
        scope=scope, defaults={"reason": reason.strip(), "actor": actor}
    )
    if new:
        journal_record(
            actor=actor,
            verb="stakes.stop",
            subject=scope,
            before={"stopped": False},
            after={"stopped": True},
            reason=reason.strip(),
        )
    return stop


@transaction.atomic
def stakes_resume(*, scope: str, actor: User, reason: str) -> bool:
    """Take stakes again. Answers whether this changed anything."""
    right_check(actor, "stop_stakes")
    deleted, _ = StakesStop.objects.filter(scope=scope).delete()
    if deleted:
        journal_record(
            actor=actor,
            verb="stakes.resume",
            subject=scope,
            before={"stopped": True},
            after={"stopped": False},
            reason=reason,
        )
    return bool(deleted)


def _change(limit: PlayLimit, amount_cents: int | None) -> PlayLimit | None:
    now = timezone.now()
    if limit.next_from is not None and limit.next_from <= now:  # what waited is in force
        if limit.next_amount_cents is None:
            limit.delete()
            return limit_set(
                user=limit.user,
                measure=limit.measure,
                period=limit.period,
                amount_cents=amount_cents,
            )
        limit.amount_cents = limit.next_amount_cents
    if amount_cents is None or amount_cents > limit.amount_cents:
        limit.next_amount_cents, limit.next_from = amount_cents, now + RAISE_DELAY
    else:
        limit.amount_cents = amount_cents
        limit.next_amount_cents = limit.next_from = None
    limit.save(update_fields=["amount_cents", "next_amount_cents", "next_from"])
    return limit


def _journal_freeze(user: User, actor: User, reason: str, *, frozen: bool) -> None:
    journal_record(
        actor=actor,
        verb="player.freeze" if frozen else "player.thaw",
        subject=f"user:{user.pk}",
        before={"frozen": not frozen},
        after={"frozen": frozen},
        reason=reason,
    )
