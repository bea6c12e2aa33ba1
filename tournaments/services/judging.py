"""Reports of words of clubs and tournaments, and the people who may decide about them."""

import hashlib
import json
from datetime import timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

from django.db.models import Manager, Q
from django.utils import timezone

from accounts.models import User
from games.services.administration import MayNotDecide, ReasonMissing
from games.services.chat_reports import TooManyReports
from games.table.errors import BadTerms
from games.table.talk import REPORT_WORDS_LENGTH_MAX, text_cleaned
from tournaments.errors import NothingToDecide
from tournaments.models import IN, Club, Membership
from tournaments.models.reports import Report

PERMISSION: Final = "games.decide_chatreport"

#: why a name or a description may be reported: those reasons of chats that fit it
REASONS: Final = ("insult", "threat", "spam", "other")

REPORTS_A_DAY_MAX: Final = 5

_Report = TypeVar("_Report", bound=Report)


def shown_token(*texts: str) -> str:
    """A token that changes with every change of these texts."""
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def reason_check(reason: str, words: str) -> str:
    """The words of a report as they are stored. Raises `BadTerms`, `BadText`."""
    if reason not in REASONS:
        raise BadTerms("there is no such reason", field="reason")
    return text_cleaned(words, REPORT_WORDS_LENGTH_MAX) if words.strip() else ""


def report_make(
    reports: Manager[_Report], *, user: User, reason: str, note: str, **kept: str
) -> _Report:
    """Store a report among those of its subject, which is locked; reporting twice makes one.

    `kept` are the words as they are. Raises `TooManyReports`.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    known = reports.filter(reporter=user, outcome="").first()
    if known is not None:
        return known
    yesterday = timezone.now() - timedelta(days=1)
    mine = reports.model._default_manager.filter(reporter=user, made_at__gt=yesterday)
    if mine.count() >= REPORTS_A_DAY_MAX:
        raise TooManyReports(f"{REPORTS_A_DAY_MAX} complaints of one kind a day are read")
    return reports.create(reporter=user, reason=reason, words=note, **kept)


def reports_close(reports: Manager[Any], *, actor: User, outcome: str) -> None:
    """Close all open reports of one subject. Raises `NothingToDecide` for nothing without one."""
    closed = reports.filter(outcome="").update(
        outcome=outcome, closed_at=timezone.now(), closed_by=actor
    )
    if outcome == "nothing" and not closed:
        raise NothingToDecide("no report is open")


def own_clubs(user: User) -> set[UUID]:
    """The clubs that this person founded or is in, so that reports of these are about them too."""
    own = Q(founder=user) | Q(
        pk__in=Membership.objects.filter(user=user, standing__in=IN).values("club")
    )
    return set(Club.objects.filter(own).values_list("pk", flat=True))


def may_judge(user: User, reports: Manager[Any], *, own: bool) -> bool:
    """Whether this moderator may decide: it is not their `own`, and no open report is theirs."""
    if own or not user.has_perm(PERMISSION):
        return False
    return not reports.filter(reporter=user, outcome="").exists()


def judge_check(user: User, reason: str, reports: Manager[Any], *, own: bool) -> None:
    """Raise `ReasonMissing` without a reason, `MayNotDecide` for people who may not decide."""
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    if not may_judge(user, reports, own=own):
        raise MayNotDecide("you may not decide about this")
