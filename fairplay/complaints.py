"""Reports of players about opponents: taken once a match, weighed, and answered.

A report joins an open case about the same person, or waits with others. A case opens when the
weights of the open reports of different players add up to `OPENS_AT`. Somebody whose reports led
nowhere or lapsed weighs less; nobody weighs nothing. A report holds nothing of anybody.

A moderator opens a case by hand: a suspicion in words, about one player or two.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from fairplay.cases import Alarm, case_grow, case_open, people_lock
from fairplay.errors import NoReviewer, ReportRefused, ReportsTooMany, TextMissing
from fairplay.facts import LOOKS_BACK
from fairplay.models import Case, CaseKind, CaseMatch, Complaint, ComplaintOutcome, Party, PartyRole
from fairplay.procedure import CaseState
from games.models import Match
from kit.plain_text import text_fault

WITHIN: Final = timedelta(days=7)
"""How long after a match it can be reported."""

A_DAY_MOST: Final = 10
OPENS_AT: Final = 0.9
"""So much the weights of those who reported add up to: two people, one alone never."""

NEW_FOR: Final = timedelta(days=3)
"""Accounts younger than this weigh half."""

WORDS_MOST: Final = 1000

REASONS: Final = (CaseKind.ENGINE, CaseKind.DUMP, CaseKind.EVASION, CaseKind.CONDUCT)


@transaction.atomic
def complaint_make(*, match: Match, reporter: User, reason: str, words: str = "") -> Complaint:
    """Report the opponent of an ended match; a second report about it changes nothing.

    Raises `ReportRefused` for a match of others, one that runs or ended too long ago, a bot, an
    unknown reason, unreadable words, and after too many reports in a day.
    """
    accused = opponent_of(match, reporter)
    people_lock((reporter.pk, accused.pk))  # two reports about one person are counted together
    words = words.strip()
    if reason not in REASONS or len(words) > WORDS_MOST or text_fault(words):
        raise ReportRefused("a report has a reason and at most 1,000 readable characters")
    known = Complaint.objects.filter(reporter=reporter, match=match).first()
    if known is not None:
        return known
    since = timezone.now() - timedelta(days=1)
    if Complaint.objects.filter(reporter=reporter, made_at__gt=since).count() >= A_DAY_MOST:
        raise ReportsTooMany(f"{A_DAY_MOST} reports a day are read")
    complaint = Complaint.objects.create(
        reporter=reporter, accused=accused, match=match, reason=reason, words=words
    )
    _join(complaint)
    return complaint


def opponent_of(match: Match, reporter: User) -> User:
    """The opponent whom this player can report now. Raises `ReportRefused`."""
    if reporter.pk not in match.players or match.ended_at is None:
        raise ReportRefused("only players of an ended match report it")
    if match.ended_at < timezone.now() - WITHIN:
        raise ReportRefused("the match ended too long ago")
    opponent = match.player_1 if match.player_0_id == reporter.pk else match.player_0
    if opponent.is_bot:
        raise ReportRefused("a bot is not reported")
    return opponent


def _join(complaint: Complaint) -> None:
    """Bring a report to the open case about its person, or open one if enough is reported."""
    waiting = Complaint.objects.filter(
        accused=complaint.accused_id, reason=complaint.reason, case=None, outcome=""
    ).select_related("match")
    about = Party.objects.filter(user=complaint.accused_id, role=PartyRole.ACCUSED)
    open_case = Case.objects.select_for_update(no_key=True).filter(
        kind=complaint.reason, state=CaseState.OPEN, pk__in=about.values("case_id")
    )
    case = open_case.order_by("pk").first()
    if case is None and weight_of_all(waiting) < OPENS_AT:
        return
    rows = list(waiting)
    alarm = Alarm(
        kind=CaseKind(complaint.reason),
        accused=frozenset({complaint.accused_id}),
        affected=frozenset(row.reporter_id for row in rows),
        evidence=[{"key": "reports", "here": len({row.reporter_id for row in rows})}],
        matches=[row.match for row in rows],
    )
    if case is None:
        case = case_open(alarm)
    else:
        case_grow(case, alarm)
    waiting.update(case=case)


def weight_of_all(complaints: Iterable[Complaint]) -> float:
    """The weights of the people who reported, each counted once."""
    return sum(weight_of(each) for each in {row.reporter_id for row in complaints})


def weight_of(reporter_id: int) -> float:
    """How much a person's reports count, above 0 and below 1: 0.5 for somebody new.

    It is the share of their decided reports that were confirmed, with one of each added. One that
    lapsed has convinced nobody, and counts as half a report without a finding. Accounts of the last
    days weigh half, so that nobody makes two for a case.
    """
    ends = Counter(Complaint.objects.filter(reporter=reporter_id).values_list("outcome", flat=True))
    joined = User.objects.values_list("date_joined", flat=True).get(pk=reporter_id)
    return weight_by(ends, is_new=joined > timezone.now() - NEW_FOR)


def weight_by(ends: Mapping[str, int], *, is_new: bool) -> float:
    """The weight of somebody whose reports ended so."""
    confirmed = ends.get(ComplaintOutcome.CONFIRMED, 0)
    nothing = ends.get(ComplaintOutcome.CLEARED, 0) + ends.get(ComplaintOutcome.LAPSED, 0) / 2
    weight = (confirmed + 1) / (confirmed + nothing + 2)
    return weight / 2 if is_new else weight


def tables_contested(table_ids: Collection[UUID]) -> set[UUID]:
    """Those of these tables with a match in an open case, or in a report nobody has decided."""
    cases = CaseMatch.objects.filter(match__table__in=table_ids, case__closed_at__isnull=True)
    reports = Complaint.objects.filter(match__table__in=table_ids, outcome="")
    found: set[UUID] = set()
    for rows in (cases, reports):
        found.update(rows.values_list("match__table", flat=True))
    return found


PERMISSION: Final = "fairplay.decide_case"
REASON_MOST: Final = 500


def case_open_by_hand(*, people: Collection[User], kind: CaseKind, words: str, actor: User) -> Case:
    """Open a case about these people; nothing is held, and the moderator does not judge it.

    About two players it has their staked matches of 30 days. Raises `NoReviewer` without the right,
    for the moderator's own account and for people who are not independent of them, and
    `TextMissing`.
    """
    ids = frozenset(person.pk for person in people)
    if not actor.has_perm(PERMISSION) or actor.pk in ids:
        raise NoReviewer(f"{actor.get_username()} cannot open this case")
    settlement.people_are_two(ids, actor)
    words = words.strip()
    if not words or len(words) > REASON_MOST:
        raise TextMissing(f"a case needs 1 to {REASON_MOST} characters of reason")
    alarm = Alarm(
        kind=kind,
        accused=ids,
        evidence=[{"key": "opened", "words": words}],
        matches=_between(ids),
    )
    return case_open(alarm, opened_by=actor)


def _between(ids: Collection[int]) -> list[Match]:
    if len(ids) != 2:
        return []
    found = Match.objects.filter(
        Q(player_0__in=ids, player_1__in=ids),
        stake_cents__gt=0,
        ended_at__gt=timezone.now() - LOOKS_BACK,
    ).exclude(ending="voided")
    return list(found.order_by("ended_at", "pk"))
