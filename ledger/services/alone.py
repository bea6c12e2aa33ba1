"""How much one administrator decides alone: a sum over 24 hours, so splitting gains nothing."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from ledger.models import JournalEntry

ALONE_SPAN = timedelta(hours=24)


def alone_cents(actor: AbstractUser, verbs: Sequence[str]) -> int:
    """What this person decided alone within the last 24 hours, by `alone_cents` of the journal."""
    recent = JournalEntry.objects.filter(
        actor=actor, verb__in=verbs, created_at__gt=timezone.now() - ALONE_SPAN
    )
    return sum(after.get("alone_cents", 0) for after in recent.values_list("after", flat=True))


def may_decide_alone(
    actor: AbstractUser, verbs: Sequence[str], amount_cents: int, *, lock: bool = True
) -> bool:
    """Whether this person may decide about so much alone: with what these verbs moved alone within
    24 hours it stays within LEDGER_DECIDE_ALONE_CENTS, or the house has one administrator.

    The lock on the person's row keeps two decisions at once from not seeing each other. The caller
    enters `alone_cents` in the journal of what is decided alone.
    """
    if settings.LEDGER_SINGLE_ADMINISTRATOR:
        return True
    if lock:
        get_user_model().objects.select_for_update(no_key=True).get(pk=actor.pk)
    return alone_cents(actor, verbs) + amount_cents <= settings.LEDGER_DECIDE_ALONE_CENTS
