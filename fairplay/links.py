"""Linked accounts (accounts/login_marks.py): found where one goes on for another under a decision.

Linked accounts cannot meet for credits (games/services/bars.py), and their free games are not
rated. A moderator confirms that two of them belong to two people, and can take that back.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.login_marks import Acquaintance, Link, MarkKind, links_of
from accounts.models import User
from fairplay import settlement
from fairplay.cases import Alarm, case_open, people_lock
from fairplay.errors import NoReviewer, TextMissing
from fairplay.models import Case, CaseKind, PartyRole
from games.models import Bar
from games.services.bars import barred_among
from kit.sweeps import go_round, stuck_items

PERMISSION: Final = "fairplay.decide_case"
SWEEP: Final = "evasions"
REASON_MOST: Final = 500


@transaction.atomic
def two_people_confirm(
    *, one: User, other: User, actor: User, reason: str, verified_at: datetime | None
) -> Acquaintance:
    """Confirm that two linked accounts belong to two people, who may then meet.

    A second call changes nothing. Raises `NoReviewer` without the right and for the moderator's own
    account or one that is not independent of them, `TextMissing`, and
    `ledger.errors.SecondFactorStale`.
    """
    reason = _checked(one, other, actor, reason, verified_at)
    first, second = sorted((one, other), key=lambda person: person.pk)
    found, is_new = Acquaintance.objects.get_or_create(
        one=first, other=second, ended_at=None, defaults={"confirmed_by": actor}
    )
    if is_new:
        _journal("links.confirm", first, second, actor, reason)
    return found


@transaction.atomic
def two_people_end(
    *, one: User, other: User, actor: User, reason: str, verified_at: datetime | None
) -> int:
    """Take a confirmation back; return how many there were. Raises as `two_people_confirm`."""
    reason = _checked(one, other, actor, reason, verified_at)
    first, second = sorted((one, other), key=lambda person: person.pk)
    ended = Acquaintance.objects.filter(one=first, other=second, ended_at=None).update(
        ended_at=timezone.now()
    )
    if ended:
        _journal("links.end", first, second, actor, reason)
    return ended


def _checked(one: User, other: User, actor: User, reason: str, verified_at: datetime | None) -> str:
    """Lock the two accounts and check who decides about them; return the reason."""
    if not actor.has_perm(PERMISSION) or actor.pk in (one.pk, other.pk) or one.pk == other.pk:
        raise NoReviewer(f"{actor.get_username()} cannot decide about these accounts")
    settlement.people_are_two((one.pk, other.pk), actor)
    settlement.second_factor_check(verified_at)
    reason = reason.strip()
    if not reason or len(reason) > REASON_MOST:
        raise TextMissing(f"this needs 1 to {REASON_MOST} characters of reason")
    people_lock((one.pk, other.pk))
    return reason


def _journal(verb: str, one: User, other: User, actor: User, reason: str) -> None:
    """Enter the decision in the journal of both accounts."""
    for person, beside in ((one, other), (other, one)):
        settlement.journal_record(
            actor=actor,
            verb=verb,
            subject=f"user:{person.pk}",
            before={},
            after={"other": beside.pk},
            reason=reason,
        )


def evasions_find() -> int:
    """Open a case about each account that goes on for one under a decision; return how many.

    One browser is enough; a network only where the account registered after the decision. The
    account pauses games for credits for at most 72 hours, then people have decided or it ends.
    """
    if not settings.FAIRPLAY_ACTS:
        return 0
    return go_round(SWEEP, _decisions(), _evasions_of)


def _evasions_of(bar: Bar) -> int:
    """Open the cases that follow from one decision; return how many."""
    found = 0
    for link in _suspects(bar):
        case_open(
            Alarm(
                kind=CaseKind.EVASION,
                accused=frozenset({link.user_id}),
                evidence=_evidence(bar, link),
                pausing=link.user_id,
            )
        )
        found += 1
    return found


def _decisions() -> list[Bar]:
    """The bars in force that people have decided, the oldest first."""
    decided = Q(reference__endswith=":sanction") | Q(reference__endswith=":final")
    lasts = Q(ends_at__isnull=True) | Q(ends_at__gt=timezone.now())
    found = Bar.objects.filter(
        decided, lasts, reference__startswith="case:", lifted_at__isnull=True, other__isnull=True
    )
    return list(found.exclude(pk__in=stuck_items(SWEEP)).order_by("placed_at", "pk"))


def _suspects(bar: Bar) -> Iterator[Link]:
    """The links of an account under a decision that nobody has looked at since."""
    links = {link.user_id: link for link in links_of(bar.user_id) if not link.confirmed}
    looked_at = Case.objects.filter(
        kind=CaseKind.EVASION,
        opened_at__gte=bar.placed_at,
        parties__user__in=list(links),
        parties__role=PartyRole.ACCUSED,
    )
    past = set(looked_at.values_list("parties__user", flat=True)) | barred_among(list(links))
    people = User.objects.filter(pk__in=links.keys() - past, is_active=True, is_bot=False)
    for person in people.order_by("pk"):
        link = links[person.pk]
        if link.kind == MarkKind.BROWSER or person.date_joined > bar.placed_at:
            yield link


def _evidence(bar: Bar, link: Link) -> list[dict[str, Any]]:
    person = User.objects.get(pk=link.user_id)
    age_days = (timezone.now() - person.date_joined) / timedelta(days=1)
    return [
        {"key": str(link.kind), "here": 1},
        {"key": "under", "here": 1, "of": bar.user_id},
        {"key": "age", "here": age_days, "of": link.user_id},
    ]
