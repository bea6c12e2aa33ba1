"""How much one administrator moves alone: one sum over 24 hours and over all ways of moving."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import F, Sum
from django.db.models.functions import Abs
from django.utils import timezone

from accounts.models import User
from ledger.models import Adjustment, JournalEntry, Voucher

ALONE_SPAN = timedelta(hours=24)


def alone_cents_spent(actor: User) -> int:
    """The cents that this person moved alone within the last 24 hours.

    The sum of adjustments, given or taken, of vouchers, revoked ones too, and of `alone_cents` in
    the journal: the stake of one player for each match, and the highest stake of each game of a
    chouette, that the person decided alone.
    """
    since = timezone.now() - ALONE_SPAN
    adjusted = Adjustment.objects.filter(proposed_by=actor, proposal=None, booked_at__gt=since)
    made = Voucher.objects.filter(made_by=actor, alone=True, made_at__gt=since)
    decided = JournalEntry.objects.filter(
        actor=actor, created_at__gt=since, after__has_key="alone_cents"
    )
    sums = (
        adjusted.aggregate(sum=Sum(Abs(F("amount_cents"))))["sum"] or 0,
        made.aggregate(sum=Sum("amount_cents"))["sum"] or 0,
        sum(after["alone_cents"] for after in decided.values_list("after", flat=True)),
    )
    return int(sum(sums))


def within_alone_limit(actor: User, amount_cents: int, *, lock: bool = True) -> bool:
    """Whether so much more, in either direction, stays within LEDGER_ALONE_CENTS.

    The lock on the person's row holds until the transaction ends, so two movements at once cannot
    both fit. The caller stores what is moved alone in the same transaction, in the rows that
    `alone_cents_spent` sums.
    """
    if lock:
        get_user_model().objects.select_for_update(no_key=True).get(pk=actor.pk)
    return alone_cents_spent(actor) + abs(amount_cents) <= settings.LEDGER_ALONE_CENTS


def may_decide_alone(actor: User, amount_cents: int, *, lock: bool = True) -> bool:
    """Whether this person needs no second one for so much: it is within the limit, or the house
    has a single administrator."""
    within = within_alone_limit(actor, amount_cents, lock=lock)
    return within or bool(settings.LEDGER_SINGLE_ADMINISTRATOR)
