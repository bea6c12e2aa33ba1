"""Reading for players' own pages and for the administrators' desk: payouts, limits, statements."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Now
from django.utils import timezone

from accounts.mailboxes import mailboxes_unproved
from ledger.audit import AuditMark
from ledger.models import (
    OPEN_STATES,
    PROPOSAL_LIFE,
    Account,
    AuditRun,
    Entry,
    JournalEntry,
    Measure,
    Payout,
    PayoutState,
    Period,
    PlayLimit,
    PlayPause,
    Proposal,
    ProposalState,
    StakesStop,
    Voucher,
)
from ledger.postings import wallet_key


@dataclass(frozen=True, slots=True)
class LimitView:
    """A limit as its player sees it; `limit_cents` is None where there is none."""

    measure: Measure
    period: Period
    limit_cents: int | None
    used_cents: int
    next_cents: int | None
    next_from: datetime | None


@dataclass(frozen=True, slots=True)
class WalletStatement:
    """The movements of a wallet over a period; opening + all kinds = closing, in cents."""

    since: datetime
    until: datetime
    opening_cents: int
    closing_cents: int
    by_kind: dict[str, int]

    @property
    def played_cents(self) -> int:
        """The cents won (above zero) or lost by playing."""
        kinds = ("stake", "result", "tie", "void", "withdraw", "adjudicate", "correct")
        return sum(self.by_kind.get(kind, 0) for kind in kinds)


def payouts_waiting() -> QuerySet[Payout]:
    """Payouts an administrator has to look at, the oldest first."""
    return payouts_with_freeze().filter(state__in=OPEN_STATES).order_by("id")


def payouts_listed(state: str) -> QuerySet[Payout]:
    """Payouts in one state, or all of them, the newest first."""
    chosen = Q(state=state) if state in PayoutState.values else Q()
    return payouts_with_freeze().filter(chosen).order_by("-id")


def payouts_with_freeze() -> QuerySet[Payout]:
    """Payouts with their people, and `frozen`: whether nothing may leave the player's wallet."""
    held = Account.objects.filter(kind="wallet", owner=OuterRef("user"), frozen=True)
    people = Payout.objects.select_related("user", "approved_by", "claimed_by")
    return people.annotate(frozen=Exists(held))


def payouts_of(user_id: int) -> QuerySet[Payout]:
    """A player's payouts, the newest first, each with its steps."""
    return Payout.objects.filter(user=user_id).prefetch_related("steps").order_by("-id")


def proposals_waiting(permissions: Iterable[str], **about: str) -> QuerySet[Proposal]:
    """Proposals that wait for a second person with one of these rights, the oldest first.

    `about` names a subject or a kind, for those alone.
    """
    return _proposals(permissions, about).filter(proposal_waits()).order_by("id")


def proposal_waits() -> Q:
    """The condition of a proposal that can still be confirmed."""
    return Q(state=ProposalState.WAITING, proposed_at__gt=Now() - PROPOSAL_LIFE)


def proposals_past(permissions: Iterable[str], **about: str) -> QuerySet[Proposal]:
    """Proposals that were decided, withdrawn or have lapsed, the newest first."""
    return _proposals(permissions, about).exclude(proposal_waits()).order_by("-id")


def proposals_about(subject: str) -> QuerySet[Proposal]:
    """Every proposal about a subject, whatever became of it, in the order they were made."""
    chosen = Proposal.objects.filter(subject=subject)
    return chosen.select_related("proposed_by", "decided_by").order_by("id")


def _proposals(permissions: Iterable[str], about: Mapping[str, str]) -> QuerySet[Proposal]:
    chosen = Proposal.objects.filter(permission__in=list(permissions), **about)
    return chosen.select_related("proposed_by", "decided_by")


def vouchers() -> QuerySet[Voucher]:
    """All vouchers, the newest first."""
    people = ("made_by", "confirmed_by", "redeemed_by", "revoked_by")
    return Voucher.objects.select_related(*people).order_by("-id")


def journal(*, subject: str = "", actor_id: int | None = None) -> QuerySet[JournalEntry]:
    """Entries of the journal, the newest first; of one subject or one person where named."""
    chosen = Q(subject=subject) if subject else Q()
    if actor_id is not None:
        chosen &= Q(actor=actor_id)
    return JournalEntry.objects.filter(chosen).select_related("actor").order_by("-id")


def audit_latest() -> AuditRun | None:
    """The last whole audit, or None before the first."""
    return whole_audits().order_by("-started_at").first()


def audit_latest_recent() -> AuditRun | None:
    """The last audit of what came since the one before it, or None before the first."""
    return recent_audits().order_by("-started_at").first()


def audit_latest_in_turns() -> AuditRun | None:
    """The last audit in turns; None before the first."""
    return audits_in_turns().order_by("-started_at").first()


def mark_reached() -> AuditMark | None:
    """The start of a recent audit: the last audit without findings; None before the first."""
    last = AuditRun.objects.filter(finding_count=0).order_by("-started_at").first()
    return AuditMark(last.sealed_to, last.started_at) if last else None


def recent_audits() -> QuerySet[AuditRun]:
    """The audits of what came since another one, and of nothing else."""
    return AuditRun.objects.exclude(since_at=None).exclude(report__has_key="turn")


def audits_in_turns() -> QuerySet[AuditRun]:
    """The audits of what was new and of a part of the rest."""
    return AuditRun.objects.filter(report__has_key="turn")


def nightly_audits() -> QuerySet[AuditRun]:
    """The audits that one in turns may go on from: whole ones and others in turns."""
    return AuditRun.objects.filter(Q(since_at=None) | Q(report__has_key="turn"))


def whole_audits() -> QuerySet[AuditRun]:
    """The audits that proved everything."""
    return AuditRun.objects.filter(since_at=None)


def stops() -> QuerySet[StakesStop]:
    """Where the house takes no new stakes."""
    return StakesStop.objects.select_related("actor").order_by("scope")


def frozen_wallets() -> QuerySet[Account]:
    """The wallets nothing may leave, with their owners."""
    return Account.objects.filter(kind="wallet", frozen=True).select_related("owner")


def pause_of(user_id: int) -> PlayPause | None:
    """The break or exclusion in force, the longest; None when the player may stake.

    An exclusion holds for every account with a proved mailbox of the one that it was set on, and by
    a mailbox that it did not prove for accounts that have not proved it either.
    """
    return next(iter(PlayPause.objects.raw("SELECT * FROM ledger_pause_of(%s)", [user_id])), None)


def pause_shown(user_id: int) -> dict[str, object]:
    """The context of `ledger/pause.html`: the pause, and whether proving a mailbox might end it."""
    pause = pause_of(user_id)
    others = pause is not None and pause.user_id != user_id
    return {"pause": pause, "pause_may_be_anothers": others and mailboxes_unproved(user_id)}


def limits_of(user_id: int) -> tuple[LimitView, ...]:
    """All six limits of a player, with what is used of each now."""
    rows = {(row.measure, row.period): row for row in PlayLimit.objects.filter(user=user_id)}
    now = timezone.now()
    return tuple(
        _limit_view(rows.get((measure.value, period.value)), user_id, measure, period, now)
        for measure in Measure
        for period in Period
    )


def statement(user_id: int, *, since: datetime, until: datetime) -> WalletStatement:
    """A wallet's statement, for example over a year; `since` is included, `until` is not."""
    entries = Entry.objects.filter(account__key=wallet_key(user_id))
    within = entries.filter(transfer__created_at__gte=since, transfer__created_at__lt=until)
    before = entries.filter(transfer__created_at__lt=since)
    by_kind = dict(
        within.values("transfer__kind")
        .annotate(total=Sum("amount_cents"))
        .order_by("transfer__kind")
        .values_list("transfer__kind", "total")
    )
    by_kind = {kind: int(total) for kind, total in by_kind.items()}
    opening = int(before.aggregate(total=Sum("amount_cents"))["total"] or 0)
    return WalletStatement(since, until, opening, opening + sum(by_kind.values()), by_kind)


def _limit_view(
    row: PlayLimit | None, user_id: int, measure: Measure, period: Period, now: datetime
) -> LimitView:
    limit_cents = next_cents = next_from = None
    if row is not None:
        limit_cents, next_cents, next_from = (
            row.amount_cents,
            row.next_amount_cents,
            row.next_from,
        )
        if next_from is not None and next_from <= now:
            limit_cents, next_cents, next_from = next_cents, None, None
    used_cents = _used(user_id, measure, period)
    return LimitView(measure, period, limit_cents, used_cents, next_cents, next_from)


def _used(user_id: int, measure: Measure, period: Period) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_play_used(id, %s, statement_timestamp() - %s::interval)"
            " FROM ledger_account WHERE key = %s",
            [measure.value, f"1 {period.value}", wallet_key(user_id)],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else 0
